#include "dynamics/breaks.h"

#include <algorithm>
#include <cmath>

namespace tenpin::dynamics {

namespace {

// A break is a jump if fewer derivatives are continuous, counting the value itself: a force jumps
// where its curve does; a velocity also jumps where the slope of a position does.
constexpr int kForSteps = 1;
constexpr int kForSlopes = 2;

void add_curve(const TimeCurve& curve, int needed_smoothness, std::vector<Break>* breaks) {
  for (const double t : curve.times()) {
    breaks->push_back({.t = t, .is_jump = curve.smoothness() < needed_smoothness});
  }
}

void add_ends(double begin, double end, std::vector<Break>* breaks) {
  for (const double t : {begin, end}) {
    if (std::isfinite(t)) breaks->push_back({.t = t, .is_jump = true});
  }
}

void add_body(const Body& body, std::vector<Break>* breaks) {
  for (const TimedForce& force : body.applied.timed) {
    add_curve(force.force, kForSteps, breaks);
    add_curve(force.torque, kForSteps, breaks);
    add_ends(force.begin, force.end, breaks);
  }
  const Motor& motor = body.joint.forces.motor;
  const bool uses_slope = motor.kind == Motor::Kind::kPosition && motor.damping > 0.0;
  add_curve(motor.curve, uses_slope ? kForSlopes : kForSteps, breaks);
  add_ends(motor.begin, motor.end, breaks);
  add_curve(body.motion.displacement, kForSlopes, breaks);
  add_curve(body.motion.angle, kForSlopes, breaks);
}

}  // namespace

std::vector<Break> find_breaks(const Model& model) {
  std::vector<Break> breaks;
  for (const Body& body : model.bodies) add_body(body, &breaks);
  std::sort(breaks.begin(), breaks.end(), [](const Break& a, const Break& b) {
    return a.t != b.t ? a.t < b.t : a.is_jump > b.is_jump;
  });
  const auto last = std::unique(breaks.begin(), breaks.end(), [](const Break& a, const Break& b) {
    return a.t == b.t;
  });
  breaks.erase(last, breaks.end());
  return breaks;
}

}  // namespace tenpin::dynamics
