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

// The contacts of some islands, one island after the other.
struct SweptList {
  struct Island {
    int end = 0;         // of the island's contacts in the list
    double speed = 0.0;  // m/s   scale of its velocities
  };
  std::vector<int> contacts;
  std::vector<Island> islands;
};

// Vector lanes are filled from all islands, so many small islands cost as little as one large
// island. Contacts are swept from the ground up, along the path of the loads.
class SweptIslands {
 public:
  explicit SweptIslands(const Workers* workers) : workers_(workers), groups_(workers) {}

  // True if the contact is compliant, equally in all directions, has neither torsional friction nor
  // a given load, and if its bodies are loose, fixed or prescribed.
  [[nodiscard]] static bool can_sweep(const dynamics::Model& model, const ContactProblem& problem,
                                      int contact);

  // Loads contacts with the guesses of the problem. The list must exist until the next start.
  void start(const dynamics::Model& model, const ContactProblem& problem, const SweptList& list);
  // Loads some of the contacts again from their current state.
  void restart(const dynamics::Model& model, const ContactProblem& problem, const SweptList& list,
               const ContactAnswer& earlier);
  // Solves all loaded islands together, accurately enough for each island to pass its certificate
  // at that tolerance, in at most max_sweeps sweeps, and writes their impulses. May be called again
  // for more accuracy.
  void solve(double tolerance, int max_sweeps, ContactAnswer* answer);

  // Number of linear systems in the last solve.
  int num_newton_steps() const { return outcome_.newton_steps; }
  // m/s   From the last solve: the error allowed in an island, given the speeds involved, and the
  // error of a contact; both by position in the list.
  double tolerance(int island) const { return share_ * island_speeds_[island]; }
  bool passed() const { return outcome_.error <= share_ * slowest_; }
  double error(int position) const { return sweep_.read_error(places_[position]); }

 private:
  // The factor C of a loose body, with M^-1 = C C'.
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
            const std::vector<Vec3>& guess);
  static double calc_mobility(const ContactProblem& problem, int contact);
  void find_speeds();
  // Reads the current impulses and the speeds that they cause.
  void read_impulses(ContactAnswer* answer);

  const Workers* workers_;
  std::vector<Root> roots_;  // by mechanism
  complementarity::cone::BodySweep sweep_;
  complementarity::cone::BodySweep::Outcome outcome_;
  const SweptList* list_ = nullptr;
  double max_mu_ = 0.0;  // -
  // m/s  scale of the certificate; speed caused by the largest impulse
  std::vector<double> island_speeds_;
  double slowest_ = 0.0;  // m/s  the smallest of the island speeds
  double share_ = 0.0;    // -    of the island speeds: the error allowed
  SweepGroups groups_;
  std::vector<Vec3> guess_;         // N s    by contact
  std::vector<double> speeds_;      // m/s    by position: of its impulse
  std::vector<double> mobilities_;  // 1/kg   by position: velocity per impulse
  std::vector<double> heights_;     // m2/s2  by position: gravity's potential
  std::vector<complementarity::cone::BodySweep::Place> places_;  // by position
};

}  // namespace tenpin::methods::time_stepping
