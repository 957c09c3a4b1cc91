// One complementarity problem, solved and certified.
#include <algorithm>
#include <cmath>
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
  if (answer_.status != SolveStatus::kSolved) {
    const SolveStatus first = answer_.status;
    solver_.mend(problem_, &answer_);
    if (answer_.mended > 0) {
      report->retries += answer_.mended;
      report->message = "solved again with a proximal term, because the solver said " +
                        std::string(to_string(first));
    }
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

// m/s   Of the fastest point of a contact's bodies, now or when the step began, and of one step's
// fall.
double SecondOrderStepper::calc_speed(const Contact& c) const {
  double speed = std::max(calc_least_speed(h_), model_->gravity.norm() * h_);
  for (const int body : {c.body_a, c.body_b}) {
    speed = std::max({speed, start_speeds_[body], calc_body_speed(body, at_begin_.V)});
  }
  return speed;
}

// Residuals of a contact are measured by the velocities of the bodies that contacts connect with
// it, not by a fast body elsewhere, and by those velocities that impulses make one by one: they
// cancel in the law, and their rounding does not.
void SecondOrderStepper::measure_law_speeds() {
  constexpr double kMaxCancellation = 1e5;
  law_groups_.reset(driven_node_ + 1);
  for (const Contact& c : problem_.contacts) {
    const int a = model_->bodies[c.body_a].mechanism;
    const int b = model_->bodies[c.body_b].mechanism;
    if (a >= 0 && b >= 0) law_groups_.join(a, b);
  }
  std::vector<double>& moved = law_moved_;
  std::vector<double>& pushed = law_pushed_;
  moved.assign(is_moving_.size(), 0.0);
  pushed.assign(is_moving_.size(), 0.0);
  for (int i = 0; i < problem_.size(); ++i) {
    const int root = law_groups_.root(node_of(problem_.contacts[i]));
    const double mobility = problem_.J.own_delassus(i).topLeftCorner<3, 3>().trace() / 3.0;
    moved[root] = std::max({moved[root], calc_speed(problem_.contacts[i]), u0_[i].head<3>().norm(),
                            problem_.J.velocity(i, problem_.v).head<3>().norm()});
    pushed[root] = std::max(pushed[root], mobility * impulses_[i].head<3>().norm());
  }
  law_speeds_.resize(problem_.contacts.size());
  for (int i = 0; i < problem_.size(); ++i) {
    const int root = law_groups_.root(node_of(problem_.contacts[i]));
    law_speeds_[i] = std::min(std::max(moved[root], pushed[root]), kMaxCancellation * moved[root]);
  }
}

// m/s   Friction opposes a slip between those that the contact really has at the start and at the
// end: the velocity that it gives in other directions, if it points by more than kAim beside them.
double SecondOrderStepper::calc_astray(int i) const {
  constexpr double kAim =
      0.01;  // rad   chosen: far more than two solves leave, far less than a turn
  if (turn_[i].isZero(0.0)) return 0.0;
  const auto angle = [](const Vec2& a, const Vec2& b) {
    return std::atan2(std::fabs(a.x() * b.y() - a.y() * b.x()), a.dot(b));
  };
  const Vec2 before = u0_[i].segment<2>(1);
  const Vec2 opposed = problem_.J.velocity(i, answer_.v).segment<2>(1);
  const Vec2 after = opposed + turn_[i];
  const double beside =
      angle(opposed, before) + angle(opposed, after) - angle(before, after) - kAim;
  const double mobility = problem_.J.own_delassus(i).topLeftCorner<3, 3>().trace() / 3.0;
  return std::max(beside, 0.0) * mobility * impulses_[i].segment<2>(1).norm();
}

// The law itself, on impulses and velocities alone.
void SecondOrderStepper::check_law() {
  measure_law_speeds();
  checks_.resize(problem_.contacts.size());
  for (int i = 0; i < problem_.size(); ++i) {
    const contact::ContactBlock& W = problem_.J.own_delassus(i);
    checks_[i] = certify_law(problem_.contacts[i], cone_,
                             {.impulse = impulses_[i],
                              .given = problem_.given[i],
                              .velocity = problem_.J.velocity(i, answer_.v),
                              .required = problem_.required[i],
                              .mu = problem_.mu[i],
                              .mobility = W.topLeftCorner<3, 3>().trace() / 3.0,
                              .speed = law_speeds_[i]});
    checks_[i].residual = std::max(checks_[i].residual, calc_astray(i) / law_speeds_[i]);
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
