// Certifies slow contacts, to which no impact law applies that could be checked. From velocities
// before and after and the impulses alone, with code that no rule shares.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/impulse/impact_rule.h"

namespace tenpin::methods::impulse {

// One point, or all points of a face that collide at once.
//   every kind    no impulse pulls, and none leaves its friction cone
//   micro         the velocity of every point is reversed: neither part of the impulse does work
//   sliding       all impulses together do no positive work
//   lift          no point leaves faster than the separation needs, and all impulses together do no
//                 more work than at that speed and at the slip that throws the bodies against their
//                 fall. The ledger shows it as position correction.
class SlowCertificate {
 public:
  // Velocities in m/s and impulse in N s, z along the normal.
  void add(const Vec3& before, const Vec3& after, const Vec3& impulse, double mu) {
    speed_ = std::max({speed_, before.norm(), after.norm()});
    impulse_ += impulse.norm();
    work_ += 0.5 * impulse.dot(before + after);
    leaving_ = std::max(leaving_, after.z());
    not_reversed_ = std::max(not_reversed_, (before + after).norm());
    outside_ = std::max({outside_, -impulse.z(), impulse.head<2>().norm() - mu * impulse.z()});
  }

  // The permitted effect of a lift: a normal speed (m/s) and, with friction mu, a slip of `drift`
  // times this speed.
  void allow_lift(double speed, double drift, double mu) {
    lift_speed_ = speed;
    lift_slip_ = mu * drift * speed;
  }

  // The worst violation, relative to the speeds and impulses of the impact; 0 is exact.
  [[nodiscard]] double calc_residual(ImpactKind kind) const {
    if (speed_ == 0.0 || impulse_ == 0.0) return 0.0;
    if (!std::isfinite(speed_ + impulse_ + work_)) return std::numeric_limits<double>::infinity();
    double worst = outside_ / impulse_;
    if (kind == ImpactKind::kMicro) worst = std::max(worst, not_reversed_ / speed_);
    if (kind == ImpactKind::kLift) {
      worst = std::max({worst, (leaving_ - lift_speed_) / speed_,
                        (work_ / impulse_ - lift_speed_ - lift_slip_) / speed_});
    } else {
      worst = std::max(worst, work_ / (impulse_ * speed_));
    }
    return std::max(worst, 0.0);
  }

 private:
  double speed_ = 0.0;         // m/s
  double impulse_ = 0.0;       // N s
  double work_ = 0.0;          // J
  double leaving_ = 0.0;       // m/s   fastest after the impact
  double not_reversed_ = 0.0;  // m/s
  double outside_ = 0.0;       // N s
  double lift_speed_ = 0.0;    // m/s
  double lift_slip_ = 0.0;     // m/s   times mu
};

}  // namespace tenpin::methods::impulse
