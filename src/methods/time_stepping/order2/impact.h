// Impacts of a step of second order: collisions of groups at the start of their substeps.
#pragma once

#include <vector>

#include "methods/time_stepping/order2/booking.h"
#include "methods/time_stepping/order2/law_solver.h"
#include "methods/time_stepping/order2/motion.h"
#include "methods/time_stepping/order2/tracker.h"

namespace tenpin::methods::time_stepping::order2 {

// Adds the compression of Poisson's law to its restitution: impulses add up, and the worse residual
// of the two phases counts.
void add_compression(const contact::ContactVector& impulse, const contact::LawCheck& check,
                     SubstepContact* restitution);

// Keeps its buffers.
class ImpactSolver {
 public:
  ImpactSolver(const StepSetup& setup, LawSolver* solver, SubstepMotion* motion)
      : setup_(&setup), solver_(solver), motion_(motion) {}

  // Call this when a step begins.
  void restart() { last_.clear(); }

  // Solves the collision of every marked group at the start of its substep: all active contacts of
  // the group take part, and no time passes. Changes the velocities of the nodes. `body_speed`
  // (m/s) is the scale of velocities. Returns false if there is no solution.
  [[nodiscard]] bool collide(const NodeSet& nodes, const NodeGroups& groups, double body_speed,
                             StepProgress* step, StepReport* report);

 private:
  void fill(const NodeSet& nodes, const NodeGroups& groups, double body_speed,
            const StepProgress& step);
  void set_rebounds();
  [[nodiscard]] double calc_rebound(int i) const;
  [[nodiscard]] bool apply_poisson(const StepProgress& step, StepReport* report);
  void forget_rounding(int i);
  [[nodiscard]] bool guard_energy(const NodeGroups& groups, const StepProgress& step,
                                  StepReport* report);
  [[nodiscard]] int find_gains(const NodeGroups& groups, const StepProgress& step);

  const StepSetup* setup_;
  LawSolver* solver_;
  SubstepMotion* motion_;
  Substep impact_;
  ActiveSet last_;                                   // impulses of the last impact of this step
  std::vector<double> gain_;                         // J   scratch, by root
  std::vector<contact::ContactVector> compression_;  // N s   scratch: first phase of Poisson's law
  std::vector<contact::LawCheck> compression_checks_;
};

}  // namespace tenpin::methods::time_stepping::order2
