// What a solid is, by definition: its support function and the signed distance of a point. Written
// from the shapes' definitions alone, to judge the answers of the module under test.
#pragma once

#include "math/pose.h"
#include "shapes/shape.h"

namespace tenpin::collide {

// max of n . x over the solid; infinite for planes seen from below or aside.
[[nodiscard]] double calc_extent(const shapes::Shape& shape, const Pose& X_WS, const Vec3& n);

// Zero on the surface, negative inside; a lower bound of the distance outside.
[[nodiscard]] double calc_depth(const shapes::Shape& shape, const Pose& X_WS, const Vec3& x);

// min over B - max over A along n: a lower bound of the signed distance for every unit n.
[[nodiscard]] inline double calc_separation(const shapes::Shape& A, const Pose& X_WA,
                                            const shapes::Shape& B, const Pose& X_WB,
                                            const Vec3& n) {
  return -calc_extent(B, X_WB, -n) - calc_extent(A, X_WA, n);
}

}  // namespace tenpin::collide
