#include "methods/time_stepping/order2/substep.h"

#include <algorithm>
#include <cmath>

#include "methods/time_stepping/core/law_check.h"
#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping::order2 {

using contact::Contact;

namespace {

// m/s   Friction must oppose a slip between the contact's true slips at the start and at the end.
// If its direction lies more than kAim outside of that range, returns the velocity that it causes
// in other directions.
double calc_misdirected_speed(const ContactProblem& problem, const ContactAnswer& answer,
                              const SubstepContact& c, int i) {
  if (c.turn.isZero(0.0)) return 0.0;
  const auto angle = [](const Vec2& a, const Vec2& b) {
    return std::atan2(std::fabs(a.x() * b.y() - a.y() * b.x()), a.dot(b));
  };
  const Vec2 before = c.before.segment<2>(1);
  const Vec2 opposed = problem.J.velocity(i, answer.v).segment<2>(1);
  const Vec2 after = opposed + c.turn;
  const double beside =
      angle(opposed, before) + angle(opposed, after) - angle(before, after) - kMidpointAim;
  return std::max(beside, 0.0) * problem.calc_mobility(i) * c.impulse.segment<2>(1).norm();
}

}  // namespace

double ActiveContacts::calc_required(const contact::ContactKey& key) const {
  const auto place = std::lower_bound(near.begin(), near.end(), NearContact{.key = key});
  return place != near.end() && place->key == key ? place->required : 0.0;
}

double calc_speed(const StepSetup& setup, const StepProgress& step, const Contact& c) {
  const double h = step.schedule.h;
  double speed = std::max(calc_least_speed(h), setup.gravity() * h);
  for (const int body : {c.body_a, c.body_b}) {
    speed = std::max(
        {speed, step.start.speeds[body], setup.calc_speed(body, step.path.begin.motion.V[body])});
  }
  return speed;
}

void SubstepLawCheck::update_speeds(const StepSetup& setup, const StepProgress& step,
                                    Substep* substep) {
  const ContactProblem& problem = substep->problem;
  const dynamics::Model& model = *setup.model;
  groups_.reset(step.schedule.size());
  for (const Contact& c : problem.contacts) {
    const int a = model.bodies[c.body_a].mechanism;
    const int b = model.bodies[c.body_b].mechanism;
    if (a >= 0 && b >= 0) groups_.join(a, b);
  }
  setup.workers->split(problem.size(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      SubstepContact& c = substep->contacts[i];
      c.speed = std::max({calc_speed(setup, step, problem.contacts[i]), c.before.head<3>().norm(),
                          problem.J.velocity(i, problem.v).head<3>().norm()});
    }
  });
  moved_.assign(step.schedule.nodes.size(), 0.0);
  pushed_.assign(step.schedule.nodes.size(), 0.0);
  for (int i = 0; i < problem.size(); ++i) {
    const SubstepContact& c = substep->contacts[i];
    const int root = groups_.root(node_of(model, problem.contacts[i]));
    moved_[root] = std::max(moved_[root], c.speed);
    pushed_[root] = std::max(pushed_[root], problem.calc_mobility(i) * c.impulse.head<3>().norm());
  }
  for (int i = 0; i < problem.size(); ++i) {
    const int root = groups_.root(node_of(model, problem.contacts[i]));
    substep->contacts[i].speed =
        std::min(std::max(moved_[root], pushed_[root]), kMaxCancellation * moved_[root]);
  }
}

void SubstepLawCheck::check(const StepSetup& setup, const StepProgress& step, Substep* substep) {
  const ContactProblem& problem = substep->problem;
  update_speeds(setup, step, substep);
  setup.workers->split(problem.size(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      SubstepContact& c = substep->contacts[i];
      c.check = certify_law(problem.contacts[i], setup.cone,
                            make_law_sample(problem, i, substep->answer, c.speed));
      c.check.residual = std::max(c.check.residual,
                                  calc_misdirected_speed(problem, substep->answer, c, i) / c.speed);
    }
  });
}

}  // namespace tenpin::methods::time_stepping::order2
