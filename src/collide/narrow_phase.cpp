// The algorithm for each pair of shapes:
//   plane    - anything            every vertex, rim or end within the margin     here
//   bowl     - anything            the same                                       bowl
//   surface  - anything bounded    the same on its faces; its edges as segments   surface_pairs
//   sphere, capsule - each other   closed form                                    round_pairs
//   sphere   - box, cylinder       closed form                                    nearest_point
//   ellipsoid - anything bounded   best separating direction: one point           ellipsoid_pairs
//   any other pair                 best separating direction, then the features   core_pairs
//                                  that face each other along it
#include "collide/narrow_phase.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "collide/bowl.h"
#include "collide/features.h"
#include "collide/round_pairs.h"
#include "collide/surface_pairs.h"

namespace tenpin::collide {
namespace {

using shapes::Shape;

template <typename T>
bool is(const Shape& shape) {
  return std::holds_alternative<T>(shape);
}

void flip(ContactPoint* point) {
  std::swap(point->p_A, point->p_B);
  std::swap(point->radius_A, point->radius_B);
  std::swap(point->feature_A, point->feature_B);
  point->normal = -point->normal;
}

std::optional<RoundSegment> find_round(const Shape& shape, const Pose& X_WS) {
  if (const auto* sphere = std::get_if<shapes::Sphere>(&shape)) return make_round(*sphere, X_WS);
  if (const auto* capsule = std::get_if<shapes::Capsule>(&shape)) return make_round(*capsule, X_WS);
  return std::nullopt;
}

// The most common pair in large scenes, handled without treating spheres as segments.
void append_sphere_manifold(const PairQuery& query, double margin,
                            std::vector<ContactPoint>* points) {
  const double r_A = std::get<shapes::Sphere>(query.A).radius;
  const double r_B = std::get<shapes::Sphere>(query.B).radius;
  const double reach = r_A + r_B + margin;
  if ((query.X_WB.p - query.X_WA.p).squaredNorm() > reach * reach) return;
  points->push_back(calc_closest(make_round(shapes::Sphere{r_A}, query.X_WA),
                                 make_round(shapes::Sphere{r_B}, query.X_WB)));
}

double rounding_of(const shapes::Box& box) {
  return box.radius;
}
double rounding_of(const shapes::Cylinder& /*cylinder*/) {
  return 0.0;
}

// A solid A with a sphere B.
template <typename Solid>
ContactPoint calc_sphere_contact(const PairQuery& query) {
  const Solid& solid = std::get<Solid>(query.A);
  const double rounding = rounding_of(solid);
  const double radius = std::get<shapes::Sphere>(query.B).radius;
  const Vec3 centre = query.X_WA.R.transpose() * (query.X_WB.p - query.X_WA.p);
  const SurfacePoint nearest = calc_nearest(solid, centre);
  ContactPoint point;
  point.normal = query.X_WA.R * nearest.normal;
  point.gap = nearest.gap - radius - rounding;
  point.p_B = query.X_WB.p - radius * point.normal;
  point.p_A = point.p_B - point.gap * point.normal;
  point.radius_A = rounding;
  point.radius_B = radius;
  point.feature_A = nearest.feature;
  return point;
}

// The contact of pairs whose single pair of closest points has a closed form; nothing for other
// pairs.
std::optional<ContactPoint> calc_simple_contact(const PairQuery& query) {
  if (is<shapes::Sphere>(query.B)) {
    if (is<shapes::Box>(query.A)) return calc_sphere_contact<shapes::Box>(query);
    if (is<shapes::Cylinder>(query.A)) return calc_sphere_contact<shapes::Cylinder>(query);
  }
  if (is<shapes::Sphere>(query.A) && !is<shapes::Sphere>(query.B)) {
    std::optional<ContactPoint> point;
    if (is<shapes::Box>(query.B)) point = calc_sphere_contact<shapes::Box>(query.swapped());
    if (is<shapes::Cylinder>(query.B)) {
      point = calc_sphere_contact<shapes::Cylinder>(query.swapped());
    }
    if (point) flip(&*point);
    return point;
  }
  return std::nullopt;
}

Distance make_distance(const ContactPoint& point) {
  return {.gap = point.gap, .p_A = point.p_A, .p_B = point.p_B, .normal = point.normal};
}

// The deepest point of a shape below a plane A.
Distance calc_plane_distance(const PairQuery& query) {
  const Core core(query.B);
  const Vec3 normal = query.X_WA.R.col(2);
  const Support lowest = core.support(-(query.X_WB.R.transpose() * normal), 0);
  const Vec3 p_B = query.X_WB * lowest.point - core.rounding() * normal;
  const double gap = normal.dot(p_B - query.X_WA.p);
  return {.gap = gap, .p_A = p_B - gap * normal, .p_B = p_B, .normal = normal};
}

// The contact of a plane with an ellipsoid B.
ContactPoint make_smooth_contact(const Distance& lowest) {
  return {.p_A = lowest.p_A,
          .p_B = lowest.p_B,
          .normal = lowest.normal,
          .gap = lowest.gap,
          .feature_A = make_feature(FeatureKind::kFace, 0),
          .feature_B = make_feature(FeatureKind::kSmooth, 0)};
}

Distance calc_boundless_distance(const PairQuery& query, NarrowPhase* narrow_phase) {
  if (is<shapes::TriangleSurface>(query.A)) return calc_surface_distance(query, narrow_phase);
  return is<shapes::Bowl>(query.A) ? make_distance(calc_bowl_contact(query))
                                   : calc_plane_distance(query);
}

}  // namespace

void NarrowPhase::append_plane_manifold(const PairQuery& query, double margin,
                                        std::vector<ContactPoint>* points) {
  const Core core(query.B);
  if (core.is_ellipsoid()) {
    const Distance lowest = calc_plane_distance(query);
    if (lowest.gap <= margin) points->push_back(make_smooth_contact(lowest));
    return;
  }
  const Vec3 normal = query.X_WA.R.col(2);
  const Vec3 offset = query.X_WB.p - query.X_WA.p;
  const Pose X_AB{.R = query.X_WA.R.transpose() * query.X_WB.R,
                  .p = query.X_WA.R.transpose() * offset};
  face_.region.set_plane();
  face_.start = 0;
  update_face_patch(core, X_AB, margin + core.rounding(), &face_);
  append_patch(query, normal, true, points);
  for (auto it = points->end() - static_cast<std::ptrdiff_t>(face_.patch.size());
       it != points->end(); ++it) {
    it->gap -= core.rounding();
    it->p_B -= core.rounding() * normal;
    it->radius_B = core.rounding();
  }
}

// Handles pairs in which one shape is a plane, a bowl or a surface, and makes this shape the first.
void NarrowPhase::append_boundless_manifold(const PairQuery& query, double margin,
                                            std::vector<ContactPoint>* points) {
  if (is_boundless(query.A) && is_boundless(query.B)) return;
  const auto begin = static_cast<std::ptrdiff_t>(points->size());
  const bool swap = is_boundless(query.B);
  const PairQuery ordered = swap ? query.swapped() : query;
  if (is<shapes::Bowl>(ordered.A)) {
    append_bowl_manifold(ordered, margin, points);
  } else if (is<shapes::TriangleSurface>(ordered.A)) {
    append_surface_manifold(ordered, margin, this, points);
  } else {
    append_plane_manifold(ordered, margin, points);
  }
  if (swap)
    std::for_each(points->begin() + begin, points->end(), [](ContactPoint& p) {
      flip(&p);
    });
}

void NarrowPhase::append_manifold(const PairQuery& query, double margin,
                                  std::vector<ContactPoint>* points) {
  if (is<shapes::Sphere>(query.A) && is<shapes::Sphere>(query.B)) {
    append_sphere_manifold(query, margin, points);
    return;
  }
  if (is_boundless(query.A) || is_boundless(query.B)) {
    append_boundless_manifold(query, margin, points);
    return;
  }
  const std::optional<RoundSegment> round_A = find_round(query.A, query.X_WA);
  const std::optional<RoundSegment> round_B = find_round(query.B, query.X_WB);
  if (round_A && round_B) {
    append_round_manifold(*round_A, *round_B, margin, points);
    return;
  }
  if (const std::optional<ContactPoint> point = calc_simple_contact(query)) {
    if (point->gap <= margin) points->push_back(*point);
    return;
  }
  append_core_manifold(query, margin, points);
}

Distance NarrowPhase::calc_distance(const PairQuery& query) {
  if (is_boundless(query.A) && is_boundless(query.B)) {
    return {.gap = std::numeric_limits<double>::infinity(), .normal = Vec3::UnitZ()};
  }
  if (is_boundless(query.A)) return calc_boundless_distance(query, this);
  if (is_boundless(query.B)) {
    Distance distance = calc_boundless_distance(query.swapped(), this);
    std::swap(distance.p_A, distance.p_B);
    distance.normal = -distance.normal;
    return distance;
  }
  const std::optional<RoundSegment> round_A = find_round(query.A, query.X_WA);
  const std::optional<RoundSegment> round_B = find_round(query.B, query.X_WB);
  if (round_A && round_B) return make_distance(calc_closest(*round_A, *round_B));
  if (const std::optional<ContactPoint> point = calc_simple_contact(query)) {
    return make_distance(*point);
  }
  return calc_core_distance(query);
}

void append_manifold(const shapes::Shape& A, const Pose& X_WA, const shapes::Shape& B,
                     const Pose& X_WB, double margin, std::vector<ContactPoint>* points) {
  NarrowPhase().append_manifold({.A = A, .X_WA = X_WA, .B = B, .X_WB = X_WB}, margin, points);
}

Distance calc_distance(const shapes::Shape& A, const Pose& X_WA, const shapes::Shape& B,
                       const Pose& X_WB) {
  return NarrowPhase().calc_distance({.A = A, .X_WA = X_WA, .B = B, .X_WB = X_WB});
}

}  // namespace tenpin::collide
