// One complementarity problem, solved and certified.
#include <algorithm>
#include <limits>
#include <string>

#include "methods/time_stepping/second_order.h"

namespace tenpin::methods::time_stepping {

using complementarity::SolveStatus;
using contact::Contact;

void SecondOrderStepper::resize_problem() {
  const std::size_t n = problem_.contacts.size();
  problem_.required.resize(n);
  problem_.mu.resize(n);
  problem_.given.resize(n);
  problem_.guess.resize(n);
  problem_.memory.resize(n, Vec3::Zero());
  problem_.softness.resize(n);
  u0_.resize(n);
  u1_.resize(n);
  offset_.resize(n);
  turn_.resize(n);
  fall_.resize(n);
}

bool SecondOrderStepper::solve(StepReport* report) {
  if (is_bedding_ && holds_by_guess()) return true;
  solver_.solve(problem_, &answer_);
  report->pivots += answer_.pivots;
  report->solves += answer_.solves;
  if (answer_.status != SolveStatus::kSolved && by_cone_) {  // a guess may lead astray
    std::fill(problem_.guess.begin(), problem_.guess.end(), Vec3(Vec3::Zero()));
    solver_.solve(problem_, &answer_);
    report->pivots += answer_.pivots;
    report->solves += answer_.solves;
  }
  report->problem_size = std::max(report->problem_size, answer_.largest);
  report->solver = answer_.status;
  if (answer_.status == SolveStatus::kSolved) {
    report->certificate.residual = std::max(report->certificate.residual, answer_.residual);
    report->certificate.forces_least = report->certificate.forces_least && answer_.is_least;
    impulses_ = answer_.impulses;
    check_law();
    return true;
  }
  report->status = AdvanceStatus::kSolverFailed;
  const Contact& c = problem_.contacts[answer_.failed_contact];
  report->message = "no solution for the contacts around " + model_->bodies[c.body_a].name +
                    " and " + model_->bodies[c.body_b].name + ", solver says " +
                    std::string(to_string(answer_.status));
  return false;
}

// The law itself, on impulses and velocities alone. Residuals are measured by the velocities of the
// step and by those that its impulses make one by one: they cancel in the law, and their rounding
// does not.
void SecondOrderStepper::check_law() {
  constexpr double kMaxCancellation = 1e5;
  const auto mobility = [this](int i) {
    const contact::ContactBlock& W = problem_.J.own_delassus(i);
    return W.topLeftCorner<3, 3>().trace() / 3.0;
  };
  double speed = speed_;
  for (int i = 0; i < problem_.size(); ++i) {
    speed = std::max(speed, mobility(i) * impulses_[i].head<3>().norm());
  }
  speed = std::min(speed, kMaxCancellation * speed_);
  checks_.resize(problem_.contacts.size());
  for (int i = 0; i < problem_.size(); ++i) {
    checks_[i] = certify_law(problem_.contacts[i], cone_,
                             {.impulse = impulses_[i],
                              .given = problem_.given[i],
                              .velocity = problem_.J.velocity(i, answer_.v),
                              .required = problem_.required[i],
                              .mu = problem_.mu[i],
                              .mobility = mobility(i),
                              .speed = speed});
  }
}

// The conditions are those under which Lemke's algorithm must succeed.
void SecondOrderStepper::test_existence(StepReport* report) {
  constexpr int kMostForCone = 24;  // velocities: what more bodies would cost is not worth it
  const int most = by_cone_ ? kMostForCone : std::numeric_limits<int>::max();
  const contact::Existence e =
      existence_.test_all(*model_, M_, problem_.J, problem_.contacts, solver_.islands(), most);
  report->existence.normals_independent &= e.normals_independent;
  report->existence.spans_disjoint &= e.spans_disjoint;
}

}  // namespace tenpin::methods::time_stepping
