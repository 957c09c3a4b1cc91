// Solves the problem of a substep or an impact, and certifies the solution.
#pragma once

#include <vector>

#include "methods/time_stepping/contact_solver.h"
#include "methods/time_stepping/core/journal.h"
#include "methods/time_stepping/order2/substep.h"

namespace tenpin::methods::time_stepping::order2 {

// Reuses its buffers between calls.
class LawSolver {
 public:
  explicit LawSolver(const StepSetup& setup)
      : setup_(&setup), solver_(*setup.model, setup.cone, setup.options, *setup.workers) {}

  // Writes answer, impulses and law checks of *substep, whose problem is filled. Returns false if
  // there is no solution. In a support check, guesses that satisfy the law are the solution, so
  // that supports do not change when they are computed again.
  [[nodiscard]] bool solve(const StepProgress& step, Substep* substep, StepReport* report);

  // Marks the contacts whose impulses are unique.
  void mark_unique(Substep* substep);
  // Enters in the report whether theory guarantees a solution.
  void test_existence(const Substep& substep, StepReport* report);

  // The islands of the last problem that its guess did not solve.
  const contact::Islands& islands() const { return solver_.islands(); }

 private:
  [[nodiscard]] bool holds_by_guess(const StepProgress& step, Substep* substep);
  void solve_problem(Substep* substep, StepReport* report);

  const StepSetup* setup_;
  ContactSolver solver_;
  SubstepLawCheck law_check_;
  Verdicts verdicts_;
  std::vector<contact::ForceState> forces_;  // scratch, by contact
  std::vector<char> is_least_;               // scratch, by contact
};

}  // namespace tenpin::methods::time_stepping::order2
