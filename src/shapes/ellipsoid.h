// An ellipsoid about the origin, with axes along those of the frame.
#pragma once

#include <array>

#include "math/types.h"

namespace tenpin::shapes {

// m   The point of the surface whose outward normal is the unit vector n, which is also the
// farthest point along n.
[[nodiscard]] Vec3 calc_ellipsoid_point(const Vec3& semiaxes, const Vec3& n);

// m   The derivative of that point by n: symmetric, with n in its null space. The eigenvalues
// across n are the principal radii of curvature.
[[nodiscard]] Mat3 calc_ellipsoid_spread(const Vec3& semiaxes, const Vec3& n);

// The points of the surface that are local maxima of the distance from a given point. There are at
// most two (J. M. Martinez, Local minimizers of quadratic functions on Euclidean balls and spheres,
// 1994), unless axes are equal and a whole circle or sphere is equally far: then one or two points
// of it.
struct FarPoints {
  std::array<Vec3, 2> p = {Vec3::Zero(), Vec3::Zero()};  // m   farthest first
  int count = 0;
};
[[nodiscard]] FarPoints find_far_points(const Vec3& semiaxes, const Vec3& from);

}  // namespace tenpin::shapes
