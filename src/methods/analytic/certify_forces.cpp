// Checks the law of contact at one instant from forces and accelerations alone.
#include <algorithm>
#include <cmath>

#include "methods/analytic/forces.h"

namespace tenpin::methods::analytic {

bool slips(const Motion& motion, int touch, const ForceScale& scale) {
  return motion.velocity(touch).tail<2>().norm() > scale.slip;
}

Vec2 calc_rubbing(const Motion& motion, const Touch& touch, int index) {
  const Vec3 friction = -touch.mu * motion.slip_direction(index);
  return {friction.dot(touch.contact.t1), friction.dot(touch.contact.t2)};
}

namespace {

// Dry friction must stay within its bound, and reach the bound against slip or incipient slip. The
// bound is the unit of force here, because a joint at a dead point has no mobility of its own.
ForceCheck certify_dry_joint(const Motion& motion, const Touch& touch, const ForceScale& scale,
                             int i, Moment moment) {
  const double f = motion.forces()[i][contact::kT1Row] / touch.dry;
  const double a = motion.acceleration(i)[contact::kT1Row] / scale.acceleration;
  const double rate = motion.velocity(i)[contact::kT1Row];
  double asked = std::clamp(f - a, -1.0, 1.0);
  if (slips(motion, i, scale)) asked = rate > 0.0 ? -1.0 : 1.0;
  if (moment == Moment::kEnd && touch.grip == Grip::kSlide) asked = -touch.slip_dir.x();
  return {.residual = std::fabs(f - asked),
          .cone_violation = touch.dry * std::max(0.0, std::fabs(f) - 1.0)};
}

}  // namespace

ForceCheck certify_forces(const Motion& motion, const std::vector<Touch>& touches,
                          const ForceScale& scale, int i, Moment moment) {
  const Touch& touch = touches[i];
  if (is_dry_joint(touch)) return certify_dry_joint(motion, touch, scale, i, moment);
  const Vec3& f = motion.forces()[i];
  const Vec3 a = motion.acceleration(i);
  const double mobility = calc_mobility(motion, i);
  const double force = scale.acceleration / mobility;
  ForceCheck check;
  if (touch.grip == Grip::kGiven) {
    check.residual = std::max({0.0, -f[0] * mobility, -a[0]}) / scale.acceleration;
    return check;
  }
  check.residual = std::fabs(std::min(f[0] * mobility, a[0])) / scale.acceleration;
  if (touch.mu == 0.0) return check;
  check.cone_violation = std::max(0.0, f.tail<2>().norm() - touch.mu * f[0]);
  double law = 0.0;
  if (slips(motion, i, scale) || (moment == Moment::kEnd && touch.grip == Grip::kSlide)) {
    // Friction acts against the slip, or against the slip just before this instant.
    law = (f.tail<2>() - f[0] * calc_rubbing(motion, touch, i)).norm() / force;
  } else {
    // Friction acts against incipient slip: it is the projection onto the cone of the friction
    // after a push against the acceleration, which dissipates the most.
    const Vec2 pushed = f.tail<2>() - a.tail<2>() / mobility;
    const double most = touch.mu * std::max(f[0], 0.0);
    const double length = pushed.norm();
    const Vec2 asked = length > most ? Vec2(pushed * (most / length)) : pushed;
    law = (f.tail<2>() - asked).norm() / force;
  }
  check.residual = std::max({check.residual, check.cone_violation / force, law});
  return check;
}

double calc_worst(const ForceScale& scale, const Motion& motion, const std::vector<Touch>& touches,
                  std::span<const int> which) {
  double worst = 0.0;
  for (const int i : which) {
    worst = std::max(worst, certify_forces(motion, touches, scale, i, Moment::kStart).residual);
  }
  return worst;
}

}  // namespace tenpin::methods::analytic
