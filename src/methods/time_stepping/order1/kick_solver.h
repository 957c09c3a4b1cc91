// The impulses of a step of first order, for one choice of contacts.
#pragma once

#include <vector>

#include "contact/energy_law.h"
#include "methods/time_stepping/contact_solver.h"
#include "methods/time_stepping/core/law_check.h"
#include "methods/time_stepping/order1/law.h"

namespace tenpin::methods::time_stepping::order1 {

// Computes the impulses. Reuses its buffers between calls.
class KickSolver {
 public:
  explicit KickSolver(const StepSetup& setup)
      : solver_(*setup.model, setup.cone, setup.options, *setup.workers) {}

  // Solves *problem, which fill_problem() has filled, and writes *kick. Impacts follow the
  // restitution law of the options unless that would gain energy. Returns false if there is no
  // solution.
  [[nodiscard]] bool solve(const StepSetup& setup, const Linearized& step, ContactProblem* problem,
                           Kick* kick, StepReport* report);

  // The islands of the last solve.
  const contact::Islands& islands() const { return solver_.islands(); }

 private:
  [[nodiscard]] bool solve_phases(const StepSetup& setup, const Linearized& step,
                                  ContactProblem* problem, Kick* kick, StepReport* report);
  [[nodiscard]] bool solve_once(const StepSetup& setup, ContactProblem* problem, Kick* kick,
                                StepReport* report);
  void solve_loads(const StepSetup& setup, ContactProblem* problem, StepReport* report);
  [[nodiscard]] bool take_loads(const StepSetup& setup, ContactProblem* problem) const;
  [[nodiscard]] bool relax(const StepSetup& setup, ContactProblem* problem) const;
  [[nodiscard]] bool apply_restitution(const StepSetup& setup, const Linearized& step,
                                       const Kick& kick, ContactProblem* problem) const;
  [[nodiscard]] int make_gains_plastic(const StepSetup& setup, const Linearized& step,
                                       const Kick& kick, ContactProblem* problem);

  ContactSolver solver_;
  ContactAnswer answer_;                             // answer of the last phase
  std::vector<contact::ContactVector> compression_;  // N s   scratch: impulses of the first phase
  std::vector<contact::WorkSample> works_;           // scratch
};

// Clears the results of *kick for the contacts of a problem.
void clear_kick(const StepSetup& setup, int num_contacts, Kick* kick);

// Checks the law for an answer, adds its impulses to those of *kick, and keeps the worst check. The
// scale of each island is that of its own velocities, so fast islands do not hide errors of slow
// ones.
void add_answer(const StepSetup& setup, const ContactProblem& problem,
                const contact::Islands& islands, const ContactAnswer& answer, Kick* kick);

// The work of one contact's impulse. Positions are known only up to rounding, and overlaps of that
// size are undone in the step, so `slack` (m/s) grows by the corresponding velocity.
[[nodiscard]] contact::WorkSample make_work_sample(const StepStart& start,
                                                   const Prediction& prediction,
                                                   const contact::Contact& c,
                                                   const KickedContact& kicked, double slack);

}  // namespace tenpin::methods::time_stepping::order1
