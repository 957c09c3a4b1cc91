// A smooth substep of second order: half a drift, one kick at the midpoint, half a drift.
//
//   v-, v+   velocity at the midpoint, before and after the kick
//   q~, v~   where the drift alone would end
//
// The kick gives v+ = v- + M^-1 (h k + Jm'p), all at the midpoint. The law must hold at the end,
// where the contact velocity is J1 v1 + b1. To sufficient order that is Jm v+ + offset with offset
// = J1 v~ + b1 - Jm v-: a shift of the right side, so W = Jm M^-1 Jm' stays symmetric.
#pragma once

#include <span>
#include <vector>

#include "methods/time_stepping/order2/impact.h"
#include "methods/time_stepping/order2/law_solver.h"
#include "methods/time_stepping/order2/motion.h"
#include "methods/time_stepping/order2/tracker.h"

namespace tenpin::methods::time_stepping::order2 {

// Reuses its buffers between calls.
class SubstepSolver {
 public:
  SubstepSolver(const StepSetup& setup, ContactTracker* tracker, LawSolver* solver,
                SubstepMotion* motion);

  // Call this when a step begins. `previous` holds the impulses of the previous step.
  void restart(const ActiveSet& previous);

  // Advances the nodes to the end of their substeps with one solve, after impacts of active
  // contacts that close too fast for a smooth substep. Returns false if there is no solution.
  [[nodiscard]] bool solve(const NodeSet& nodes, StepProgress* step, StepReport* report);

  // Solves the same substep again, and uses the end of the last solve as the predicted end: in the
  // law's offset, in the turn of the slip and in the Jacobian of the midpoint. `current` are the
  // contacts at that end.
  [[nodiscard]] bool refine(const NodeSet& nodes, std::span<const contact::Contact> current,
                            StepProgress* step, StepReport* report);

  // Solves the collision of every marked group at the start of its substep.
  [[nodiscard]] bool collide(const NodeSet& nodes, const NodeGroups& groups, StepProgress* step,
                             StepReport* report);

  // m/s   The scale of the velocities in the last solve.
  double speed() const { return substep_.speed; }

 private:
  // The predicted end, and the velocities at the midpoint that lead to it.
  struct Ahead {
    const Instant& end;
    const VecX& v_mid;
    std::span<const contact::Contact> current;
  };
  void collect(const NodeSet& nodes, const Ahead& ahead, const StepProgress& step);
  void collect_contacts(const NodeSet& nodes, const Ahead& ahead, const StepProgress& step);
  [[nodiscard]] bool find_approaching(StepProgress* step);
  void turn_slips(const StepProgress& step, const VecX& v_plus);
  [[nodiscard]] bool solve_once(StepProgress* step, StepReport* report);

  const StepSetup* setup_;
  ContactTracker* tracker_;
  LawSolver* solver_;
  SubstepMotion* motion_;
  ImpactSolver impacts_;
  Substep substep_;
  const ActiveSet* previous_ = nullptr;  // impulses of the previous step
  ActiveSet last_;                       // impulses of the last solve in this step, over the step
  NodeGroups groups_;                    // scratch
  std::vector<int> num_impacts_;         // scratch, by root
};

// m/s   Where slip turns, friction along its direction at the end would lag by half the turn. So
// the law uses the slip turned back to the bisector of start and end, which again is a shift of the
// right side. Returns this difference, or zero where the law uses the slip at the end. `change`
// (m/s) is the change of the normal velocity within the substep.
[[nodiscard]] Vec2 calc_turn(const StepSetup& setup, const StepProgress& step,
                             const contact::Contact& contact, const Vec2& before, const Vec2& after,
                             double change);

}  // namespace tenpin::methods::time_stepping::order2
