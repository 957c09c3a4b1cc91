// The Minkowski difference B - A of two cores, in A's frame. Its signed distance from the origin is
// that of the cores, and every unit direction bounds it from below:
//   separation(n) = min over B of n.b - max over A of n.a  <=  signed distance,
// with equality for the best n. Every result of this module is such a direction, so two support
// queries certify it.
#pragma once

#include "collide/core.h"
#include "math/pose.h"

namespace tenpin::collide {

struct MinkowskiPoint {
  Vec3 w = Vec3::Zero();  // m   b - a
  Vec3 a = Vec3::Zero();  // m   in A's frame
  Vec3 b = Vec3::Zero();  // m   in A's frame
  int vertex_A = 0;       // of polytopes
  int vertex_B = 0;
};

struct CorePair {
  const Core& A;
  const Core& B;
  const Pose& X_AB;
  int start_A = 0;  // where walks on meshes start: the vertices found last
  int start_B = 0;

  double size() const { return A.size() + B.size(); }
  bool is_curved() const { return A.is_curved() || B.is_curved(); }
  bool has_ellipsoid() const { return A.is_ellipsoid() || B.is_ellipsoid(); }

  // The point of B - A with the smallest n . w.
  MinkowskiPoint support(const Vec3& n) {
    const Support a = A.support(n, start_A);
    const Support b = B.support(-(X_AB.R.transpose() * n), start_B);
    start_A = a.vertex;
    start_B = b.vertex;
    const Vec3 b_A = X_AB * b.point;
    return {.w = b_A - a.point, .a = a.point, .b = b_A, .vertex_A = a.vertex, .vertex_B = b.vertex};
  }
  // The same, for an n whose support point is probably near `other`.
  MinkowskiPoint support_near(const Vec3& n, const MinkowskiPoint& other) {
    start_A = other.vertex_A;
    start_B = other.vertex_B;
    return support(n);
  }
  double separation(const Vec3& n) { return n.dot(support(n).w); }
};

}  // namespace tenpin::collide
