#include "collide/edge_manifold.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "collide/features.h"
#include "collide/round_pairs.h"

namespace tenpin::collide {
namespace {

// Edges this close to orthogonal to the normal may touch along their length.
constexpr double kFlatAngle = 0.02;  // rad
// Edges this much apart sideways at the ends of their common part still count as parallel.
constexpr double kSideways = 5e-11;  // relative to size
// An edge rising by less than this is orthogonal to the normal.
constexpr double kFlatRise = 1e-12;  // relative to size

// What a core shows in one direction: a point, or a segment with its ends.
struct Feature {
  bool is_segment = false;
  Vec3 p = Vec3::Zero();  // m   A's frame; the extreme end
  Vec3 q = Vec3::Zero();  // m   the other end of a segment
  std::uint32_t id_p = 0;
  std::uint32_t id_q = 0;
  std::uint32_t id = 0;
};

Feature find_cylinder_feature(const Core& core, const Pose& X_AC, const Vec3& n) {
  const double slant = n.z();
  const int rim = slant >= 0.0 ? 1 : 0;
  const Vec3 p = core.support(n, 0).point;
  Feature feature{.p = X_AC * p, .id = make_feature(FeatureKind::kRim, rim)};
  feature.id_p = feature.id;
  if (std::abs(slant) < kFlatAngle) {
    feature.is_segment = true;
    feature.q = X_AC * Vec3(p.x(), p.y(), -p.z());
    feature.id = make_feature(FeatureKind::kSide, 0);
    feature.id_q = make_feature(FeatureKind::kRim, 1 - rim);
  }
  return feature;
}

// n in the core's frame, outward.
Feature find_feature(const Core& core, const Pose& X_AC, const Vec3& n, int start) {
  if (core.is_cylinder()) return find_cylinder_feature(core, X_AC, n);
  const Polytope& polytope = core.polytope();
  const int v = core.support(n, start).vertex;
  Feature feature{.p = X_AC * polytope.vertices[v], .id = make_feature(FeatureKind::kVertex, v)};
  feature.id_p = feature.id;
  double flattest = kFlatAngle;
  for (const int u : polytope.neighbours_of(v)) {
    const Vec3 edge = polytope.vertices[u] - polytope.vertices[v];
    const double slant = std::abs(edge.dot(n)) / edge.norm();
    if (!(slant < flattest)) continue;
    flattest = slant;
    feature.is_segment = true;
    feature.q = X_AC * polytope.vertices[u];
    feature.id = make_feature(FeatureKind::kEdge, polytope.find_edge(v, u));
    feature.id_q = make_feature(FeatureKind::kVertex, u);
  }
  return feature;
}

Pose identity() {
  return {};
}

// One end of the common part of two parallel segments, at coordinate x along the line of both.
struct End {
  double x = 0.0;
  bool of_A = false;
  Vec3 p = Vec3::Zero();
  std::uint32_t id = 0;
};

class Parallel {
 public:
  Parallel(const Feature& A, const Feature& B, const Vec3& n) : A_(A), B_(B), n_(n) {
    t_ = A.q - A.p;
    t_ -= t_.dot(n) * n;
    t_.normalize();
  }

  // True, with the ends of the common part appended, when the segments run side by side.
  bool append(double size, double margin, std::vector<EdgePoint>* points) const {
    const End lower = std::max(low_end(A_, true), low_end(B_, false), less);
    const End upper = std::min(high_end(A_, true), high_end(B_, false), less);
    if (upper.x - lower.x < -kSideways * size) return false;
    const bool end_to_end = upper.x - lower.x <= kSideways * size;
    const EdgePoint first = make_point(lower);
    const EdgePoint second = make_point(upper);
    if (sideways(lower, first) > kSideways * size || sideways(upper, second) > kSideways * size) {
      return false;
    }
    if (first.gap <= margin) points->push_back(first);
    if (second.gap <= margin && !end_to_end) points->push_back(second);
    return true;
  }

 private:
  static bool less(const End& a, const End& b) { return a.x < b.x; }
  End end_at(const Feature& f, bool of_A, bool high) const {
    const bool take_q = (t_.dot(f.q - f.p) > 0.0) == high;
    return {.x = t_.dot(take_q ? f.q : f.p),
            .of_A = of_A,
            .p = take_q ? f.q : f.p,
            .id = take_q ? f.id_q : f.id_p};
  }
  End low_end(const Feature& f, bool of_A) const { return end_at(f, of_A, false); }
  End high_end(const Feature& f, bool of_A) const { return end_at(f, of_A, true); }

  // The point of the other segment beside an end.
  Vec3 partner(const End& end) const {
    const Feature& f = end.of_A ? B_ : A_;
    const Vec3 d = f.q - f.p;
    return f.p + ((end.x - t_.dot(f.p)) / t_.dot(d)) * d;
  }
  EdgePoint make_point(const End& end) const {
    const Vec3 other = partner(end);
    const double gap = n_.dot(other - end.p);
    return {.p_A = end.of_A ? end.p : other,
            .gap = end.of_A ? gap : -gap,
            .feature_A = end.of_A ? end.id : A_.id,
            .feature_B = end.of_A ? B_.id : end.id};
  }
  double sideways(const End& end, const EdgePoint& point) const {
    const Vec3 d = partner(end) - end.p;
    return (d - (end.of_A ? point.gap : -point.gap) * n_).norm();
  }

  const Feature& A_;
  const Feature& B_;
  const Vec3& n_;
  Vec3 t_;  // -   along both, orthogonal to n
};

bool is_inside(double t) {
  return t > -1e-6 && t < 1.0 + 1e-6;
}

// Where two segments cross, seen along n; false when they do not, or are too parallel to tell.
// The point is on A.
bool find_crossing(const Feature& A, const Feature& B, const Vec3& n, Vec3* p_A) {
  const Vec3 d_A = A.q - A.p;
  const Vec3 d_B = B.q - B.p;
  const double det = n.dot(d_A.cross(d_B));
  if (std::abs(det) <= 1e-13 * d_A.norm() * d_B.norm()) return false;
  // Rounding may put the crossing of nearly parallel edges beyond their ends.
  const double t = n.dot((B.p - A.p).cross(d_B)) / det;
  const double t0 = d_A.dot(B.p - A.p) / d_A.squaredNorm();
  const double t1 = d_A.dot(B.q - A.p) / d_A.squaredNorm();
  const double low = std::max(0.0, std::min(t0, t1));
  const double high = std::min(1.0, std::max(t0, t1));
  const bool nearly_parallel = det * det < 1e-8 * d_A.squaredNorm() * d_B.squaredNorm();
  const double u = n.dot((B.p - A.p).cross(d_A)) / det;
  if (!nearly_parallel && (!is_inside(t) || !is_inside(u))) return false;
  *p_A = A.p + std::clamp(t, nearly_parallel ? low : 0.0, nearly_parallel ? high : 1.0) * d_A;
  return true;
}

// The point of a cylinder's rim that is over a segment, seen along n. Better than the rim's extreme
// point along n when n is close to the axis.
bool find_rim_over(const Core& core, const Pose& X_AC, const Feature& rim, const Feature& segment,
                   const Vec3& n, Vec3* p) {
  const Vec3 axis = X_AC.R.col(2);
  const Vec3 centre = X_AC.p + axis.dot(rim.p - X_AC.p) * axis;
  const Vec3 m = n.cross(segment.q - segment.p).normalized();
  const Vec3 across = m - axis.dot(m) * axis;
  const double length = across.norm();
  if (length < 1e-6) return false;
  const double cosine = m.dot(segment.p - centre) / (core.radius() * length);
  if (std::abs(cosine) > 1.0) return false;
  const Vec3 x = across / length;
  const Vec3 y = std::sqrt(1.0 - cosine * cosine) * axis.cross(x);
  const Vec3 near = y.dot(rim.p - centre) >= 0.0 ? y : Vec3(-y);
  *p = centre + core.radius() * (cosine * x + near);
  return true;
}

// Whether the extreme point of a rim along n is well defined; near the axis it is rounding.
bool has_extreme_rim(const Core& core, const Pose& X_AC, const Vec3& n) {
  return n.cross(X_AC.R.col(2)).squaredNorm() > 1e-8 || !core.is_cylinder();
}

bool is_flat(const Feature& f, const Vec3& n, double tolerance) {
  return f.is_segment && std::abs(n.dot(f.q - f.p)) <= tolerance;
}

}  // namespace

void append_edge_points(const Separation& separation, double margin, CorePair* pair,
                        std::vector<EdgePoint>* points) {
  const Vec3& n = separation.n;
  const Pose X_AA = identity();
  const Vec3 n_B = -(pair->X_AB.R.transpose() * n);
  const Feature A = find_feature(pair->A, X_AA, n, pair->start_A);
  const Feature B = find_feature(pair->B, pair->X_AB, n_B, pair->start_B);
  const double size = pair->size();
  if (A.is_segment && B.is_segment && Parallel(A, B, n).append(size, margin, points)) return;
  const bool flat_A = is_flat(A, n, kFlatRise * size);
  const bool flat_B = is_flat(B, n, kFlatRise * size);
  const Vec3 shift = separation.gap * n;
  EdgePoint point{.p_A = separation.a, .gap = separation.gap};
  // A vertex fixes the point, else a rim, else two edges where they cross.
  Vec3 p;
  if (separation.certified) {
    point.p_A = separation.a;
  } else if (!flat_A && !pair->A.is_cylinder()) {
    point.p_A = A.p;
  } else if (!flat_B && !pair->B.is_cylinder()) {
    point.p_A = B.p - shift;
  } else if (!flat_A) {
    const Vec3 extreme = has_extreme_rim(pair->A, X_AA, n) ? A.p : separation.a;
    point.p_A = flat_B && find_rim_over(pair->A, X_AA, A, B, n, &p) ? p : extreme;
  } else if (!flat_B) {
    const Vec3 extreme = has_extreme_rim(pair->B, pair->X_AB, n) ? B.p : separation.b;
    point.p_A = (find_rim_over(pair->B, pair->X_AB, B, A, n, &p) ? p : extreme) - shift;
  } else if (pair->A.is_cylinder() && find_crossing(B, A, n, &p)) {
    point.p_A = p - shift;  // off a round side by second order, off an edge by none
  } else if (find_crossing(A, B, n, &p)) {
    point.p_A = p;
  }
  point.feature_A = flat_A ? A.id : A.id_p;
  point.feature_B = flat_B ? B.id : B.id_p;
  points->push_back(point);
}

namespace {

constexpr int kMaxSegments = 12;

// The edges of a polytope that may bear the closest point: those at the support vertex, and all of
// a face that is almost orthogonal to n. A lone vertex is a segment without length.
struct Segments {
  std::array<RoundSegment, kMaxSegments> items;
  int count = 0;

  void add(const Vec3& p, const Vec3& q) {
    if (count < kMaxSegments) items[count++].ends = {p, q};
  }
};

Segments find_segments(const Core& core, const Pose& X_AC, const Vec3& n, int start) {
  constexpr double kFaceCosine = 1.0 - 1e-10;
  Segments segments;
  const Polytope& polytope = core.polytope();
  const int v = core.support(n, start).vertex;
  const Vec3 p = X_AC * polytope.vertices[v];
  for (const int u : polytope.neighbours_of(v)) {
    const Vec3 edge = polytope.vertices[u] - polytope.vertices[v];
    if (std::abs(edge.dot(n)) < kFlatAngle * edge.norm()) {
      segments.add(p, X_AC * polytope.vertices[u]);
    }
  }
  const int face = find_face(core, n, v);
  if (face >= 0 && polytope.normals[face].dot(n) > kFaceCosine) {
    const auto loop = polytope.face(face);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int next = loop[i + 1 < loop.size() ? i + 1 : 0];
      if (loop[i] == v || next == v) continue;
      segments.add(X_AC * polytope.vertices[loop[i]], X_AC * polytope.vertices[next]);
    }
  }
  if (segments.count == 0) segments.add(p, p);
  return segments;
}

}  // namespace

void certify_by_features(Separation* separation, CorePair* pair) {
  constexpr double kCertified = 2e-13;  // relative to size
  const double size = pair->size();
  if (pair->is_curved() || separation->gap <= 0.0) return;
  const Vec3 n = separation->n;
  const Vec3 n_B = -(pair->X_AB.R.transpose() * n);
  const Segments A = find_segments(pair->A, identity(), n, pair->start_A);
  const Segments B = find_segments(pair->B, pair->X_AB, n_B, pair->start_B);
  for (int i = 0; i < A.count; ++i) {
    for (int j = 0; j < B.count; ++j) {
      const ContactPoint closest = calc_closest(A.items[i], B.items[j]);
      if (pair->separation(closest.normal) < closest.gap - kCertified * size) continue;
      separation->n = closest.normal;
      separation->gap = closest.gap;
      separation->a = closest.p_A;
      separation->b = closest.p_B;
      separation->certified = true;
      return;
    }
  }
}

}  // namespace tenpin::collide
