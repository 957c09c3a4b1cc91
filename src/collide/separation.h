// The best separating direction of two cores: the direction whose separation is the signed
// distance.
#pragma once

#include "collide/minkowski.h"

namespace tenpin::collide {

struct Separation {
  Vec3 n = Vec3::UnitZ();  // -   unit, from A to B; A's frame
  double gap = 0.0;        // m   signed distance of the cores
  Vec3 a = Vec3::Zero();   // m   a pair of closest (or deepest) points, A's frame
  Vec3 b = Vec3::Zero();   // m
  bool certified = false;  // true: a and b are `gap` apart to rounding; false: approximately
};

class Epa;

// Finds the best separating direction. If the cores are farther apart than `margin`, `gap` may be
// any lower bound above `margin`.
[[nodiscard]] Separation find_separation(double margin, const Vec3& guess, Epa* epa,
                                         CorePair* pair);

// The face (or cap) of a core whose normal is closest to `direction`, among those that meet at its
// support vertex; -1 for points and segments. The caps of a cylinder are 0 (bottom) and 1 (top),
// the base of a cone is 0. Directions and normals are in the core's frame.
[[nodiscard]] int find_face(const Core& core, const Vec3& direction, int vertex);
[[nodiscard]] Vec3 face_normal(const Core& core, int face);

}  // namespace tenpin::collide
