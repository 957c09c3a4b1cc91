#include "collide/separation.h"

#include <cmath>

#include "collide/epa.h"
#include "collide/gjk.h"
#include "collide/refine.h"
#include "collide/tolerances.h"

namespace tenpin::collide {
namespace {

// Relative to size.
constexpr double kPolytopeTolerance = 1e-14;
constexpr double kCurvedTolerance = 1e-9;
// Relative to the distance: the direction is then accurate to sqrt(2e-5) rad.
constexpr double kLeading = 1e-5;

void search_inside(const GjkResult& gjk, Epa* epa, Separation* separation, CorePair* pair) {
  const double tolerance = pair->is_curved() ? kCurvedTolerance : kPolytopeTolerance;
  Separation best = epa->solve(tolerance * pair->size(), gjk.simplex, pair);
  if (!best.certified) refine_separation(&best, pair);
  if (!gjk.overlap && gjk.v.squaredNorm() > 0.0) {
    // The direction between the closest points: the best one if vertices or edges are closest.
    Separation outer{.n = gjk.v.normalized(), .a = gjk.a, .b = gjk.b};
    outer.gap = pair->separation(outer.n);
    refine_separation(&outer, pair);
    if (outer.gap > best.gap + 1e-14 * pair->size()) best = outer;
  }
  *separation = best;
}

}  // namespace

Separation find_separation(double margin, const Vec3& guess, Epa* epa, CorePair* pair) {
  // The descent is slow on curved cores, but there it only has to identify the features that touch.
  double tolerance = pair->is_curved() ? kLeading : 0.0;
  GjkResult gjk = solve_gjk(margin, tolerance, guess, pair);
  while (true) {
    Separation separation;
    separation.gap = gjk.lower_bound;
    if (gjk.lower_bound > margin) return separation;
    const double distance = gjk.v.norm();
    if (gjk.overlap || distance < kNearlyTouching * pair->size()) {
      search_inside(gjk, epa, &separation, pair);
      return separation;
    }
    separation = {.n = gjk.v / distance, .a = gjk.a, .b = gjk.b};
    separation.gap = pair->separation(separation.n);
    // The distance between the points found and the separation bound the true value from both
    // sides. They differ if the descent stalls before it can tell nearly parallel features apart.
    if (distance - separation.gap <= kWitnessRounding * pair->size()) {
      separation.gap = distance;
      separation.certified = true;
      return separation;
    }
    refine_separation(&separation, pair);
    if (tolerance == 0.0) {
      if (distance - separation.gap <= kWitnessRounding * pair->size()) return separation;
      const Separation first = separation;
      search_inside(gjk, epa, &separation, pair);
      return first.gap >= separation.gap ? first : separation;
    }
    settle_separation(&separation, pair);
    if (separation.certified) return separation;
    tolerance = 0.0;
    gjk = solve_gjk(margin, tolerance, gjk.v, pair);
  }
}

int find_face(const Core& core, const Vec3& direction, int vertex) {
  if (core.is_cone()) return 0;
  if (core.is_cylinder()) return direction.z() >= 0.0 ? 1 : 0;
  if (core.kind() == CoreKind::kBox) {
    int k = 0;
    direction.cwiseAbs().maxCoeff(&k);
    return 2 * k + (direction[k] >= 0.0 ? 1 : 0);
  }
  const Polytope& polytope = core.polytope();
  if (polytope.normals.empty()) return -1;
  int best = -1;
  double best_dot = -2.0;
  for (const int e : polytope.edges_of(vertex)) {
    // Every face at the vertex is to the left of one of the edges that leave it.
    const auto& edge = polytope.edges[e];
    const int f = edge.from == vertex ? edge.left : edge.right;
    const double dot = polytope.normals[f].dot(direction);
    if (dot > best_dot || (dot == best_dot && f < best)) {
      best_dot = dot;
      best = f;
    }
  }
  return best;
}

Vec3 face_normal(const Core& core, int face) {
  if (core.has_caps()) return face == 1 ? Vec3::UnitZ() : Vec3(-Vec3::UnitZ());
  return core.polytope().normals[face];
}

}  // namespace tenpin::collide
