// Solves a problem, and checks the contact law using impulses and velocities alone.
#pragma once

#include <string>

#include "contact/certify.h"
#include "methods/method.h"
#include "methods/time_stepping/contact_solver.h"
#include "methods/time_stepping/core/contact_problem.h"
#include "methods/time_stepping/core/step_setup.h"

namespace tenpin::methods::time_stepping {

// The sample by which the law of one contact is judged. `velocity` is that of the answer, and
// `speed` is the scale of the velocities around the contact.
[[nodiscard]] contact::LawSample make_law_sample(const ContactProblem& problem, int i,
                                                 const ContactAnswer& answer, double speed);

// The larger of both values, for each number.
[[nodiscard]] contact::LawCheck find_worse(const contact::LawCheck& a, const contact::LawCheck& b);

// Adds the solver's effort to the report.
void add_effort(const ContactAnswer& answer, StepReport* report);

// Solves the islands that `solver` left unsolved again, by proximal steps, and notes it in the
// report.
void mend(const ContactProblem& problem, ContactSolver* solver, ContactAnswer* answer,
          StepReport* report);

// Enters the solver's residual in the report, or the reason why there is no solution. Returns true
// if there is one.
[[nodiscard]] bool report_answer(const dynamics::Model& model, const ContactProblem& problem,
                                 const ContactAnswer& answer, StepReport* report);

}  // namespace tenpin::methods::time_stepping
