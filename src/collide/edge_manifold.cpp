#include "collide/edge_manifold.h"

#include <algorithm>
#include <cmath>

#include "collide/round_pairs.h"
#include "collide/witness.h"

namespace tenpin::collide {
namespace {

// -   relative to size. Edges count as parallel if, at the ends of their common part, their
// sideways distance is below this.
constexpr double kSideways = 2e-11;  // relative to size
// -   relative to size. At the ends of the common part the gap must equal the separation to within
// this.
constexpr double kBearing = 1e-11;  // relative to size

// One end of the common part of two parallel segments, at coordinate x along both segments.
struct End {
  double x = 0.0;
  bool of_A = false;
  Vec3 p = Vec3::Zero();
  std::uint32_t id = 0;
};

class Parallel {
 public:
  Parallel(const ShownSegment& A, const ShownSegment& B, const Vec3& n) : A_(A), B_(B), n_(n) {
    t_ = A.ends[1] - A.ends[0];
    t_ -= t_.dot(n) * n;
    t_.normalize();
  }

  // If the segments run side by side, appends the ends of their common part and returns true.
  bool append(const Separation& separation, double size, double margin,
              std::vector<EdgePoint>* points) const {
    const End lower = std::max(end_at(A_, true, 0), end_at(B_, false, 0), less);
    const End upper = std::min(end_at(A_, true, 1), end_at(B_, false, 1), less);
    const double common = upper.x - lower.x;
    if (common < -kSideways * size) return false;
    const EdgePoint first = make_point(lower);
    const EdgePoint second = make_point(upper);
    if (sideways(lower, first) > kSideways * size || sideways(upper, second) > kSideways * size) {
      return false;
    }
    const double least = std::min(first.gap, second.gap);
    if (!(std::abs(least - separation.gap) <= kBearing * size)) return false;
    if (first.gap <= margin) points->push_back(first);
    if (second.gap <= margin && common > kSideways * size) points->push_back(second);
    return true;
  }

 private:
  static bool less(const End& a, const End& b) { return a.x < b.x; }
  // The low (0) or high (1) end of a segment.
  End end_at(const ShownSegment& f, bool of_A, int high) const {
    const bool forward = t_.dot(f.ends[1] - f.ends[0]) > 0.0;
    const int k = forward ? high : 1 - high;
    return {.x = t_.dot(f.ends[k]), .of_A = of_A, .p = f.ends[k], .id = f.end_ids[k]};
  }

  // The point of the other segment opposite an end.
  Vec3 partner(const End& end) const {
    const ShownSegment& f = end.of_A ? B_ : A_;
    const Vec3 d = f.ends[1] - f.ends[0];
    return f.ends[0] + ((end.x - t_.dot(f.ends[0])) / t_.dot(d)) * d;
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

  const ShownSegment& A_;
  const ShownSegment& B_;
  const Vec3& n_;
  Vec3 t_;  // -   along both, orthogonal to n
};

RoundSegment round_off(const ShownSegment& segment) {
  return {.ends = segment.ends, .is_point = segment.is_point};
}

}  // namespace

void append_edge_points(const Separation& separation, double margin, CorePair* pair,
                        std::vector<EdgePoint>* points) {
  const Vec3& n = separation.n;
  const Vec3 n_B = -(pair->X_AB.R.transpose() * n);
  const Shown A = find_shown(pair->A, Pose(), n, pair->start_A);
  const Shown B = find_shown(pair->B, pair->X_AB, n_B, pair->start_B);
  for (int i = 0; i < A.count && !A.segments[i].is_point; ++i) {
    for (int j = 0; j < B.count && !B.segments[j].is_point; ++j) {
      const Parallel parallel(A.segments[i], B.segments[j], n);
      if (parallel.append(separation, pair->size(), margin, points)) return;
    }
  }
  const Witness witness = find_witness(n, separation.gap, pair);
  points->push_back({.p_A = separation.certified ? separation.a : witness.a,
                     .gap = separation.gap,
                     .feature_A = witness.feature_A,
                     .feature_B = witness.feature_B});
}

void certify_by_features(Separation* separation, CorePair* pair) {
  if (pair->is_curved() || separation->gap <= 0.0) return;
  const Vec3 n = separation->n;
  const Vec3 n_B = -(pair->X_AB.R.transpose() * n);
  const Shown A = find_shown(pair->A, Pose(), n, pair->start_A);
  const Shown B = find_shown(pair->B, pair->X_AB, n_B, pair->start_B);
  for (int i = 0; i < A.count; ++i) {
    for (int j = 0; j < B.count; ++j) {
      const ContactPoint closest = calc_closest(round_off(A.segments[i]), round_off(B.segments[j]));
      if (pair->separation(closest.normal) < closest.gap - kWitnessRounding * pair->size())
        continue;
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
