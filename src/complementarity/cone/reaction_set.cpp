#include "complementarity/cone/reaction_set.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {

namespace {

ReactionBlock make_unit(int first, int end) {
  ReactionBlock unit = ReactionBlock::Zero();
  for (int i = first; i < end; ++i) unit(i, i) = 1.0;
  return unit;
}

Projection project_on_ray(const Reaction& ray, const Reaction& x) {
  const double along = ray.dot(x) / ray.squaredNorm();
  if (!(along > 0.0)) return {};
  return {
      .point = along * ray, .slope = ray * ray.transpose() / ray.squaredNorm(), .is_inside = true};
}

// The polar cone and the edge of the cone meet at right angles. So outside of both, the nearest
// point lies on the edge, in the plane of x and the axis.
Projection project_on_cone(const ReactionSet& set, const Reaction& x) {
  const double mu = set.mu;
  const double n = x[0];
  const double t = mu > 0.0 ? x.tail<3>().norm() : 0.0;
  if (mu == 0.0) return n > 0.0 ? Projection{{n, 0, 0, 0}, make_unit(0, 1), true} : Projection{};
  if (t <= mu * n) return {.point = x, .slope = make_unit(0, set.num_rows), .is_inside = true};
  if (n + mu * t <= 0.0) return {};
  const double edge = (n + mu * t) / (1.0 + mu * mu);
  Projection on;
  const Vec3 direction = x.tail<3>() / t;
  on.point << edge, mu * edge * direction;
  const double across = mu * edge / t;
  on.slope = across * make_unit(1, set.num_rows);
  on.slope.bottomRightCorner<3, 3>() +=
      (mu * mu / (1.0 + mu * mu) - across) * direction * direction.transpose();
  on.slope(0, 0) = 1.0 / (1.0 + mu * mu);
  on.slope.block<3, 1>(1, 0) = on.slope(0, 0) * mu * direction;
  on.slope.block<1, 3>(0, 1) = on.slope.block<3, 1>(1, 0).transpose();
  return on;
}

// A regular pyramid is symmetric about the planes through its axis and its edges, and about those
// through its axis and the middles of its faces. So the nearest point lies in the same sector as x:
// on the face there, or on its nearer edge.
Projection project_on_polygon(const ReactionSet& set, const Reaction& x) {
  const Vec2 t = x.segment<2>(1);
  const std::size_t k = set.directions.size();
  std::size_t face = 0;
  double most = -1.0;
  for (std::size_t j = 0; j < k; ++j) {
    const double along = (set.directions[j] + set.directions[(j + 1) % k]).dot(t);
    if (along > most) face = j;
    most = std::max(most, along);
  }
  const Vec2& first = set.directions[face];
  const Vec2& second = set.directions[(face + 1) % k];
  const Vec2 middle = (first + second).normalized();
  // distance of a face from the axis if the edges are at distance 1
  const double reach = middle.dot(first);
  const Reaction outward = Reaction(-set.mu * reach, middle.x(), middle.y(), 0.0).normalized();
  const double beyond = outward.dot(x);
  if (beyond <= 0.0) return {.point = x, .slope = make_unit(0, 3), .is_inside = true};
  const Reaction on_face = x - beyond * outward;
  const Vec2 across(-middle.y(), middle.x());
  const double half = set.mu * on_face[0] * std::sqrt(std::max(0.0, 1.0 - reach * reach));
  if (on_face[0] > 0.0 && std::fabs(across.dot(on_face.segment<2>(1))) <= half) {
    return {.point = on_face, .slope = make_unit(0, 3) - outward * outward.transpose()};
  }
  const Vec2& nearer = first.dot(t) >= second.dot(t) ? first : second;
  Projection on = project_on_ray({1.0, set.mu * nearer.x(), set.mu * nearer.y(), 0.0}, x);
  on.is_inside = false;
  return on;
}

Projection project_on_interval(const ReactionSet& set, const Reaction& x) {
  Projection on;
  on.point[1] = std::clamp(x[1], -set.bound, set.bound);
  on.is_inside = on.point[1] == x[1];
  if (on.is_inside) on.slope(1, 1) = 1.0;
  return on;
}

}  // namespace

Projection project(const ReactionSet& set, const Reaction& x) {
  switch (set.kind) {
    case ReactionSet::Kind::kRay:
      return project_on_ray(set.ray, x);
    case ReactionSet::Kind::kCone:
      return project_on_cone(set, x);
    case ReactionSet::Kind::kPolygon:
      return project_on_polygon(set, x);
    case ReactionSet::Kind::kInterval:
      return project_on_interval(set, x);
  }
  return {};
}

ReactionBlock calc_span(const ReactionSet& set) {
  switch (set.kind) {
    case ReactionSet::Kind::kRay:
      return set.ray * set.ray.transpose() / set.ray.squaredNorm();
    case ReactionSet::Kind::kCone:
    case ReactionSet::Kind::kPolygon:
      return make_unit(0, set.mu > 0.0 ? set.num_rows : 1);
    case ReactionSet::Kind::kInterval:
      return make_unit(1, 2);
  }
  return ReactionBlock::Zero();
}

}  // namespace tenpin::complementarity::cone
