// Solves regular cone problems whose W = J M^-1 J' + softness is given by its factors: accelerated
// Gauss-Seidel in the space of body velocities, eight contacts at a time, with Newton steps where
// that converges slowly.
#pragma once

#include <span>
#include <vector>

#include "base/workers.h"
#include "complementarity/cone/batch_list.h"
#include "complementarity/cone/body_newton.h"

namespace tenpin::complementarity::cone {

// The law of one contact.
struct SweptLaw {
  double q[3] = {};         // m/s   velocity without reactions, along n, t1, t2
  double softness[2] = {};  // 1/kg  compliance along the normal and the tangents, > 0
  double mu = 0.0;          // -
  double r[3] = {};         // N s   initial guess of the reaction
};

// Rows n, t1, t2 of J C, where M^-1 = C C', for each of the contact's bodies.
struct SweptRows {
  double a[3][kBodySize] = {};
  double b[3][kBodySize] = {};
};

// These rows for a contact between balls; see RoundBatch.
struct RoundRows {
  double n[3] = {};
  double t1[3] = {};
  double linear[2] = {};
  double spin[2] = {};
};

// Sweeps over all contacts, with Newton steps. Reuses its buffers: allocates only when a size
// exceeds every earlier one.
class BodySweep {
 public:
  struct Options {
    double tolerance = 1e-6;  // m/s   largest error of a contact; see calc_largest_error()
    int max_sweeps = 4000;
    int sweeps_before_newton = 20;  // minimum
    const Workers* workers = nullptr;
  };
  struct Outcome {
    double error = 0.0;  // m/s
    int sweeps = 0;
    int newton_steps = 0;  // including those that failed
  };
  // The place of a contact in the batches.
  struct Place {
    bool is_round = false;
    int position = 0;
  };

  // Order of calls: reset; file() every contact in the order of the sweep, round ones first;
  // prepare; set each contact; start. Body 0 is fixed.
  void reset(int num_bodies);
  // Starts a group: contacts filed until the next call belong to it. Groups of one phase move no
  // common body and may be swept at the same time. Before any other group moves bodies first_body
  // up to end_body, this group applies their momentum. Without groups, all contacts form one group.
  // There may be at most kNumFixedRows groups.
  void begin_group(int phase, int first_body, int end_body);
  Place file(const BodyPair& pair, bool is_round);
  void prepare(const Workers* workers = nullptr);
  void set(const Place& place, const SweptLaw& law, const SweptRows& rows);
  void set(const Place& place, const SweptLaw& law, const RoundRows& rows);

  void start(const Workers* workers = nullptr);

  // Sweeps at least once, and until the tolerance is met. May be called again with a smaller
  // tolerance.
  Outcome solve(const Options& options);

  // Writes the reaction of a contact to r, in N s.
  void read_reaction(const Place& place, double* r) const;
  // m/s   The error of a contact at the end of the last solve.
  [[nodiscard]] double read_error(const Place& place) const;

 private:
  struct Group {
    int phase = 0;
    int begin_body = 0, end_body = 0;    // range of rows
    int begin_round = 0, end_round = 0;  // range of batches
    int begin_others = 0, end_others = 0;
  };
  int find_row(int body) const;
  RoundSpan round_of(const Group& group) {
    return round_.part(group.begin_round, group.end_round, bodies_.data());
  }
  ContactSpan others_of(const Group& group) {
    return others_.part(group.begin_others, group.end_others, bodies_.data());
  }
  template <typename Visit>
  void visit_by_phase(const Workers* workers, Visit&& visit);
  double calc_error(const Workers* workers);
  double sweep(double momentum, const Workers* workers);
  int find_newton_turn(int sweeps);
  bool try_newton(const Workers* workers, double* error);

  BatchList<RoundBatch> round_;
  BatchList<ContactBatch> others_;
  std::vector<BodyMotion> bodies_, saved_bodies_;  // by row
  std::vector<Group> groups_;                      // by phase
  std::vector<double> parts_;                      // partial sums or maxima, by group
  BodyNewton newton_;
  bool is_analyzed_ = false;  // true if newton_ has analysed the contacts
};

}  // namespace tenpin::complementarity::cone
