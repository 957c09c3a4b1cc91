#include "collide/round_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "collide/features.h"
#include "collide/tolerances.h"

namespace tenpin::collide {
namespace {

// rad   Axes at a smaller angle than this count as parallel, so that they may touch along their
// length.
constexpr double kParallelAngle = 0.02;  // rad
constexpr double kMerge = 1e-9;          // relative to length

Vec3 point_at(const RoundSegment& segment, double s) {
  if (s == 0.0) return segment.ends[0];
  if (s == 1.0) return segment.ends[1];
  return segment.ends[0] + s * (segment.ends[1] - segment.ends[0]);
}

// The parameter of the nearest point of a segment; exactly 0 or 1 at its ends.
double project(const RoundSegment& segment, const Vec3& x) {
  const Vec3 d = segment.ends[1] - segment.ends[0];
  const double length2 = d.squaredNorm();
  if (length2 == 0.0) return 0.0;
  return std::clamp(d.dot(x - segment.ends[0]) / length2, 0.0, 1.0);
}

std::uint32_t feature_at(const RoundSegment& segment, double s) {
  if (segment.is_point || s == 0.0) return make_feature(FeatureKind::kVertex, 0);
  if (s == 1.0) return make_feature(FeatureKind::kVertex, 1);
  return make_feature(FeatureKind::kEdge, 0);
}

// The normal for axes that intersect: orthogonal to both, towards B's middle if that determines a
// sign, otherwise with a positive z component.
Vec3 calc_crossing_normal(const RoundSegment& A, const RoundSegment& B) {
  const Vec3 d_A = A.ends[1] - A.ends[0];
  const Vec3 d_B = B.ends[1] - B.ends[0];
  Vec3 n = d_A.cross(d_B);
  if (n.squaredNorm() <= 1e-24 * d_A.squaredNorm() * d_B.squaredNorm()) {
    const Vec3 axis = d_A.squaredNorm() >= d_B.squaredNorm() ? d_A : d_B;
    if (axis.isZero()) return Vec3::UnitZ();
    n = Vec3::UnitZ() - (axis.z() / axis.squaredNorm()) * axis;
    if (n.squaredNorm() < 1e-6) n = Vec3::UnitX() - (axis.x() / axis.squaredNorm()) * axis;
  }
  // For nearly parallel axes, digits cancel in the product; projecting again restores them.
  n.normalize();
  for (const Vec3& axis : {d_A, d_B}) {
    if (!axis.isZero()) n -= (axis.dot(n) / axis.squaredNorm()) * axis;
  }
  n.normalize();
  const double side = n.dot(B.ends[0] + B.ends[1] - A.ends[0] - A.ends[1]);
  return side < 0.0 ? Vec3(-n) : n;
}

// The vector from A's axis to B's, made orthogonal to each axis that it meets in its interior. This
// removes rounding, which matters when the axes nearly intersect.
Vec3 calc_offset(const RoundSegment& A, const RoundSegment& B, const AxisPair& pair) {
  Vec3 d = point_at(B, pair.t) - point_at(A, pair.s);
  const bool inside_A = pair.s > 0.0 && pair.s < 1.0;
  const bool inside_B = pair.t > 0.0 && pair.t < 1.0;
  if (inside_A && inside_B) {
    const Vec3 n = calc_crossing_normal(A, B);
    const Vec3 across = n.dot(B.ends[0] - A.ends[0]) * n;
    const double scale = point_at(A, pair.s).lpNorm<1>() + A.radius + B.radius;
    return (d - across).norm() <= 1e-12 * scale ? across : d;
  }
  const RoundSegment& inside = inside_A ? A : B;
  if (!inside_A && !inside_B) return d;
  const Vec3 axis = (inside.ends[1] - inside.ends[0]).normalized();
  for (int i = 0; i < 2; ++i) d -= axis.dot(d) * axis;
  return d;
}

ContactPoint make_contact(const RoundSegment& A, const RoundSegment& B, const AxisPair& pair) {
  const Vec3 a = point_at(A, pair.s);
  const Vec3 d = calc_offset(A, B, pair);
  const double distance = d.norm();
  ContactPoint point;
  // If the axes are closer than rounding, the direction between them is meaningless.
  const double noise = 1e-15 * a.lpNorm<1>() + 1e-12 * (A.radius + B.radius);
  const bool meet = distance <= noise || distance == 0.0;
  point.normal = meet ? calc_crossing_normal(A, B) : Vec3(d / distance);
  point.gap = (meet ? point.normal.dot(d) : distance) - A.radius - B.radius;
  point.p_A = a + A.radius * point.normal;
  point.p_B = point.p_A + point.gap * point.normal;
  point.radius_A = A.radius;
  point.radius_B = B.radius;
  point.feature_A = feature_at(A, pair.s);
  point.feature_B = feature_at(B, pair.t);
  return point;
}

// The ends of each segment, paired with their nearest points on the other.
std::array<AxisPair, 4> make_end_pairs(const RoundSegment& A, const RoundSegment& B) {
  return {{{0.0, project(B, A.ends[0])},
           {1.0, project(B, A.ends[1])},
           {project(A, B.ends[0]), 0.0},
           {project(A, B.ends[1]), 1.0}}};
}

double distance2(const RoundSegment& A, const RoundSegment& B, const AxisPair& pair) {
  return (point_at(B, pair.t) - point_at(A, pair.s)).squaredNorm();
}

// How far this pair of points is from being proven closest: the distance of the points minus the
// distance of the axes along the points' connecting line.
double calc_doubt(const RoundSegment& A, const RoundSegment& B, const AxisPair& pair) {
  const Vec3 d = calc_offset(A, B, pair);
  const double distance = d.norm();
  if (distance == 0.0) return 0.0;
  const Vec3 n = d / distance;
  const double high_A = std::max(n.dot(A.ends[0]), n.dot(A.ends[1]));
  const double low_B = std::min(n.dot(B.ends[0]), n.dot(B.ends[1]));
  return distance - (low_B - high_A);
}

bool are_flat(const RoundSegment& A, const RoundSegment& B) {
  if (A.is_point || B.is_point) return false;
  const Vec3 d_A = A.ends[1] - A.ends[0];
  const Vec3 d_B = B.ends[1] - B.ends[0];
  return d_A.cross(d_B).norm() < kParallelAngle * d_A.norm() * d_B.norm();
}

// True if the end is beside the other segment rather than beyond its end.
bool is_beside(const RoundSegment& A, const RoundSegment& B, const AxisPair& pair) {
  const Vec3 a = point_at(A, pair.s);
  const Vec3 b = point_at(B, pair.t);
  const bool end_of_A = pair.s == 0.0 || pair.s == 1.0;
  const RoundSegment& other = end_of_A ? B : A;
  const Vec3 d = other.ends[1] - other.ends[0];
  return std::abs(d.dot(b - a)) <= kMerge * d.squaredNorm();
}

}  // namespace

RoundSegment make_round(const shapes::Sphere& sphere, const Pose& X_WS) {
  return {.ends = {X_WS.p, X_WS.p}, .radius = sphere.radius, .is_point = true};
}

RoundSegment make_round(const shapes::Capsule& capsule, const Pose& X_WC) {
  const Vec3 half = X_WC.R.col(2) * capsule.half_length;
  return {.ends = {X_WC.p - half, X_WC.p + half}, .radius = capsule.radius, .is_point = false};
}

AxisPair find_closest(const RoundSegment& A, const RoundSegment& B) {
  const std::array<AxisPair, 4> ends = make_end_pairs(A, B);
  std::array<AxisPair, 5> pairs = {ends[0], ends[1], ends[2], ends[3], ends[0]};
  const Vec3 d_A = A.ends[1] - A.ends[0];
  const Vec3 d_B = B.ends[1] - B.ends[0];
  const Vec3 cross = d_A.cross(d_B);
  const double det = cross.squaredNorm();
  if (det > 0.0) {
    // Rounding may place the crossing of nearly parallel axes slightly beyond an end. Every pair of
    // points on the axes is a valid candidate; beyond an end, only the nearest point to that end
    // is.
    double s = std::clamp(cross.dot((B.ends[0] - A.ends[0]).cross(d_B)) / det, 0.0, 1.0);
    const double t = project(B, point_at(A, s));
    if (t == 0.0 || t == 1.0) s = project(A, point_at(B, t));
    pairs[4] = {s, t};
  }
  std::array<double, 5> distances2 = {};
  int best = 0;
  for (int i = 0; i < 5; ++i) {
    distances2[i] = distance2(A, B, pairs[i]);
    if (distances2[i] < distances2[best]) best = i;
  }
  // If the distance hardly depends on the points, the distance converges to rounding before the
  // points do.
  const double tie = distances2[best] * (1.0 + kEqualDistance);
  for (int i = 0; i < 5; ++i) {
    if (i == best || distances2[i] > tie || pairs[i] == pairs[best]) continue;
    if (calc_doubt(A, B, pairs[i]) < calc_doubt(A, B, pairs[best])) best = i;
  }
  return pairs[best];
}

ContactPoint calc_closest(const RoundSegment& A, const RoundSegment& B) {
  if (A.is_point && B.is_point) return make_contact(A, B, {});
  return make_contact(A, B, find_closest(A, B));
}

void append_round_manifold(const RoundSegment& A, const RoundSegment& B, double margin,
                           std::vector<ContactPoint>* points) {
  const ContactPoint closest = calc_closest(A, B);
  if (closest.gap > margin) return;
  const std::size_t begin = points->size();
  const double size = (A.ends[1] - A.ends[0]).norm() + (B.ends[1] - B.ends[0]).norm();
  const auto append = [&](const ContactPoint& point) {
    for (std::size_t i = begin; i < points->size(); ++i) {
      if (((*points)[i].p_A - point.p_A).norm() <= kMerge * size) return;
    }
    points->push_back(point);
  };
  if (are_flat(A, B)) {
    for (const AxisPair& pair : make_end_pairs(A, B)) {
      if (!is_beside(A, B, pair)) continue;
      const ContactPoint point = make_contact(A, B, pair);
      if (point.gap <= margin) append(point);
    }
  }
  // Exactly parallel axes are equally close everywhere, so the ends suffice.
  for (std::size_t i = begin; i < points->size(); ++i) {
    if ((*points)[i].gap <= closest.gap + 1e-13 * size) return;
  }
  append(closest);
}

}  // namespace tenpin::collide
