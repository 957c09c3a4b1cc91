// The closest points of two convex cores that do not overlap, by the Gilbert-Johnson-Keerthi
// descent over simplices of the Minkowski difference.
#pragma once

#include <array>

#include "collide/minkowski.h"

namespace tenpin::collide {

// Up to four points of the difference.
struct GjkSimplex {
  std::array<MinkowskiPoint, 4> points;
  int size = 0;
};

struct GjkResult {
  bool overlap = false;  // the origin is inside a simplex, or too close to its surface to decide
  double lower_bound = 0.0;  // m   the cores are at least this far apart
  Vec3 v = Vec3::Zero();     // m   from A to B, between the closest points found; A's frame
  Vec3 a = Vec3::Zero();     // m   closest point of A
  Vec3 b = Vec3::Zero();     // m   closest point of B
  GjkSimplex simplex;        // the last simplex; contains the origin if it has four points
};

// Finds the closest points. Stops as soon as lower_bound > margin is certain, or when the bounds of
// the distance agree to within the relative `tolerance` (0: to rounding). Always ends, because the
// distance strictly decreases.
[[nodiscard]] GjkResult solve_gjk(double margin, double tolerance, const Vec3& guess,
                                  CorePair* pair);

}  // namespace tenpin::collide
