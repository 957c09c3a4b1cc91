// A rigid displacement: the position and orientation of frame B relative to frame A.
#pragma once

#include "math/types.h"

namespace tenpin {

// X_AB maps the coordinates of a point in B to its coordinates in A:  p_A = R * p_B + p.
struct Pose {
  Mat3 R = Mat3::Identity();  // -   rotation R_AB
  Vec3 p = Vec3::Zero();      // m   position of B's origin, in A

  Vec3 operator*(const Vec3& point) const { return R * point + p; }
  Pose operator*(const Pose& X_BC) const { return {.R = R * X_BC.R, .p = R * X_BC.p + p}; }
  Pose inverse() const { return {.R = R.transpose(), .p = -(R.transpose() * p)}; }
};

}  // namespace tenpin
