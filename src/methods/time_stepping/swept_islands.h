// Islands of compliant contacts between loose bodies, all solved together by sweeps.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/workers.h"
#include "complementarity/cone/body_sweep.h"
#include "dynamics/model.h"
#include "methods/time_stepping/core/contact_problem.h"
#include "methods/time_stepping/sweep_groups.h"

namespace tenpin::methods::time_stepping {

// Vector lanes are filled from all islands, so many small islands cost as little as one large
// island. Contacts are swept from the ground up, along the path of the loads.
class SweptIslands {
 public:
  explicit SweptIslands(const Workers* workers) : workers_(workers), groups_(workers) {}

  // Is the contact compliant, equally in all directions, without torsional friction or a given
  // load, and are its bodies loose, fixed or prescribed?
  [[nodiscard]] static bool can_sweep(const dynamics::Model& model, const ContactProblem& problem,
                                      int contact);

  // Loads `contacts`, with the guesses of the problem.
  void start(const dynamics::Model& model, const ContactProblem& problem,
             std::span<const int> contacts);
  // Loads some of them again from their current state, while the others are finished.
  void restart(const dynamics::Model& model, const ContactProblem& problem,
               std::span<const int> contacts, std::span<const int> done,
               const ContactAnswer& earlier);
  // Solves them together, accurately enough for each to pass its certificate at that tolerance,
  // within max_sweeps, and writes their impulses. May be called again for more accuracy.
  void solve(std::span<const int> contacts, double tolerance, int max_sweeps,
             ContactAnswer* answer);

  // Linear systems of the last solve.
  int num_newton_steps() const { return outcome_.newton_steps; }
  // m/s   Of the last solve: the error that passes, given the speeds involved, and the error of a
  // contact, by its position.
  double tolerance() const { return tolerance_; }
  bool passed() const { return outcome_.error <= tolerance_; }
  double error(int position) const { return sweep_.read_error(places_[position]); }

 private:
  // C of a loose body, with M^-1 = C C'.
  struct Root {
    double linear = 0.0;          // 1/sqrt(kg)
    Mat3 angular = Mat3::Zero();  // 1/(m sqrt(kg)), a lower triangle
    bool is_round = false;        // all moments of inertia are equal
  };

  static Root calc_root(const dynamics::Model& model, const dynamics::MassMatrix& M, int m);
  void update_roots(const dynamics::Model& model, const dynamics::MassMatrix& M);
  [[nodiscard]] bool is_round(const ContactProblem& problem, int contact) const;
  void file(const dynamics::Model& model, const ContactProblem& problem,
            std::span<const int> contacts);
  void multiply_root(const contact::ContactJacobian::Side& side,
                     const contact::ContactJacobian::Rows& J, int row, double* out) const;
  void set_round(const ContactProblem& problem, int contact,
                 const complementarity::cone::SweptLaw& law,
                 const complementarity::cone::BodySweep::Place& place);
  void set_contact(const ContactProblem& problem, int contact, const Vec3& start,
                   const complementarity::cone::BodySweep::Place& place);

  void take(const dynamics::Model& model, const ContactProblem& problem,
            std::span<const int> contacts, const std::vector<Vec3>& guess);
  static double calc_mobility(const ContactProblem& problem, int contact);
  void find_largest_speed();
  // Reads the current impulses and their speeds.
  void read_impulses(std::span<const int> contacts, ContactAnswer* answer);

  const Workers* workers_;
  std::vector<Root> roots_;  // by mechanism
  complementarity::cone::BodySweep sweep_;
  complementarity::cone::BodySweep::Outcome outcome_;
  double max_mu_ = 0.0;       // -
  double least_speed_ = 0.0;  // m/s  scale of the certificate, or more
  double speed_ = 0.0;        // m/s  of the fastest impulse, or least_speed_
  double tolerance_ = 0.0;    // m/s
  SweepGroups groups_;
  std::vector<Vec3> guess_;         // N s    by contact
  std::vector<double> speeds_;      // m/s    by position: of its impulse
  std::vector<double> mobilities_;  // 1/kg   by position: velocity per impulse
  std::vector<double> heights_;     // m2/s2  by position: gravity's potential
  std::vector<complementarity::cone::BodySweep::Place> places_;  // by position
};

}  // namespace tenpin::methods::time_stepping
