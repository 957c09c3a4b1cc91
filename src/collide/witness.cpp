#include "collide/witness.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "collide/rim_rim.h"
#include "collide/round_pairs.h"

namespace tenpin::collide {
namespace {

RoundSegment shift_round(const ShownSegment& segment, const Vec3& shift) {
  return {.ends = {segment.ends[0] + shift, segment.ends[1] + shift}, .is_point = segment.is_point};
}

Vec3 nearest_on(const RoundSegment& segment, double s) {
  if (s == 0.0 || s == 1.0) return segment.ends[s == 0.0 ? 0 : 1];
  return segment.ends[0] + s * (segment.ends[1] - segment.ends[0]);
}

// Searches for witness points. B is shifted by -gap n, so that it touches A and the two points
// coincide.
class WitnessSearch {
 public:
  WitnessSearch(const Vec3& n, double gap, double size)
      : n_(n), shift_(-gap * n), enough_(kWitnessRounding * size) {}

  const Witness& best() const { return best_; }
  bool done() const { return best_.residual <= enough_; }

  void visit_segments(const ShownSegment& A, const ShownSegment& B) {
    const RoundSegment a = shift_round(A, Vec3::Zero());
    const RoundSegment b = shift_round(B, shift_);
    const AxisPair at = find_closest(a, b);
    keep(nearest_on(a, at.s), nearest_on(b, at.t), A.id_at(at.s), B.id_at(at.t));
  }

  // Visits the points of a rim above a segment, seen along n. They are more accurate than the rim's
  // extreme point along n if n is close to the axis.
  void visit_rim_segment(const ShownRim& rim, const ShownSegment& segment, bool rim_of_A) {
    const RoundSegment line = shift_round(segment, rim_of_A ? shift_ : Vec3(-shift_));
    const Vec3 towards = line.ends[0] - rim.centre;
    if (segment.is_point) {
      const Vec3 radial = towards - rim.axis.dot(towards) * rim.axis;
      visit_point(rim.centre + rim.radius * radial.normalized(), rim.id, line, segment, rim_of_A);
      return;
    }
    const Vec3 m = n_.cross(line.ends[1] - line.ends[0]).normalized();
    const Vec3 radial = m - rim.axis.dot(m) * rim.axis;
    const double length = radial.norm();
    if (!(length > 1e-6)) return;
    const double cosine = m.dot(towards) / (rim.radius * length);
    if (!(std::abs(cosine) <= 1.0)) return;
    const Vec3 x = radial / length;
    const Vec3 y = std::sqrt(1.0 - cosine * cosine) * rim.axis.cross(x);
    for (const double side : {-1.0, 1.0}) {
      const Vec3 p = rim.centre + rim.radius * (cosine * x + side * y);
      visit_point(p, rim.id, line, segment, rim_of_A);
    }
  }

  // Visits the points where two rims meet: their extreme points and, for nearly parallel caps,
  // their crossings.
  void visit_rims(const Shown& A, const Shown& B) {
    const Circle a{.centre = A.rim.centre, .axis = A.rim.axis, .radius = A.rim.radius};
    const Circle b{.centre = B.rim.centre + shift_, .axis = B.rim.axis, .radius = B.rim.radius};
    const Vec3 p_A = A.segments[0].ends[0];
    const Vec3 p_B = B.segments[0].ends[0] + shift_;
    const CircleCrossing crossing = find_crossing(a, b);
    visit_circles(solve_circles(a, b, p_A, p_B), A.rim.id, B.rim.id);
    visit_circles(solve_circles(a, b, crossing.first, crossing.first), A.rim.id, B.rim.id);
    visit_circles(solve_circles(a, b, crossing.second, crossing.second), A.rim.id, B.rim.id);
  }

 private:
  void visit_circles(const CirclePoints& points, std::uint32_t id_A, std::uint32_t id_B) {
    keep(points.a, points.b, id_A, id_B);
  }

  void visit_point(const Vec3& p, std::uint32_t id, const RoundSegment& line,
                   const ShownSegment& segment, bool point_of_A) {
    const RoundSegment point{.ends = {p, p}, .is_point = true};
    const AxisPair at = find_closest(point, line);
    const Vec3 q = nearest_on(line, at.t);
    if (point_of_A) {
      keep(p, q, id, segment.id_at(at.t));
    } else {
      keep(q, p, segment.id_at(at.t), id, true);
    }
  }

  // Keeps the points if they are the best. `b` is on the shifted B; with `a_moved`, A was shifted
  // towards B instead.
  void keep(const Vec3& a, const Vec3& b, std::uint32_t feature_A, std::uint32_t feature_B,
            bool a_moved = false) {
    const double residual = (b - a).norm();
    if (!(residual < best_.residual)) return;
    best_ = {.a = a_moved ? Vec3(a + shift_) : a,
             .b = a_moved ? b : Vec3(b - shift_),
             .residual = residual,
             .feature_A = feature_A,
             .feature_B = feature_B};
  }

  const Vec3& n_;
  Vec3 shift_;
  double enough_;
  Witness best_;
};

}  // namespace

Witness find_witness(const Vec3& n, double gap, CorePair* pair) {
  const Vec3 n_B = -(pair->X_AB.R.transpose() * n);
  const Shown A = find_shown(pair->A, Pose(), n, pair->start_A);
  const Shown B = find_shown(pair->B, pair->X_AB, n_B, pair->start_B);
  WitnessSearch search(n, gap, pair->size());
  for (int i = 0; i < A.count && !search.done(); ++i) {
    for (int j = 0; j < B.count && !search.done(); ++j) {
      search.visit_segments(A.segments[i], B.segments[j]);
    }
  }
  for (int j = 0; j < B.count && A.rim.radius > 0.0 && !search.done(); ++j) {
    search.visit_rim_segment(A.rim, B.segments[j], true);
  }
  for (int i = 0; i < A.count && B.rim.radius > 0.0 && !search.done(); ++i) {
    search.visit_rim_segment(B.rim, A.segments[i], false);
  }
  if (A.rim.radius > 0.0 && B.rim.radius > 0.0 && !search.done()) search.visit_rims(A, B);
  return search.best();
}

}  // namespace tenpin::collide
