#include "collide/bowl.h"

#include <algorithm>
#include <cmath>

#include "collide/core.h"
#include "collide/features.h"
#include "collide/region.h"
#include "shapes/ellipsoid.h"

namespace tenpin::collide {
namespace {

// Relative to the rim's radius. If the distances of the rim's points from the wall differ by less
// than this, the rim stands on the wall; otherwise only its farthest point touches.
constexpr double kStandingRim = 1.4;

class BowlWall {
 public:
  explicit BowlWall(const PairQuery& query)
      : query_(query),
        core_(query.B),
        radius_(std::get<shapes::Bowl>(query.A).radius),
        centre_(query.X_WB.R.transpose() * (query.X_WA.p - query.X_WB.p)) {}

  void append(double margin, std::vector<ContactPoint>* points) {
    nearest_ = std::max(radius_ - core_.rounding() - margin, 0.0);
    points_ = points;
    if (core_.has_caps()) {
      append_rim(0);
      if (core_.is_cylinder()) append_rim(1);
      if (core_.is_cone()) append_point(core_.apex(), make_feature(FeatureKind::kVertex, 0));
      return;
    }
    if (core_.is_ellipsoid()) {
      const shapes::FarPoints far = shapes::find_far_points(core_.semiaxes(), centre_);
      for (int i = 0; i < far.count; ++i) append_point(far.p[i], end_feature(far.p[i]));
      return;
    }
    const auto& vertices = core_.polytope().vertices;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      const int vertex = static_cast<int>(v);
      if (core_.rounding() > 0.0 && is_inner_end(vertex)) continue;
      append_point(vertices[v], make_feature(FeatureKind::kVertex, vertex));
    }
  }

  // Distance from a point is a convex function with many local maxima on a polytope, so all
  // vertices are tested.
  ContactPoint find_farthest() const {
    if (core_.is_cone()) {
      const Vec3 far = rim_point(0, outward());
      const bool is_rim = distance(far) > distance(core_.apex());
      return is_rim ? make_point(far, make_feature(FeatureKind::kRim, 0))
                    : make_point(core_.apex(), make_feature(FeatureKind::kVertex, 0));
    }
    if (core_.is_cylinder()) {
      const int rim = distance(rim_point(0, outward())) > distance(rim_point(1, outward())) ? 0 : 1;
      return make_point(rim_point(rim, outward()), make_feature(FeatureKind::kRim, rim));
    }
    if (core_.is_ellipsoid()) {
      const Vec3 far = shapes::find_far_points(core_.semiaxes(), centre_).p[0];
      return make_point(far, end_feature(far));
    }
    const auto& vertices = core_.polytope().vertices;
    const auto farthest =
        std::max_element(vertices.begin(), vertices.end(), [this](const Vec3& x, const Vec3& y) {
          return (x - centre_).squaredNorm() < (y - centre_).squaredNorm();
        });
    const auto v = static_cast<int>(farthest - vertices.begin());
    return make_point(*farthest, make_feature(FeatureKind::kVertex, v));
  }

 private:
  // The feature index of a point of an ellipsoid: 0 near the negative end of the longest axis, 1
  // near the positive end. An ellipsoid touches with one or both of these ends, or near them.
  std::uint32_t end_feature(const Vec3& p) const {
    int axis = 0;
    core_.semiaxes().maxCoeff(&axis);
    return make_feature(FeatureKind::kSmooth, p[axis] < 0.0 ? 0 : 1);
  }

  double distance(const Vec3& x) const { return (x - centre_).norm(); }  // m   from the centre

  // True if this is a cap of a capsule or a corner of a rounded box that faces away from the wall:
  // the straight line to the wall then leads through another cap or corner.
  bool is_inner_end(int vertex) const {
    const Polytope& polytope = core_.polytope();
    const Vec3& end = polytope.vertices[vertex];
    const std::span<const int> others = polytope.neighbours_of(vertex);
    return std::any_of(others.begin(), others.end(), [&](int other) {
      return (end - centre_).dot(polytope.vertices[other] - end) > 0.0;
    });
  }

  // The direction, across the axis, in which both rims are farthest from the bowl's centre.
  Vec2 outward() const {
    const double offset = centre_.head<2>().norm();
    return offset > 0.0 ? Vec2(-centre_.head<2>() / offset) : rim_mark(0);
  }

  Vec3 rim_point(int rim, const Vec2& direction) const {
    const double z = rim == 0 ? -core_.half_length() : core_.half_length();
    return {core_.radius() * direction.x(), core_.radius() * direction.y(), z};
  }

  void append_rim(int rim) {
    const Vec3 far = rim_point(rim, outward());
    const Vec3 near = rim_point(rim, -outward());
    if (distance(far) - distance(near) > kStandingRim * core_.radius()) {
      append_point(far, make_feature(FeatureKind::kRim, rim));
      return;
    }
    double reached = 0.0;
    for (int k = 0; k < kNumRimMarks; ++k) {
      const Vec3 mark = rim_point(rim, rim_mark(k));
      append_point(mark, make_feature(FeatureKind::kRimMark, kNumRimMarks * rim + k));
      reached = std::max(reached, distance(mark));
    }
    // The fixed points of the rim do not include the farthest point of a tilted rim.
    if (distance(far) > reached + 1e-13 * core_.size()) {
      append_point(far, make_feature(FeatureKind::kRim, rim));
    }
  }

  void append_point(const Vec3& x, std::uint32_t feature) {
    if ((x - centre_).squaredNorm() < nearest_ * nearest_) return;
    points_->push_back(make_point(x, feature));
  }

  // At the centre itself every direction is equally valid; down is chosen.
  ContactPoint make_point(const Vec3& x_B, std::uint32_t feature) const {
    const Vec3 x = query_.X_WB * x_B;
    const Vec3 arm = x - query_.X_WA.p;
    const double length = arm.norm();
    const Vec3 out = length > 0.0 ? Vec3(arm / length) : Vec3(-query_.X_WA.R.col(2));
    ContactPoint point;
    point.normal = -out;
    point.gap = radius_ - length - core_.rounding();
    point.p_A = query_.X_WA.p + radius_ * out;
    point.p_B = x + core_.rounding() * out;
    point.radius_A = -radius_;
    point.radius_B = core_.rounding();
    point.feature_A = make_feature(FeatureKind::kVertex, 0);
    point.feature_B = feature;
    return point;
  }

  const PairQuery& query_;
  Core core_;
  double radius_;
  Vec3 centre_;           // m   of the bowl, in B
  double nearest_ = 0.0;  // m   from the centre: core points farther out than this are reported
  std::vector<ContactPoint>* points_ = nullptr;
};

}  // namespace

void append_bowl_manifold(const PairQuery& query, double margin,
                          std::vector<ContactPoint>* points) {
  BowlWall(query).append(margin, points);
}

ContactPoint calc_bowl_contact(const PairQuery& query) {
  return BowlWall(query).find_farthest();
}

}  // namespace tenpin::collide
