// The motion of mechanisms between kicks, and the smooth forces on them.
#pragma once

#include <vector>

#include "dynamics/flight.h"
#include "dynamics/mass_matrix.h"
#include "methods/time_stepping/order2/substep.h"

namespace tenpin::methods::time_stepping::order2 {

// Reuses its buffers between calls.
class SubstepMotion {
 public:
  explicit SubstepMotion(const StepSetup& setup);

  // Computes the first half drifts, to the midpoint and on to the predicted end. Loose bodies drift
  // freely; their forces are part of the kick. Trees move under all their smooth forces, whose flow
  // is integrated to rounding, so that their kick consists of contact impulses alone. Trees without
  // active contacts have no kick and fly through.
  void predict(const NodeSet& nodes, StepProgress* step);

  // Computes the second half drifts, from the midpoint with the velocities after the kick to the
  // end.
  void drift_on(const NodeSet& nodes, const VecX& v_kicked, StepProgress* step);

  // Writes the velocities after the forces of the substep to *v. Forces that depend on velocity use
  // the mean velocity of the kick as far as it is known: without contacts in the first solve, then
  // with the last kick.
  void apply_forces(const NodeSet& nodes, const StepProgress& step, bool is_first, VecX* v);

  // Updates the mass matrices of the nodes at the start of their substeps.
  void update_masses_at_begin(const NodeSet& nodes, const StepProgress& step);

  // Computes poses and velocities of the nodes' bodies from q and v, at the given fraction of their
  // substeps.
  void place(const Schedule& schedule, const NodeSet& nodes, double part, Instant* instant) const;

  // Sets the work on the nodes during a substep that was solved.
  void update_works(const NodeSet& nodes, StepProgress* step);
  // Sets the work on the nodes during a solved substep.
  [[nodiscard]] double calc_kinetic(int mechanism, double t, const std::vector<Pose>& X_WB,
                                    const VecX& v);
  // J   Work of prescribed motion while the velocities of a mechanism attached to it change
  // instantly at the given time.
  [[nodiscard]] double calc_prescribed_work(int mechanism, double t, const std::vector<Pose>& X_WB,
                                            const VecX& before, const VecX& after);
  // J   Kinetic, potential and spring energy of a node at the end.
  [[nodiscard]] double calc_energy_at_end(const StepProgress& step, int node);
  // m/s   What prescribed motion adds to a contact's velocity at an instant.
  [[nodiscard]] contact::ContactVector calc_drive(const Schedule& schedule,
                                                  const contact::Contact& contact,
                                                  const Instant& instant, double part);

  const dynamics::MassMatrix& masses() const { return M_; }
  const VecX& kick() const { return kick_; }

 private:
  [[nodiscard]] Works calc_works(const StepProgress& step, int mechanism);
  bool drift_half(const Schedule& schedule, int m, const dynamics::Flight::Start& start,
                  Instant* to, dynamics::Flight::Work* work);
  bool fly(int m, const dynamics::Flight::Start& start, double h, Instant* to,
           dynamics::Flight::Work* work);
  void mark_flying(const NodeSet& nodes, StepProgress* step) const;
  void apply_to_body(const StepProgress& step, int m);

  const StepSetup* setup_;
  dynamics::Flight flight_;
  dynamics::MassMatrix M_;   // at the last midpoint or impact of each mechanism
  bool has_masses_ = false;  // M_ has been filled
  VecX gravity_, applied_;   // N s   over the substep, on loose bodies
  VecX kick_;                // m/s, rad/s   change of velocity due to these impulses
  VecX impulse_, scratch_;
  std::vector<dynamics::Twist> V_scratch_, V_before_, V_drive_;
};

}  // namespace tenpin::methods::time_stepping::order2
