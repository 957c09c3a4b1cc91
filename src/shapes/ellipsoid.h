// An ellipsoid about the origin with its axes along those of the frame, as seen from outside.
#pragma once

#include <array>

#include "math/types.h"

namespace tenpin::shapes {

// m   The point of the surface whose outward normal is the unit vector n: the farthest along n.
[[nodiscard]] Vec3 calc_ellipsoid_point(const Vec3& semiaxes, const Vec3& n);

// m   How fast that point moves as n turns: its derivative by n, symmetric and with n in its null
// space. The eigenvalues across n are the principal radii of curvature.
[[nodiscard]] Mat3 calc_ellipsoid_spread(const Vec3& semiaxes, const Vec3& n);

// The points of the surface farther from a given point than their surroundings. There are at most
// two (J. M. Martinez, Local minimizers of quadratic functions on Euclidean balls and spheres,
// 1994), unless axes are equal and a whole circle or sphere is equally far: then one or two of
// these.
struct FarPoints {
  std::array<Vec3, 2> p = {Vec3::Zero(), Vec3::Zero()};  // m   the farthest first
  int count = 0;
};
[[nodiscard]] FarPoints find_far_points(const Vec3& semiaxes, const Vec3& from);

}  // namespace tenpin::shapes
