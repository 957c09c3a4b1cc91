#include "collide/epa.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "collide/refine.h"
#include "collide/tolerances.h"

namespace tenpin::collide {
namespace {

constexpr int kMaxEpaSteps = 300;
// Points that lie above the polytope by less than this fraction of the tolerance add nothing.
constexpr double kInsertion = 1e-3;

// The point of the difference farthest from `origin` along +direction or -direction.
MinkowskiPoint farther_support(const Vec3& direction, const Vec3& origin, CorePair* pair) {
  const MinkowskiPoint p = pair->support(direction);
  const MinkowskiPoint q = pair->support(-direction);
  const double dp = std::abs(direction.dot(p.w - origin));
  const double dq = std::abs(direction.dot(q.w - origin));
  return dq >= dp ? q : p;
}

// The coordinate axis least parallel to e, made orthogonal to it.
Vec3 any_orthogonal(const Vec3& e) {
  int k = 0;
  e.cwiseAbs().minCoeff(&k);
  return e.cross(Vec3::Unit(k)).normalized();
}

double calc_volume(const MinkowskiPoint& p, const MinkowskiPoint& q, const MinkowskiPoint& r,
                   const MinkowskiPoint& s) {
  return (q.w - p.w).cross(r.w - p.w).dot(s.w - p.w);
}

}  // namespace

void Epa::find_tetrahedron(CorePair* pair) {
  points_.clear();
  // A tetrahedron of extreme points, each as far as possible from the span of the previous ones.
  const Vec3 first = pair->X_AB.p.squaredNorm() > 0.0 ? pair->X_AB.p.normalized() : Vec3::UnitZ();
  points_.push_back(pair->support(first));
  points_.push_back(farther_support(first, points_[0].w, pair));
  const Vec3 e = points_[1].w - points_[0].w;
  const Vec3 side = e.squaredNorm() > 0.0 ? any_orthogonal(e) : any_orthogonal(first);
  const Vec3 other = e.squaredNorm() > 0.0 ? Vec3(e.cross(side).normalized()) : side.cross(first);
  const MinkowskiPoint c1 = farther_support(side, points_[0].w, pair);
  const MinkowskiPoint c2 = farther_support(other, points_[0].w, pair);
  const double d1 = std::abs(side.dot(c1.w - points_[0].w));
  const double d2 = std::abs(other.dot(c2.w - points_[0].w));
  points_.push_back(d1 >= d2 ? c1 : c2);
  const Vec3 normal = e.cross(points_[2].w - points_[0].w);
  points_.push_back(farther_support(normal.normalized(), points_[0].w, pair));
}

void Epa::start(const GjkSimplex& simplex, CorePair* pair) {
  // The normals of flat tetrahedra are inaccurate.
  constexpr double kMinVolume = 1e-6;
  const double size = pair->size();
  facets_.clear();
  heap_.clear();
  points_.assign(simplex.points.begin(), simplex.points.begin() + simplex.size);
  if (simplex.size < 4 || std::abs(calc_volume(points_[0], points_[1], points_[2], points_[3])) <
                              kMinVolume * size * size * size) {
    find_tetrahedron(pair);
  }
  const bool flip = calc_volume(points_[0], points_[1], points_[2], points_[3]) > 0.0;
  const int v1 = flip ? 2 : 1;
  const int v2 = flip ? 1 : 2;
  // The apex is below facet 0, so 0 v1 v2 is counter-clockwise from outside.
  add_facet(0, v1, v2);
  add_facet(v1, 0, 3);
  add_facet(v2, v1, 3);
  add_facet(0, v2, 3);
  facets_[0].across = {1, 2, 3};
  facets_[1].across = {0, 3, 2};
  facets_[2].across = {0, 1, 3};
  facets_[3].across = {0, 2, 1};
}

int Epa::add_facet(int v0, int v1, int v2) {
  Facet facet;
  facet.v = {v0, v1, v2};
  const Vec3& p = points_[v0].w;
  const Vec3 normal = (points_[v1].w - p).cross(points_[v2].w - p);
  const double length = normal.norm();
  // A sliver without a normal is never the nearest facet; its neighbours cover its area.
  facet.offset = std::numeric_limits<double>::infinity();
  if (length > 0.0) {
    facet.normal = normal / length;
    facet.offset = facet.normal.dot((p + points_[v1].w + points_[v2].w) / 3.0);
  }
  const int index = static_cast<int>(facets_.size());
  facets_.push_back(facet);
  // Facets that cannot improve on the best direction are not considered again.
  if (-facet.offset > best_.gap + tolerance_) {
    heap_.emplace_back(facet.offset, index);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
  return index;
}

int Epa::nearest_facet() {
  while (!heap_.empty() && !facets_[heap_.front().second].alive) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
  }
  return heap_.empty() ? -1 : heap_.front().second;
}

// Removes the facets visible from w, starting at `seed`. They are visited in an order around the
// hole, so that consecutive ridges of the horizon share a vertex.
void Epa::open_hole(int seed, const Vec3& w) {
  horizon_.clear();
  stack_.clear();
  facets_[seed].alive = false;
  for (int i = 2; i >= 0; --i) stack_.push_back({seed, i});
  while (!stack_.empty()) {
    const auto [from, edge] = stack_.back();
    stack_.pop_back();
    const int next = facets_[from].across[edge];
    Facet& facet = facets_[next];
    if (!facet.alive) continue;
    int back = 0;
    while (facet.across[back] != from || facet.v[(back + 1) % 3] != facets_[from].v[edge]) ++back;
    const bool visible = std::isinf(facet.offset) || facet.normal.dot(w) > facet.offset;
    if (!visible) {
      horizon_.push_back({next, back});
      continue;
    }
    facet.alive = false;
    stack_.push_back({next, (back + 2) % 3});
    stack_.push_back({next, (back + 1) % 3});
  }
}

bool Epa::close_hole(int apex) {
  const int count = static_cast<int>(horizon_.size());
  const int first = static_cast<int>(facets_.size());
  for (int i = 0; i < count; ++i) {
    const auto [outside, edge] = horizon_[i];
    const int from = facets_[outside].v[(edge + 1) % 3];
    const int to = facets_[outside].v[edge];
    const auto& next = horizon_[(i + 1) % count];
    if (facets_[next.facet].v[(next.edge + 1) % 3] != to) return false;
    const int f = add_facet(from, to, apex);
    facets_[f].across = {outside, first + (i + 1) % count, first + (i + count - 1) % count};
    facets_[outside].across[edge] = f;
  }
  return count >= 3;
}

// Returns false if rounding has made the surface inconsistent; the last bounds then hold.
bool Epa::expand(int seed, const MinkowskiPoint& point) {
  points_.push_back(point);
  open_hole(seed, point.w);
  return close_hole(static_cast<int>(points_.size()) - 1);
}

void Epa::set_witness(const Facet& facet, Separation* result) const {
  const MinkowskiPoint& p = points_[facet.v[0]];
  const MinkowskiPoint& q = points_[facet.v[1]];
  const MinkowskiPoint& r = points_[facet.v[2]];
  Vec3 weights(facet.normal.dot(q.w.cross(r.w)), facet.normal.dot(r.w.cross(p.w)),
               facet.normal.dot(p.w.cross(q.w)));
  weights = weights.cwiseMax(0.0);
  const double sum = weights.sum();
  weights = sum > 0.0 ? Vec3(weights / sum) : Vec3::Constant(1.0 / 3.0);
  result->a = weights[0] * p.a + weights[1] * q.a + weights[2] * r.a;
  result->b = weights[0] * p.b + weights[1] * q.b + weights[2] * r.b;
}

// Returns false if rounding has made the surface inconsistent. A point inside the polytope changes
// nothing.
bool Epa::insert(const MinkowskiPoint& point) {
  int seed = -1;
  double highest = kInsertion * tolerance_;
  for (int f = 0; f < static_cast<int>(facets_.size()); ++f) {
    const double height = facets_[f].normal.dot(point.w) - facets_[f].offset;
    if (!facets_[f].alive || !(height > highest)) continue;
    seed = f;
    highest = height;
  }
  return seed < 0 || expand(seed, point);
}

// Facets at the foot of the best direction are at most depth * (1 - cos(angle)) below that
// direction's plane. Points are added around the foot until these angles are small enough for the
// tolerance.
bool Epa::polish(CorePair* pair) {
  refine_separation(&best_, pair);
  settle_separation(&best_, pair);
  if (!best_.certified) return true;
  const Vec3 n = best_.n;
  if (!insert({.w = best_.gap * n, .a = best_.a, .b = best_.b})) return false;
  const double angle = std::min(0.1, std::sqrt(tolerance_ / std::max(-best_.gap, tolerance_)));
  const Vec3 x = angle * n.unitOrthogonal();
  const Vec3 y = n.cross(x);
  return insert(pair->support(n + x)) && insert(pair->support(n + y)) &&
         insert(pair->support(n - x)) && insert(pair->support(n - y));
}

namespace {

// An outward normal of the side of a cone whose frame is turned by R.
Vec3 calc_side_normal(const Core& cone, const Mat3& R, double sign) {
  const double height = cone.side_height();
  return height * R.col(2) + sign * std::sqrt(1.0 - height * height) * R.col(0);
}

}  // namespace

// Coaxial round cores are equally deep in all directions across their axis, which would take more
// facets than iterations allow. So the directions along the axes are tried first, and of cones
// those across the side.
void Epa::visit_caps(CorePair* pair) {
  const auto visit = [&](const Vec3& n) {
    const MinkowskiPoint point = pair->support(n);
    const double separation = n.dot(point.w);
    if (separation > best_.gap) best_ = {.n = n, .gap = separation, .a = point.a, .b = point.b};
  };
  for (const double sign : {-1.0, 1.0}) {
    if (pair->A.has_caps()) visit(sign * Vec3::UnitZ());
    if (pair->B.has_caps()) visit(sign * pair->X_AB.R.col(2));
    if (pair->A.is_cone()) visit(calc_side_normal(pair->A, Mat3::Identity(), sign));
    if (pair->B.is_cone()) visit(-calc_side_normal(pair->B, pair->X_AB.R, sign));
    for (int k = 0; k < 3; ++k) {
      if (pair->A.is_ellipsoid()) visit(sign * Vec3::Unit(k));
      if (pair->B.is_ellipsoid()) visit(sign * pair->X_AB.R.col(k));
    }
  }
}

Separation Epa::solve(double tolerance, const GjkSimplex& simplex, CorePair* pair) {
  tolerance_ = tolerance;
  best_ = {.gap = -std::numeric_limits<double>::infinity()};
  visit_caps(pair);
  start(simplex, pair);
  const double near = pair->is_curved() ? kNearSurface * pair->size() : -1.0;
  for (int k = 0; k < kMaxEpaSteps; ++k) {
    const int f = nearest_facet();
    // No facet can still improve on the best direction.
    if (f < 0 || -facets_[f].offset <= best_.gap + tolerance_) break;
    const Vec3 n = -facets_[f].normal;
    const MinkowskiPoint point = pair->support_near(n, points_[facets_[f].v[2]]);
    const double separation = n.dot(point.w);
    const double height = -facets_[f].offset - separation;
    const bool better = separation > best_.gap;
    if (better) {
      best_ = {.n = n, .gap = separation};
      set_witness(facets_[f], &best_);
    }
    if (height <= tolerance_) break;  // this facet is on the surface
    if (!expand(f, point)) break;
    if (better && height <= near && !polish(pair)) break;
  }
  return best_;
}

}  // namespace tenpin::collide
