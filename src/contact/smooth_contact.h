// A contact with an ellipsoid while the bodies move: where the features are closest, and how these
// points and the normal move.
#pragma once

#include "contact/core_curve.h"
#include "contact/track.h"
#include "math/pose.h"

namespace tenpin::contact {

// Two features without their rounding; the second is an ellipsoid, the first any feature.
struct SmoothPair {
  const TrackedFeature& first;
  const TrackedFeature& second;
  const Pose& X_first;  // of the body in the world
  const Pose& X_second;
};

// Points in the world and the normal from the first to the second.
struct SmoothClosest {
  Vec3 p_first = Vec3::Zero();   // m
  Vec3 p_second = Vec3::Zero();  // m
  Vec3 n = Vec3::UnitZ();        // -
};

// By Newton's method from a normal nearby; the normal of a plane is its own.
[[nodiscard]] SmoothClosest find_smooth_closest(const SmoothPair& pair, const Vec3& n_near);

// Velocities of the points along their own features, and of the normal.
[[nodiscard]] CoreWandering calc_smooth_wandering(const SmoothPair& pair, const SmoothClosest& at,
                                                  const CoreMotion& motion);

}  // namespace tenpin::contact
