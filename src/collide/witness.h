// The points of two cores that prove a separation: one on each surface, as far apart as the
// separation along its direction, to within a stated residual.
#pragma once

#include "collide/separation.h"
#include "collide/shown.h"
#include "collide/tolerances.h"

namespace tenpin::collide {

struct Witness {
  Vec3 a = Vec3::Zero();    // m   on A, A's frame
  Vec3 b = Vec3::Zero();    // m   on B, A's frame
  double residual = 1e300;  // m   |b - a - gap n|
  std::uint32_t feature_A = 0;
  std::uint32_t feature_B = 0;
};

// The best of all pairs of features that face each other along n. Both points are on the surfaces
// by construction, so the residual alone judges direction and features: if the direction is not the
// best one, no choice of features makes it small.
[[nodiscard]] Witness find_witness(const Vec3& n, double gap, CorePair* pair);

}  // namespace tenpin::collide
