#include "collide/region.h"

#include <cmath>
#include <limits>

#include "collide/features.h"
#include "collide/separation.h"

namespace tenpin::collide {

Vec2 rim_mark(int k) {
  constexpr double kDiagonal = 0.70710678118654752440;
  constexpr std::array<double, 8> kCosines = {1.0,  kDiagonal,  0.0, -kDiagonal,
                                              -1.0, -kDiagonal, 0.0, kDiagonal};
  return {kCosines[k], kCosines[(k + 6) % 8]};
}

void Region::set_axes(const Vec3& normal) {
  normal_ = normal;
  int k = 0;
  normal.cwiseAbs().minCoeff(&k);
  u_ = normal.cross(Vec3::Unit(k)).normalized();
  v_ = normal.cross(u_);
}

void Region::set_plane() {
  kind_ = Kind::kPlane;
  set_axes(Vec3::UnitZ());
  offset_ = 0.0;
  feature_ = make_feature(FeatureKind::kFace, 0);
  corners_.clear();
}

void Region::set_face(const Core& core, int face) {
  set_axes(face_normal(core, face));
  feature_ = make_feature(FeatureKind::kFace, face);
  corners_.clear();
  corner_features_.clear();
  edge_features_.clear();
  edge_normals_.clear();
  unevenness_ = 0.0;
  if (core.has_caps()) {
    kind_ = Kind::kDisc;
    offset_ = core.half_length();
    radius_ = core.radius();
    rim_ = face;
    for (int i = 0; i < kNumRimMarks; ++i) {
      const Vec2 mark = radius_ * rim_mark(i);
      corners_.push_back(project(Vec3(mark.x(), mark.y(), 0.0)));
      corner_features_.push_back(make_feature(FeatureKind::kRimMark, kNumRimMarks * face + i));
    }
    return;
  }
  kind_ = Kind::kPolygon;
  const Polytope& polytope = core.polytope();
  const auto loop = polytope.face(face);
  offset_ = -std::numeric_limits<double>::infinity();
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec3& p = polytope.vertices[loop[i]];
    const int next = loop[i + 1 < loop.size() ? i + 1 : 0];
    offset_ = std::max(offset_, normal_.dot(p));
    lowest = std::min(lowest, normal_.dot(p));
    corners_.push_back(project(p));
    const Vec2 edge = project(polytope.vertices[next]) - corners_.back();
    edge_normals_.push_back(Vec2(edge.y(), -edge.x()).normalized());
    corner_features_.push_back(make_feature(FeatureKind::kVertex, loop[i]));
    edge_features_.push_back(make_feature(FeatureKind::kEdge, polytope.find_edge(loop[i], next)));
  }
  unevenness_ = offset_ - lowest;
}

double Region::calc_size() const {
  if (kind_ == Kind::kPlane) return std::numeric_limits<double>::infinity();
  if (kind_ == Kind::kDisc) return radius_;
  double size = 0.0;
  for (const Vec2& corner : corners_) size = std::max(size, (corner - corners_[0]).norm());
  return size;
}

bool Region::contains(const Vec2& x) const {
  if (kind_ == Kind::kPlane) return true;
  if (kind_ == Kind::kDisc) return x.norm() <= radius_ + tolerance_;
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    if (edge_normals_[i].dot(x - corners_[i]) > tolerance_) return false;
  }
  return true;
}

Clip Region::clip(const Vec2& x0, const Vec2& x1) const {
  if (kind_ == Kind::kPlane) return {.inside = true};
  return kind_ == Kind::kDisc ? clip_disc(x0, x1) : clip_polygon(x0, x1);
}

Clip Region::clip_polygon(const Vec2& x0, const Vec2& x1) const {
  Clip clip{.inside = true};
  const Vec2 d = x1 - x0;
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const double h0 = edge_normals_[i].dot(x0 - corners_[i]);
    const double h1 = edge_normals_[i].dot(x1 - corners_[i]);
    const bool out0 = h0 > tolerance_;
    const bool out1 = h1 > tolerance_;
    if (out0 && out1) return {};
    if (!out0 && !out1) continue;
    const double t = std::min(1.0, std::max(0.0, h0 / (h0 - h1)));
    if (out0 && t >= clip.enter) {
      clip.enter = t;
      clip.enter_feature = edge_features_[i];
      clip.enter_edge = static_cast<int>(i);
    } else if (out1 && t <= clip.leave) {
      clip.leave = t;
      clip.leave_feature = edge_features_[i];
      clip.leave_edge = static_cast<int>(i);
    }
  }
  clip.inside = (clip.leave - clip.enter) * d.norm() >= -tolerance_;
  return clip;
}

Clip Region::clip_disc(const Vec2& x0, const Vec2& x1) const {
  const Vec2 d = x1 - x0;
  const double a = d.squaredNorm();
  const bool out0 = x0.norm() > radius_ + tolerance_;
  const bool out1 = x1.norm() > radius_ + tolerance_;
  Clip clip{.inside = true};
  if (!out0 && !out1) return clip;
  if (a == 0.0) return {};
  // Solve |x0 + t d| = radius for t.
  const double b = x0.dot(d);
  const double c = x0.squaredNorm() - radius_ * radius_;
  const double discriminant = b * b - a * c;
  if (discriminant <= 0.0) return {};
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  const double t0 = std::min(q / a, q == 0.0 ? 0.0 : c / q);
  const double t1 = std::max(q / a, q == 0.0 ? 0.0 : c / q);
  if (t1 <= 0.0 || t0 >= 1.0) return {};
  if (out0) {
    clip.enter = std::max(t0, 0.0);
    clip.enter_feature = make_feature(FeatureKind::kRimCross, kCrossingsPerRim * rim_);
  }
  if (out1) {
    clip.leave = std::min(t1, 1.0);
    clip.leave_feature = make_feature(FeatureKind::kRimCross, kCrossingsPerRim * rim_ + 1);
  }
  return clip;
}

}  // namespace tenpin::collide
