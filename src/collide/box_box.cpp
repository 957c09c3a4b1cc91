#include "collide/box_box.h"

#include <cmath>

#include "collide/tolerances.h"

namespace tenpin::collide {
namespace {

struct Best {
  double gap = -1e300;
  Vec3 n = Vec3::UnitZ();
};

// The separation along the unit direction n of A's frame or along -n, whichever is larger.
double calc_gap(const Vec3& n, const Vec3& half_A, const Vec3& half_B, const Pose& X_AB) {
  const Vec3 n_B = X_AB.R.transpose() * n;
  return std::abs(n.dot(X_AB.p)) - n.cwiseAbs().dot(half_A) - n_B.cwiseAbs().dot(half_B);
}

// The unit vector along the cross product of an axis of A and an axis of B. If the edges are nearly
// parallel, digits cancel in the product; projecting it again restores them.
Vec3 calc_edge_normal(int i, const Vec3& axis_B, const Vec3& cross, double length) {
  Vec3 n = cross / length;
  n[i] = 0.0;
  n -= axis_B.dot(n) * axis_B;
  n[i] = 0.0;
  return n.normalized();
}

void visit_edges(const Vec3& half_A, const Vec3& half_B, const Pose& X_AB, Best* best) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec3 axis_B = X_AB.R.col(j);
      const Vec3 cross = Vec3::Unit(i).cross(axis_B);
      const double length = cross.norm();
      if (length < kParallelBoxEdges) continue;
      const Vec3 n =
          length < kSteepEdges ? calc_edge_normal(i, axis_B, cross, length) : Vec3(cross / length);
      const double gap = calc_gap(n, half_A, half_B, X_AB);
      if (gap <= best->gap) continue;
      best->gap = gap;
      best->n = n;
    }
  }
}

}  // namespace

Separation find_box_separation(const Vec3& half_A, const Vec3& half_B, const Pose& X_AB) {
  Best best;
  for (int i = 0; i < 3; ++i) {
    const double gap = std::abs(X_AB.p[i]) - half_A[i] - X_AB.R.row(i).cwiseAbs().dot(half_B);
    if (gap > best.gap) best = {.gap = gap, .n = Vec3::Unit(i)};
  }
  for (int j = 0; j < 3; ++j) {
    const Vec3 n = X_AB.R.col(j);
    const double gap = std::abs(n.dot(X_AB.p)) - n.cwiseAbs().dot(half_A) - half_B[j];
    if (gap > best.gap) best = {.gap = gap, .n = n};
  }
  visit_edges(half_A, half_B, X_AB, &best);
  if (best.n.dot(X_AB.p) < 0.0) best.n = -best.n;
  return {.n = best.n, .gap = best.gap};
}

}  // namespace tenpin::collide
