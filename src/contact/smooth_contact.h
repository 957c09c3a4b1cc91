// A contact with an ellipsoid while the bodies move: where the features are closest, and how the
// closest points and the normal move.
#pragma once

#include "contact/core_curve.h"
#include "contact/track.h"
#include "math/pose.h"

namespace tenpin::contact {

// Two features without their rounding radii; the second is an ellipsoid, the first is any feature.
struct SmoothPair {
  const TrackedFeature& first;
  const TrackedFeature& second;
  const Pose& X_first;  // of the body in the world
  const Pose& X_second;
};

// The closest points in the world, and the normal from the first to the second.
struct SmoothClosest {
  Vec3 p_first = Vec3::Zero();   // m
  Vec3 p_second = Vec3::Zero();  // m
  Vec3 n = Vec3::UnitZ();        // -
};

// Finds them by Newton's method, starting from a nearby normal; for a plane, the normal is known.
[[nodiscard]] SmoothClosest find_smooth_closest(const SmoothPair& pair, const Vec3& n_near);

// The velocities of the points along their own features, and of the normal.
[[nodiscard]] CoreWandering calc_smooth_wandering(const SmoothPair& pair, const SmoothClosest& at,
                                                  const CoreMotion& motion);

}  // namespace tenpin::contact
