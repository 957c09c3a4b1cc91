#include "contact/track.h"

#include <cmath>
#include <utility>

#include "collide/core.h"
#include "collide/features.h"
#include "collide/separation.h"
#include "contact/core_curve.h"
#include "contact/smooth_contact.h"
#include "contact/tolerances.h"
#include "shapes/surface_mesh.h"

namespace tenpin::contact {

namespace {

using collide::FeatureKind;
using Kind = TrackedFeature::Kind;

// One side of a contact: the shape and the place where it is touched.
struct TouchedShape {
  const shapes::Shape& shape;
  Pose X_BS;
  std::uint32_t feature;
  Vec3 p_B;         // m   on the surface
  Vec3 outward;     // -   body frame
  double rounding;  // m
};

struct Ends {
  Vec3 from, to;  // m
};

Ends find_edge(const shapes::Shape& shape, int edge) {
  if (const auto* surface = std::get_if<shapes::TriangleSurface>(&shape)) {
    const shapes::SurfaceMesh::Edge& e = surface->mesh->edges[edge];
    return {surface->mesh->vertices[e.from], surface->mesh->vertices[e.to]};
  }
  const collide::Core core(shape);
  const collide::Polytope& polytope = core.polytope();
  const shapes::ConvexMesh::Edge& e = polytope.edges[edge];
  return {polytope.vertices[e.from], polytope.vertices[e.to]};
}

Vec3 calc_edge_direction(const shapes::Shape& shape, int edge) {
  if (std::holds_alternative<shapes::Capsule>(shape)) return Vec3::UnitZ();
  const auto [from, to] = find_edge(shape, edge);
  return (to - from).normalized();
}

Vec3 calc_face_normal(const shapes::Shape& shape, int face) {
  if (std::holds_alternative<shapes::Plane>(shape)) return Vec3::UnitZ();
  if (const auto* surface = std::get_if<shapes::TriangleSurface>(&shape)) {
    return surface->mesh->normals[face];
  }
  return collide::face_normal(collide::Core(shape), face);
}

// True if the contact is at the end of the edge in its key. A contact at a vertex, or at the end of
// a capsule, may have the key of an edge that ends there, but the line beyond that end does not
// belong to the body.
bool is_at_end_of_edge(const TouchedShape& touched, int edge) {
  constexpr double kEnd = 1e-9;  // -   of the length
  const Vec3 p = touched.X_BS.inverse() * (touched.p_B - touched.rounding * touched.outward);
  if (const auto* capsule = std::get_if<shapes::Capsule>(&touched.shape)) {
    return std::fabs(p.z()) >= (1.0 - kEnd) * capsule->half_length;
  }
  const auto [from, to] = find_edge(touched.shape, edge);
  const double part = (p - from).dot(to - from) / (to - from).squaredNorm();
  return std::fabs(part - 0.5) >= 0.5 - kEnd;
}

// The rim at which the side of a cylinder ends, if the contact is there, else -1. Such a contact
// may have the key of the side, but its normal leans beyond the end of the side.
int find_rim_at_end_of_side(const TouchedShape& touched) {
  constexpr double kEnd = 1e-9;  // -   of the length
  const double half_length = shapes::find_rims(touched.shape).half_length;
  const double z = (touched.X_BS.inverse() * touched.p_B).z();
  if (std::fabs(z) < (1.0 - kEnd) * half_length) return -1;
  return z < 0.0 ? 0 : 1;
}

// Makes the rim as a circle without rounding.
TrackedFeature make_rim(const TouchedShape& touched, int rim) {
  const shapes::Rims rims = shapes::find_rims(touched.shape);
  const double z = rim == 0 ? -rims.half_length : rims.half_length;
  return {.kind = Kind::kRim,
          .p = touched.X_BS * Vec3(0.0, 0.0, z),
          .axis = touched.X_BS.R.col(2),
          .rim = rims.radius};
}

TrackedFeature make_smooth(const TouchedShape& touched) {
  return {.kind = Kind::kSmooth,
          .p = touched.X_BS.p,
          .semiaxes = std::get<shapes::Ellipsoid>(touched.shape).semiaxes,
          .R = touched.X_BS.R};
}

TrackedFeature make_feature(const TouchedShape& touched) {
  const FeatureKind kind = collide::feature_kind(touched.feature);
  const int index = collide::feature_index(touched.feature);
  TrackedFeature f;
  f.radius = touched.rounding;
  f.p = touched.p_B - f.radius * touched.outward;
  switch (kind) {
    case FeatureKind::kEdge:
      f.kind = Kind::kLine;
      f.axis = touched.X_BS.R * calc_edge_direction(touched.shape, index);
      break;
    case FeatureKind::kFace:
      f.kind = Kind::kPlane;
      f.axis = touched.X_BS.R * calc_face_normal(touched.shape, index);
      break;
    case FeatureKind::kRimCross:
    case FeatureKind::kRim:
      return make_rim(touched,
                      kind == FeatureKind::kRim ? index : index / collide::kCrossingsPerRim);
    case FeatureKind::kSide: {
      const int rim = find_rim_at_end_of_side(touched);
      const auto* cylinder = std::get_if<shapes::Cylinder>(&touched.shape);
      if (rim == 0 || (rim > 0 && cylinder != nullptr)) return make_rim(touched, rim);
      if (cylinder == nullptr) break;  // of a cone: the apex, or a point as in lies_on_slope
      f.kind = Kind::kLine;
      f.axis = touched.X_BS.R.col(2);
      f.p = touched.X_BS.p + f.axis * f.axis.dot(touched.p_B - touched.X_BS.p);
      f.radius = cylinder->radius;
      break;
    }
    case FeatureKind::kSmooth:
      return make_smooth(touched);
    case FeatureKind::kVertex:
    case FeatureKind::kRimMark:
      break;
  }
  if (kind == FeatureKind::kEdge && is_at_end_of_edge(touched, index)) f.kind = Kind::kPoint;
  return f;
}

// A rim of a cylinder that lies on its side becomes a point of the axis, rounded by the cylinder's
// radius.
void lay_on_side(const Vec3& outward, TrackedFeature* f) {
  if (f->kind != Kind::kRim || std::fabs(f->axis.dot(outward)) > kParallelEdges) return;
  f->kind = Kind::kLine;
  f->radius = f->rim;
}

// The side of a cone turns away under a point that it touches; such contacts are followed to first
// order.
bool lies_on_slope(const TouchedShape& touched) {
  return std::holds_alternative<shapes::Cone>(touched.shape) &&
         collide::feature_kind(touched.feature) == FeatureKind::kSide;
}

// Shape, pose and velocity of one side of the pair.
struct Side {
  const TrackedFeature& f;
  int body;
};

struct Sides {
  Side first, second;
};

Sides order_sides(const Track& track, const Contact& c) {
  const Side a{track.a, c.body_a};
  const Side b{track.b, c.body_b};
  return track.flipped ? Sides{b, a} : Sides{a, b};
}

bool are_sharp(const TrackedFeature& f, const TrackedFeature& g) {
  return f.radius == 0.0 && g.radius == 0.0;
}

// The closest points of two features without their rounding radii.
struct Closest {
  CoreCurve first, second;  // a plane is represented by one of its points
  Vec3 n;                   // -   first to second
  double steepness = 1.0;   // -   of a rim on a plane: length of n across its axis
};

// Finds the point of the plane below the other feature, and the feature's point.
Closest find_closest_to_plane(const Sides& sides, const std::vector<Pose>& X_WB) {
  const TrackedFeature& f = sides.first.f;
  const TrackedFeature& g = sides.second.f;
  const Pose& X = X_WB[sides.first.body];
  const Pose& Y = X_WB[sides.second.body];
  Closest r{.first = {}, .second = {.p = Y * g.p}, .n = X.R * f.axis};
  if (g.kind == Kind::kLine) {
    const Vec3 axis = Y.R * g.axis;
    const Vec3 aside = r.n.cross(X.R * f.edge);
    r.second.p -= axis * (aside.dot(r.second.p - X * f.p) / aside.dot(axis));
  }
  if (g.kind == Kind::kRim) {
    const Vec3 axis = Y.R * g.axis;
    const Vec3 across = r.n - axis * axis.dot(r.n);
    r.steepness = across.norm();
    // A small tilt magnifies the rounding along the axis; projecting again removes it.
    const Vec3 tilt = across / r.steepness;
    const Vec3 e = (axis * axis.dot(tilt) - tilt).normalized();
    r.second.p += g.rim * e;
    r.second.tangent = axis.cross(e);
  }
  r.first.p = r.second.p - r.n * r.n.dot(r.second.p - X * f.p);
  return r;
}

SmoothPair make_smooth_pair(const Sides& sides, const std::vector<Pose>& X_WB) {
  return {.first = sides.first.f,
          .second = sides.second.f,
          .X_first = X_WB[sides.first.body],
          .X_second = X_WB[sides.second.body]};
}

Closest find_closest_to_ellipsoid(const Sides& sides, const std::vector<Pose>& X_WB,
                                  const Vec3& n_old) {
  const SmoothClosest at = find_smooth_closest(make_smooth_pair(sides, X_WB), n_old);
  return {.first = {.p = at.p_first}, .second = {.p = at.p_second}, .n = at.n};
}

// Searches near the previous place of the contact.
Closest find_closest_points(const Sides& sides, const std::vector<Pose>& X_WB, const Contact& was) {
  const TrackedFeature& f = sides.first.f;
  const TrackedFeature& g = sides.second.f;
  const bool flipped = sides.first.body != was.body_a;
  const Vec3 n_old = flipped ? Vec3(-was.normal) : was.normal;
  if (g.kind == Kind::kSmooth) return find_closest_to_ellipsoid(sides, X_WB, n_old);
  if (f.kind == Kind::kPlane) return find_closest_to_plane(sides, X_WB);
  Closest r{.first = make_core_curve(f, X_WB[sides.first.body], flipped ? was.p_b : was.p_a),
            .second = make_core_curve(g, X_WB[sides.second.body], flipped ? was.p_a : was.p_b),
            .n = n_old};
  find_closest(&r.first, &r.second);
  r.n = calc_normal(r.first, r.second, are_sharp(f, g), n_old);
  return r;
}

bool is_crossing(std::uint32_t feature) {
  return collide::feature_kind(feature) == FeatureKind::kRimCross;
}

// True if the pair determines a normal near the normal with which it was found. This is false for a
// rim that barely crosses an outline: the crossing is a point of a face.
bool is_determinate(const Track& track, const std::vector<Pose>& X_WB, const Contact& c) {
  constexpr double kCrossing = 1e-2;  // rad
  const Sides sides = order_sides(track, c);
  if (sides.first.f.kind == Kind::kPlane) return true;
  const Closest at = find_closest_points(sides, X_WB, c);
  if (sides.second.f.kind == Kind::kSmooth) return std::fabs(at.n.dot(c.normal)) >= kSameNormal;
  const bool is_sharp = are_sharp(sides.first.f, sides.second.f);
  const bool crosses = is_crossing(c.key.feature_a) || is_crossing(c.key.feature_b);
  const double least = crosses ? kCrossing : kParallelEdges;
  const bool has_point = sides.first.f.kind == Kind::kPoint || sides.second.f.kind == Kind::kPoint;
  return !(is_sharp && has_point) && calc_distinctness(at.first, at.second) > least * least &&
         std::fabs(at.n.dot(c.normal)) >= kSameNormal;
}

Vec3 reject(const Vec3& x, const Vec3& unit) {
  return x - unit * unit.dot(x);
}

CoreWandering calc_feature_motion(const Sides& sides, const Closest& at, const BodyMotion& motion) {
  const TrackedFeature& f = sides.first.f;
  const TrackedFeature& g = sides.second.f;
  const dynamics::Twist& V = motion.V_WB[sides.first.body];
  const dynamics::Twist& U = motion.V_WB[sides.second.body];
  const CoreMotion cores{.w_first = V.w,
                         .w_second = U.w,
                         .v_first = V.at(at.first.p - motion.X_WB[sides.first.body].p),
                         .v_second = U.at(at.second.p - motion.X_WB[sides.second.body].p)};
  if (g.kind == Kind::kSmooth) {
    const SmoothClosest closest{.p_first = at.first.p, .p_second = at.second.p, .n = at.n};
    return calc_smooth_wandering(make_smooth_pair(sides, motion.X_WB), closest, cores);
  }
  if (f.kind != Kind::kPlane) {
    return calc_wandering(at.first, at.second, at.n, are_sharp(f, g), cores);
  }
  CoreWandering r{
      .n_dot = V.w.cross(at.n), .slip_first = Vec3::Zero(), .slip_second = Vec3::Zero()};
  if (g.kind == Kind::kRim) {
    const double turn = at.second.tangent.dot(r.n_dot - U.w.cross(at.n));
    r.slip_second = -(g.rim / at.steepness) * turn * at.second.tangent;
  }
  const double D = at.n.dot(at.second.p - at.first.p);
  r.slip_first = reject(cores.v_second - cores.v_first, at.n) + r.slip_second - D * r.n_dot;
  return r;
}

// Follows the crossing of two edges whose faces lie on each other.
void follow_crossing(const TouchedShape& base, TrackedFeature* flat) {
  flat->kind = Kind::kPlane;
  flat->edge = flat->axis;
  flat->axis = base.outward;
}

// Uses points fixed to the bodies where no features can be followed.
void take_points(const TouchedShape& base, const TouchedShape& other, TrackedFeature* flat,
                 TrackedFeature* sharp) {
  *flat = {.kind = Kind::kPlane, .p = base.p_B, .axis = base.outward};
  *sharp = {.kind = Kind::kPoint,
            .p = other.p_B - other.rounding * other.outward,
            .axis = Vec3::Zero(),
            .radius = other.rounding};
}

void turn_frame(const Vec3& t1, Contact* c) {
  if (c->is_planar) {
    c->t1 = c->t2.cross(c->normal);
    return;
  }
  c->t1 = reject(t1, c->normal).normalized();
  c->t2 = c->normal.cross(c->t1);
}

void update_stop(const dynamics::Model& model, ConstVecRef q, Contact* c) {
  const dynamics::Joint& joint = model.bodies[c->body_b].joint;
  c->gap = c->direction.x() < 0.0 ? joint.forces.upper - q[joint.q_begin]
                                  : q[joint.q_begin] - joint.forces.lower;
}

}  // namespace

Track make_track(const dynamics::Model& model, const std::vector<Pose>& X_WB, const Contact& c,
                 NormalOf normal) {
  Track track;
  if (c.kind != ContactKind::kSurface) return track;
  track.t1 = c.t1;
  const auto touched = [&](int part, int body, std::uint32_t feature, const Vec3& p,
                           const Vec3& outward, double rounding) {
    const Pose X_BW = X_WB[body].inverse();
    return TouchedShape{.shape = model.parts[part].placed.shape,
                        .X_BS = model.parts[part].placed.X_BS,
                        .feature = feature,
                        .p_B = X_BW * p,
                        .outward = X_BW.R * outward,
                        .rounding = rounding};
  };
  const TouchedShape A =
      touched(c.key.part_a, c.body_a, c.key.feature_a, c.p_a, c.normal, c.radius_a);
  const TouchedShape B =
      touched(c.key.part_b, c.body_b, c.key.feature_b, c.p_b, -c.normal, c.radius_b);
  track.a = make_feature(A);
  track.b = make_feature(B);
  if (track.a.kind != Kind::kPlane && track.b.kind != Kind::kPlane) {
    lay_on_side(A.outward, &track.a);
    lay_on_side(B.outward, &track.b);
  }
  track.flipped = track.b.kind > track.a.kind;
  TrackedFeature* flat = track.flipped ? &track.b : &track.a;
  TrackedFeature* sharp = track.flipped ? &track.a : &track.b;
  const double sine =
      (X_WB[c.body_a].R * track.a.axis).cross(X_WB[c.body_b].R * track.b.axis).norm();
  const bool both_lines = flat->kind == Kind::kLine && sharp->kind == Kind::kLine;
  const bool side_by_side =
      both_lines && sine <= kParallelEdges && flat->radius + sharp->radius > 0.0;
  const bool on_plane =
      flat->kind == Kind::kPlane && sharp->kind != Kind::kRim && sharp->kind != Kind::kSmooth;
  if (side_by_side || on_plane) sharp->kind = Kind::kPoint;
  const TouchedShape& base = track.flipped ? B : A;
  const bool cross = both_lines && sine > kParallelEdges && are_sharp(track.a, track.b);
  if (normal == NormalOf::kFaces && cross) {
    follow_crossing(base, flat);
  } else if (normal == NormalOf::kChoice || lies_on_slope(A) || lies_on_slope(B) ||
             !is_determinate(track, X_WB, c)) {
    track.is_exact = false;
    take_points(base, track.flipped ? A : B, flat, sharp);
  }
  return track;
}

void update_contact(const dynamics::Model& model, const Track& track, const std::vector<Pose>& X_WB,
                    ConstVecRef q, Contact* c) {
  if (c->kind != ContactKind::kSurface) {
    if (c->kind == ContactKind::kJointLimit) update_stop(model, q, c);
    return;
  }
  const double sign = track.flipped ? -1.0 : 1.0;
  const Sides sides = order_sides(track, *c);
  const Closest at = find_closest_points(sides, X_WB, *c);
  const Vec3 p_first = at.first.p + sides.first.f.radius * at.n;
  const Vec3 p_second = at.second.p - sides.second.f.radius * at.n;
  c->normal = sign * at.n;
  c->gap = at.n.dot(p_second - p_first);
  c->p_a = track.flipped ? p_second : p_first;
  c->p_b = track.flipped ? p_first : p_second;
  c->radius_a = track.a.radius;
  c->radius_b = track.b.radius;
  turn_frame(track.t1, c);
}

Vec3 calc_bias(const Track& track, const Contact& c, const BodyMotion& motion) {
  if (c.kind != ContactKind::kSurface) return Vec3::Zero();
  const double sign = track.flipped ? -1.0 : 1.0;
  const Sides sides = order_sides(track, c);
  const Closest at = find_closest_points(sides, motion.X_WB, c);
  const CoreWandering features = calc_feature_motion(sides, at, motion);
  const Vec3 n_dot = sign * features.n_dot;
  // Velocity of the body at the contact point, and its rate of change as the contact point moves.
  const auto accelerate = [&](int body, const Vec3& p, const Vec3& slip, const Vec3& rounding) {
    const Vec3 arm = p - motion.X_WB[body].p;
    const Vec3& w = motion.V_WB[body].w;
    const Vec3 arm_dot = w.cross(arm - rounding) + slip;
    return std::pair<Vec3, Vec3>(arm, arm_dot);
  };
  const auto [arm_a, core_a] =
      accelerate(c.body_a, c.p_a, track.flipped ? features.slip_second : features.slip_first,
                 c.radius_a * c.normal);
  const auto [arm_b, core_b] =
      accelerate(c.body_b, c.p_b, track.flipped ? features.slip_first : features.slip_second,
                 -c.radius_b * c.normal);
  const Vec3 arm_a_dot = core_a + c.radius_a * n_dot;
  const Vec3 arm_b_dot = core_b - c.radius_b * n_dot;
  const dynamics::Twist& V_a = motion.V_WB[c.body_a];
  const dynamics::Twist& V_b = motion.V_WB[c.body_b];
  const Vec3 u = V_b.at(arm_b) - V_a.at(arm_a);
  const Vec3 u_dot = motion.A_WB[c.body_b].at(arm_b) + V_b.w.cross(arm_b_dot) -
                     motion.A_WB[c.body_a].at(arm_a) - V_a.w.cross(arm_a_dot);
  return {c.normal.dot(u_dot) + n_dot.dot(u), c.t1.dot(u_dot), c.t2.dot(u_dot)};
}

}  // namespace tenpin::contact
