// The closest points of two convex cores that do not overlap, by Gilbert, Johnson and Keerthi's
// descent over simplices of the Minkowski difference.
#pragma once

#include <array>

#include "collide/minkowski.h"

namespace tenpin::collide {

// Points of the difference, up to four.
struct GjkSimplex {
  std::array<MinkowskiPoint, 4> points;
  int size = 0;
};

struct GjkResult {
  bool overlap = false;      // the origin is inside a simplex, or too close to its surface to tell
  double lower_bound = 0.0;  // m   the cores are at least this far apart
  Vec3 v = Vec3::Zero();     // m   from A to B, between the closest points found; A's frame
  Vec3 a = Vec3::Zero();     // m   closest point of A
  Vec3 b = Vec3::Zero();     // m   closest point of B
  GjkSimplex simplex;        // the last one; around the origin if it has four points
};

// Stops early, with lower_bound > margin, as soon as that is certain; and when the bounds of the
// distance agree up to `tolerance`, relatively (0: to rounding). Always ends: the distance strictly
// decreases.
[[nodiscard]] GjkResult solve_gjk(double margin, double tolerance, const Vec3& guess,
                                  CorePair* pair);

}  // namespace tenpin::collide
