#include "methods/time_stepping/order2/law_solver.h"

#include <algorithm>

#include "methods/time_stepping/core/law_check.h"
#include "methods/time_stepping/open_impulses.h"
#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping::order2 {

using complementarity::SolveStatus;

bool LawSolver::holds_by_guess(const StepProgress& step, Substep* substep) {
  const ContactProblem& problem = substep->problem;
  ContactAnswer& answer = substep->answer;
  answer.impulses.resize(problem.contacts.size());
  answer.v = problem.v;
  for (int i = 0; i < problem.size(); ++i) {
    answer.impulses[i] << problem.guess[i], 0.0;
    substep->contacts[i].impulse = answer.impulses[i];
    problem.J.add_velocity_change(i, answer.impulses[i], answer.v);
  }
  law_check_.check(*setup_, step, substep);
  return std::all_of(substep->contacts.begin(), substep->contacts.end(), [this](const auto& c) {
    return c.check.residual <= setup_->tolerance();
  });
}

void LawSolver::solve_problem(Substep* substep, StepReport* report) {
  ContactProblem& problem = substep->problem;
  ContactAnswer& answer = substep->answer;
  solver_.solve(problem, &answer);
  add_effort(answer, report);
  // a guess may have misled the solver
  if (answer.status != SolveStatus::kSolved && setup_->by_cone) {
    std::fill(problem.guess.begin(), problem.guess.end(), Vec3(Vec3::Zero()));
    solver_.solve(problem, &answer);
    add_effort(answer, report);
  }
  if (answer.status != SolveStatus::kSolved) mend(problem, &solver_, &answer, report);
}

bool LawSolver::solve(const StepProgress& step, Substep* substep, StepReport* report) {
  if (step.is_support_check && holds_by_guess(step, substep)) return true;
  const ContactAnswer& answer = substep->answer;
  solve_problem(substep, report);
  if (!report_answer(*setup_->model, substep->problem, answer, report)) return false;
  report->certificate.forces_least = report->certificate.forces_least && answer.is_least;
  for (int i = 0; i < substep->problem.size(); ++i) {
    substep->contacts[i].impulse = answer.impulses[i];
  }
  law_check_.check(*setup_, step, substep);
  return true;
}

void LawSolver::mark_unique(Substep* substep) {
  const ContactProblem& problem = substep->problem;
  forces_.resize(problem.contacts.size());
  setup_->workers->split(problem.size(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      forces_[i] = make_force_state(*setup_, problem, i, substep->contacts[i].impulse,
                                    problem.J.velocity(i, substep->answer.v),
                                    std::max(substep->contacts[i].speed, kLeastSpeed));
    }
  });
  const std::span<const char> is_unique = verdicts_.find_unique(*setup_, problem, forces_);
  mark_least(problem, setup_->cone, forces_, is_unique, &is_least_);
  for (int i = 0; i < problem.size(); ++i) {
    substep->contacts[i].is_unique = is_unique[i] != 0;
    substep->contacts[i].is_least = is_least_[i] != 0;
  }
}

void LawSolver::test_existence(const Substep& substep, StepReport* report) {
  const contact::Existence e =
      verdicts_.test_existence(*setup_, substep.problem, solver_.islands());
  report->existence.normals_independent &= e.normals_independent;
  report->existence.spans_disjoint &= e.spans_disjoint;
}

}  // namespace tenpin::methods::time_stepping::order2
