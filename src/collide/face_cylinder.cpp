// A cylinder or a cone against a flat face: standing on a cap, lying on its side, on a point of its
// rim or on its apex.
#include <algorithm>
#include <array>
#include <cmath>

#include "collide/face_manifold.h"
#include "collide/features.h"
#include "collide/tolerances.h"

namespace tenpin::collide {
namespace {

// -   If |axis . normal| is larger than this, the cap faces the region, otherwise the side does.
constexpr double kStanding = 0.7;

class RoundPatch {
 public:
  RoundPatch(const Core& core, const Pose& X_RI, double margin, FaceScratch* scratch)
      : core_(core),
        margin_(margin),
        scratch_(scratch),
        region_(scratch->region),
        axis_(X_RI.R.col(2)),
        cosine_(region_.normal().dot(axis_)),
        rim_(core.is_cone() || cosine_ > 0.0 ? 0 : 1) {
    const double h = core.half_length();
    centre_ = X_RI.p + (rim_ == 0 ? -h : h) * axis_;
    other_ = X_RI.p - (rim_ == 0 ? -h : h) * axis_;
    e1_ = core.radius() * X_RI.R.col(0);
    e2_ = core.radius() * X_RI.R.col(1);
    Vec3 radial = cosine_ * axis_ - region_.normal();
    const double sine = radial.norm();
    has_lowest_ = sine > 1e-12;
    if (has_lowest_) {
      // A small sine magnifies the rounding along the axis; projecting again removes it.
      radial /= sine;
      radial -= axis_.dot(radial) * axis_;
      lowest_ = core.radius() * radial.normalized();
    }
    if (core.is_cone() && !has_lowest_) lowest_ = e1_;  // all points of the rim are equally low
  }

  void append() {
    if ((core_.is_cone() ? cosine_ : std::abs(cosine_)) < kStanding) {
      append_side();
      return;
    }
    append_marks();
    append_crossings();
    append_corners();
    append_lowest();
  }

 private:
  Vec3 rim_point(const Vec2& direction) const {
    return centre_ + direction.x() * e1_ + direction.y() * e2_;
  }

  void append_point(const Vec3& x, std::uint32_t feature_R, std::uint32_t feature_I) {
    const double gap = region_.normal().dot(x) - region_.offset();
    if (gap > margin_) return;
    append_distinct({.p = x, .gap = gap, .feature_R = feature_R, .feature_I = feature_I},
                    kMergeTolerance * std::min(core_.size(), region_.calc_size()),
                    &scratch_->patch);
  }

  void append_side() {
    const Vec3 p = centre_ + lowest_;
    const Vec3 q = core_.is_cone() ? other_ : Vec3(other_ + lowest_);
    const Clip clip = region_.clip(region_.project(p), region_.project(q));
    if (!clip.inside) return;
    const std::uint32_t side = make_feature(FeatureKind::kSide, 0);
    const bool whole_p = clip.enter == 0.0;
    const bool whole_q = clip.leave == 1.0;
    const std::uint32_t end = core_.is_cone() ? make_feature(FeatureKind::kVertex, 0)
                                              : make_feature(FeatureKind::kRim, 1 - rim_);
    append_point(p + clip.enter * (q - p), whole_p ? region_.feature() : clip.enter_feature,
                 whole_p ? make_feature(FeatureKind::kRim, rim_) : side);
    append_point(p + clip.leave * (q - p), whole_q ? region_.feature() : clip.leave_feature,
                 whole_q ? end : side);
  }

  void append_marks() {
    for (int k = 0; k < kNumRimMarks; ++k) {
      const Vec3 x = rim_point(rim_mark(k));
      if (!region_.contains(region_.project(x))) continue;
      append_point(x, region_.feature(),
                   make_feature(FeatureKind::kRimMark, kNumRimMarks * rim_ + k));
    }
  }

  void append_crossings() {
    if (region_.kind() == Region::Kind::kPolygon) append_polygon_crossings();
    if (region_.kind() == Region::Kind::kDisc) append_disc_crossings();
  }

  // Each line of the outline crosses the rim where a cos + b sin = c, which has two solutions.
  void append_polygon_crossings() {
    const std::vector<Vec2>& corners = region_.corners();
    const Vec2 centre = region_.project(centre_);
    const Vec2 e1 = region_.project(e1_);
    const Vec2 e2 = region_.project(e2_);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Vec2 edge = corners[i + 1 < corners.size() ? i + 1 : 0] - corners[i];
      const Vec2 normal = Vec2(edge.y(), -edge.x()).normalized();
      const double a = normal.dot(e1);
      const double b = normal.dot(e2);
      const double c = normal.dot(corners[i] - centre);
      const double r2 = a * a + b * b;
      if (c * c >= r2) continue;
      const double root = std::sqrt(r2 - c * c);
      for (int k = 0; k < 2; ++k) {
        const double s = k == 0 ? root : -root;
        const Vec3 x = rim_point(Vec2(a * c - b * s, b * c + a * s) / r2);
        if (!region_.contains(region_.project(x))) continue;
        append_point(x, region_.edge_feature(static_cast<int>(i)),
                     make_feature(FeatureKind::kRimCross, kCrossingsPerRim * rim_ + k));
      }
    }
  }

  // How far the point of the rim is outside the region's disc, in squared distances.
  double excess(const Vec2& direction) const {
    const Vec2 x = region_.project(rim_point(direction));
    return x.squaredNorm() - region_.radius() * region_.radius();
  }

  // From the rim's point nearest to the disc's centre to the farthest one, the distance increases
  // on both sides.
  void append_disc_crossings() {
    const Vec2 centre = region_.project(centre_);
    const Vec2 towards(-centre.dot(region_.project(e1_)), -centre.dot(region_.project(e2_)));
    if (towards.isZero()) return;
    const Vec2 near = towards.normalized();
    constexpr double kMissed = 1e-9;  // discs side by side may fail to meet by rounding
    const double touching = 2.0 * region_.radius() * kMissed * core_.size();
    if (excess(near) > touching || excess(-near) <= 0.0) return;
    if (excess(near) >= 0.0) {
      append_crossing(near, 0);
      return;
    }
    for (int k = 0; k < 2; ++k) {
      const Vec2 side = k == 0 ? Vec2(-near.y(), near.x()) : Vec2(near.y(), -near.x());
      append_crossing(excess(side) > 0.0 ? bisect(side, near) : bisect(-near, side), k);
    }
  }

  void append_crossing(const Vec2& direction, int k) {
    const int region_rim = region_.feature() == make_feature(FeatureKind::kFace, 0) ? 0 : 1;
    append_point(rim_point(direction),
                 make_feature(FeatureKind::kRimCross, kCrossingsPerRim * region_rim + k),
                 make_feature(FeatureKind::kRimCross, kCrossingsPerRim * rim_ + k));
  }

  // Bisects the angle down to rounding.
  Vec2 bisect(Vec2 outside, Vec2 inside) const {
    for (int i = 0; i < kRimHalvings; ++i) {
      const Vec2 middle = (outside + inside).normalized();
      (excess(middle) > 0.0 ? outside : inside) = middle;
    }
    return inside;
  }

  void append_corners() {
    for (std::size_t i = 0; i < region_.corners().size(); ++i) {
      const Vec3 corner = region_.lift(region_.corners()[i]);
      const double gap = axis_.dot(centre_ - corner) / cosine_;
      const Vec3 x = corner + gap * region_.normal();
      const double tolerance = kOutlineTolerance * core_.size();
      if ((x - centre_).norm() > core_.radius() + tolerance) continue;
      append_point(x, region_.corner_feature(static_cast<int>(i)),
                   make_feature(FeatureKind::kFace, rim_));
    }
  }

  // The fixed points of the rim do not include the lowest point of a tilted rim.
  void append_lowest() {
    if (!has_lowest_) return;
    const Vec3 x = centre_ + lowest_;
    const double gap = region_.normal().dot(x) - region_.offset();
    for (const PatchPoint& point : scratch_->patch) {
      if (point.gap <= gap + 1e-13 * core_.size()) return;
    }
    if (!region_.contains(region_.project(x))) return;
    append_point(x, region_.feature(), make_feature(FeatureKind::kRim, rim_));
  }

  const Core& core_;
  double margin_;
  FaceScratch* scratch_;
  const Region& region_;
  Vec3 axis_;
  double cosine_;
  int rim_;
  Vec3 centre_;  // m   of the cap that faces the region
  Vec3 other_;   // m   of the other cap, or the apex
  Vec3 e1_;
  Vec3 e2_;
  Vec3 lowest_ = Vec3::Zero();  // m   from the centre of either cap to the lowest point of its rim
  bool has_lowest_ = false;
};

}  // namespace

void append_round_patch(const Core& incident, const Pose& X_RI, double margin,
                        FaceScratch* scratch) {
  RoundPatch(incident, X_RI, margin, scratch).append();
}

}  // namespace tenpin::collide
