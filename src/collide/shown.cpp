#include "collide/shown.h"

#include <algorithm>
#include <cmath>

#include "collide/features.h"
#include "collide/separation.h"

namespace tenpin::collide {
namespace {

// rad   Edges this close to orthogonal to the direction may touch along their length.
constexpr double kFlatAngle = 0.02;  // rad

Shown find_shown_cylinder(const Core& core, const Pose& X_AC, const Vec3& n) {
  Shown shown;
  const int rim = n.z() >= 0.0 ? 1 : 0;
  const Vec3 p = core.support(n, 0).point;
  shown.rim = {.centre = X_AC * Vec3(0.0, 0.0, p.z()),
               .axis = X_AC.R.col(2),
               .radius = core.radius(),
               .id = make_feature(FeatureKind::kRim, rim)};
  ShownSegment segment{.ends = {X_AC * p, X_AC * p},
                       .end_ids = {shown.rim.id, make_feature(FeatureKind::kRim, 1 - rim)},
                       .id = make_feature(FeatureKind::kSide, 0),
                       .slant = std::abs(n.z()),
                       .is_point = true};
  if (segment.slant < kFlatAngle) {
    segment.is_point = false;
    segment.ends[1] = X_AC * Vec3(p.x(), p.y(), -p.z());
  }
  shown.insert(segment);
  return shown;
}

// The line of the side in the plane of n and the axis, its rim, or the apex.
Shown find_shown_cone(const Core& core, const Pose& X_AC, const Vec3& n) {
  Shown shown;
  const Vec2 outward = n.head<2>();
  const double rho = outward.norm();
  const Vec2 radial = rho > 0.0 ? Vec2(outward / rho) : Vec2(Vec2::UnitX());
  const Vec3 p(core.radius() * radial.x(), core.radius() * radial.y(), -core.half_length());
  const Vec3 along = core.apex() - p;
  const double rise = n.dot(along) / along.norm();
  const std::uint32_t apex_id = make_feature(FeatureKind::kVertex, 0);
  const std::uint32_t rim_id = make_feature(FeatureKind::kRim, 0);
  ShownSegment segment{.ends = {X_AC * p, X_AC * p},
                       .end_ids = {rim_id, apex_id},
                       .id = make_feature(FeatureKind::kSide, 0),
                       .slant = std::abs(rise),
                       .is_point = std::abs(rise) >= kFlatAngle};
  if (rise >= 0.0) {
    segment.ends[0] = X_AC * core.apex();
    segment.end_ids = {apex_id, rim_id};
  }
  if (!segment.is_point) segment.ends[1] = X_AC * (rise >= 0.0 ? p : core.apex());
  if (!segment.is_point || rise < 0.0) {
    shown.rim = {.centre = X_AC * Vec3(0.0, 0.0, -core.half_length()),
                 .axis = X_AC.R.col(2),
                 .radius = core.radius(),
                 .id = rim_id};
  }
  if (segment.is_point) segment.ends[1] = segment.ends[0];
  shown.insert(segment);
  return shown;
}

class PolytopeView {
 public:
  PolytopeView(const Core& core, const Pose& X_AC, const Vec3& n)
      : polytope_(core.polytope()), X_AC_(X_AC), n_(n) {}

  void add_vertex(int v) {
    const Vec3 p = X_AC_ * polytope_.vertices[v];
    const std::uint32_t id = make_feature(FeatureKind::kVertex, v);
    shown.insert({.ends = {p, p}, .end_ids = {id, id}, .id = id, .is_point = true});
  }

  void add_edge(int v, int u) {
    const Vec3 edge = polytope_.vertices[u] - polytope_.vertices[v];
    const double slant = std::abs(edge.dot(n_)) / edge.norm();
    if (!(slant < kFlatAngle)) return;
    shown.insert(
        {.ends = {X_AC_ * polytope_.vertices[v], X_AC_ * polytope_.vertices[u]},
         .end_ids = {make_feature(FeatureKind::kVertex, v), make_feature(FeatureKind::kVertex, u)},
         .id = make_feature(FeatureKind::kEdge, polytope_.find_edge(v, u)),
         .slant = slant});
  }

  Shown shown;

 private:
  const Polytope& polytope_;
  const Pose& X_AC_;
  const Vec3& n_;
};

}  // namespace

void Shown::insert(const ShownSegment& segment) {
  if (count == kMaxSegments && segment.slant >= segments[count - 1].slant) return;
  int i = count < kMaxSegments ? count++ : count - 1;
  for (; i > 0 && segments[i - 1].slant > segment.slant; --i) segments[i] = segments[i - 1];
  segments[i] = segment;
}

Shown find_shown(const Core& core, const Pose& X_AC, const Vec3& n, int vertex) {
  if (core.is_cylinder()) return find_shown_cylinder(core, X_AC, n);
  if (core.is_cone()) return find_shown_cone(core, X_AC, n);
  const Polytope& polytope = core.polytope();
  const int v = core.support(n, vertex).vertex;
  PolytopeView view(core, X_AC, n);
  for (const int u : polytope.neighbours_of(v)) view.add_edge(v, u);
  const int face = find_face(core, n, v);
  if (face >= 0 && polytope.normals[face].dot(n) > kFaceCosine) {
    const auto loop = polytope.face(face);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int next = loop[i + 1 < loop.size() ? i + 1 : 0];
      if (loop[i] != v && next != v) view.add_edge(loop[i], next);
    }
  }
  if (view.shown.count == 0) view.add_vertex(v);
  return view.shown;
}

}  // namespace tenpin::collide
