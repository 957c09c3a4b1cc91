#include "methods/time_stepping/core/law_check.h"

#include <algorithm>

namespace tenpin::methods::time_stepping {

using complementarity::SolveStatus;
using contact::LawCheck;

contact::LawSample make_law_sample(const ContactProblem& problem, int i,
                                   const ContactAnswer& answer, double speed) {
  // What loads friction against rolling is the answer at the contact itself, whatever the solver
  // was given.
  const contact::Contact& c = problem.contacts[i];
  contact::ContactVector impulse = answer.impulses[i];
  double given = problem.given[i];
  if (c.kind == contact::ContactKind::kRollingFriction) {
    given = impulse[contact::kNormalRow] = answer.impulses[c.load][contact::kNormalRow];
  }
  return {.impulse = impulse,
          .given = given,
          .velocity = problem.J.velocity(i, answer.v),
          .required = problem.required[i],
          .mu = problem.mu[i],
          .mobility = problem.calc_mobility(i),
          .speed = speed};
}

LawCheck find_worse(const LawCheck& a, const LawCheck& b) {
  return {.residual = std::max(a.residual, b.residual),
          .cone_violation = std::max(a.cone_violation, b.cone_violation),
          .dissipation_gap = std::max(a.dissipation_gap, b.dissipation_gap)};
}

void add_effort(const ContactAnswer& answer, StepReport* report) {
  report->pivots += answer.pivots;
  report->solves += answer.solves;
  report->swept += answer.swept;
  report->problem_size = std::max(report->problem_size, answer.largest);
}

void mend(const ContactProblem& problem, ContactSolver* solver, ContactAnswer* answer,
          StepReport* report) {
  const SolveStatus first = answer->status;
  solver->mend(problem, answer);
  if (answer->mended == 0) return;
  report->retries += answer->mended;
  report->message =
      "solved again with a proximal term, because the solver said " + std::string(to_string(first));
}

bool report_answer(const dynamics::Model& model, const ContactProblem& problem,
                   const ContactAnswer& answer, StepReport* report) {
  report->solver = answer.status;
  if (answer.status == SolveStatus::kSolved) {
    report->certificate.residual = std::max(report->certificate.residual, answer.residual);
    return true;
  }
  report->status = AdvanceStatus::kSolverFailed;
  const contact::Contact& c = problem.contacts[answer.failed_contact];
  report->message = "no solution for the contacts around " + model.bodies[c.body_a].name + " and " +
                    model.bodies[c.body_b].name + ", solver says " +
                    std::string(to_string(answer.status));
  return false;
}

}  // namespace tenpin::methods::time_stepping
