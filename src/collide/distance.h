// The signed distance between two shapes, with its witness points.
#pragma once

#include "math/pose.h"
#include "shapes/shape.h"

namespace tenpin::collide {

struct Distance {
  double gap = 0.0;         // m   > 0 apart; < 0: shortest translation along -normal that separates
  Vec3 p_A = Vec3::Zero();  // m   closest (or deepest) point of A, world frame
  Vec3 p_B = Vec3::Zero();  // m   and of B
  Vec3 normal = Vec3::Zero();  // -   unit, from A to B
  bool certified =
      false;  // the distance of the points equals the separation along the normal, to rounding
};

[[nodiscard]] Distance calc_distance(const shapes::Shape& A, const Pose& X_WA,
                                     const shapes::Shape& B, const Pose& X_WB);

}  // namespace tenpin::collide
