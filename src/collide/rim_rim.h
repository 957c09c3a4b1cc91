// Two circles in space: the pairs of points whose connecting line is orthogonal to both.
#pragma once

#include "math/types.h"

namespace tenpin::collide {

struct Circle {
  Vec3 centre = Vec3::Zero();  // m
  Vec3 axis = Vec3::UnitZ();   // -   unit
  double radius = 0.0;         // m
};

struct CirclePoints {
  Vec3 a = Vec3::Zero();     // m   on A
  Vec3 b = Vec3::Zero();     // m   on B
  Vec3 t_A = Vec3::UnitX();  // -   tangents there
  Vec3 t_B = Vec3::UnitX();
};

// Finds a pair by Newton's method, from the points of the circles nearest to `start_A` and
// `start_B`. Converges quadratically where the tangents cross, at any distance of the points,
// including zero.
[[nodiscard]] CirclePoints solve_circles(const Circle& A, const Circle& B, const Vec3& start_A,
                                         const Vec3& start_B);

// For nearly parallel A and B: the points where A appears to cross B when seen along the axis of B.
// There are two, or one repeated if the circles touch or do not meet.
struct CircleCrossing {
  Vec3 first = Vec3::Zero();
  Vec3 second = Vec3::Zero();
};
[[nodiscard]] CircleCrossing find_crossing(const Circle& A, const Circle& B);

}  // namespace tenpin::collide
