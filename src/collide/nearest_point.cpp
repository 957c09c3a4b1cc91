#include <algorithm>
#include <cmath>

#include "collide/features.h"
#include "collide/round_pairs.h"

namespace tenpin::collide {
namespace {

// -   relative to size. At smaller distances the direction is rounding noise, and the normal of a
// face is more accurate.
constexpr double kOnSurface = 1e-13;

// The edge along axis k at the given corner. Box features are numbered by the signs of coordinates
// (core.cpp).
int box_edge(int corner) {
  constexpr int kNone = -1;
  // Indexed by 3 * (corner without bit k) + k.
  constexpr int kEdges[24] = {0, 1, 2,     kNone, 3,  4,     5,  kNone, 6,     kNone, kNone, 7,
                              8, 9, kNone, kNone, 10, kNone, 11, kNone, kNone, kNone, kNone, kNone};
  return kEdges[corner];
}

SurfacePoint nearest_face(const Vec3& half, const Vec3& x) {
  int axis = 0;
  (x.cwiseAbs() - half).maxCoeff(&axis);
  const bool positive = x[axis] >= 0.0;
  SurfacePoint result;
  result.normal = positive ? Vec3(Vec3::Unit(axis)) : Vec3(-Vec3::Unit(axis));
  result.gap = std::abs(x[axis]) - half[axis];
  result.p = x - result.gap * result.normal;
  result.feature = make_feature(FeatureKind::kFace, 2 * axis + (positive ? 1 : 0));
  return result;
}

SurfacePoint nearest_in_profile(const shapes::Cylinder& cylinder, const Vec3& x, double rho) {
  SurfacePoint result;
  const double depth_side = rho - cylinder.radius;
  const double depth_cap = std::abs(x.z()) - cylinder.half_length;
  const bool top = x.z() >= 0.0;
  if (depth_cap >= depth_side) {
    result.normal = top ? Vec3(Vec3::UnitZ()) : Vec3(-Vec3::UnitZ());
    result.gap = depth_cap;
    result.feature = make_feature(FeatureKind::kFace, top ? 1 : 0);
  } else {
    result.normal = rho > 0.0 ? Vec3(x.x() / rho, x.y() / rho, 0.0) : Vec3(Vec3::UnitX());
    result.gap = depth_side;
    result.feature = make_feature(FeatureKind::kSide, 0);
  }
  result.p = x - result.gap * result.normal;
  return result;
}

}  // namespace

SurfacePoint calc_nearest(const shapes::Box& box, const Vec3& x) {
  const Vec3 half = box.core_half();
  const Vec3 clamped = x.cwiseMax(-half).cwiseMin(half);
  const Vec3 d = x - clamped;
  const double distance = d.norm();
  int num_outside = 0;
  int inside_axis = 0;
  int corner = 0;
  for (int k = 0; k < 3; ++k) {
    num_outside += d[k] != 0.0 ? 1 : 0;
    if (d[k] == 0.0) inside_axis = k;
    if (x[k] > 0.0) corner |= 1 << k;
  }
  if (num_outside <= 1 || distance <= kOnSurface * half.sum()) return nearest_face(half, x);
  SurfacePoint result{.p = clamped, .normal = d / distance, .gap = distance};
  const int low = corner & ~(1 << inside_axis);
  result.feature = num_outside == 3
                       ? make_feature(FeatureKind::kVertex, corner)
                       : make_feature(FeatureKind::kEdge, box_edge(3 * low + inside_axis));
  return result;
}

SurfacePoint calc_nearest(const shapes::Cylinder& cylinder, const Vec3& x) {
  const double rho = std::sqrt(x.x() * x.x() + x.y() * x.y());
  const double beyond_side = rho - cylinder.radius;
  const double beyond_cap = std::abs(x.z()) - cylinder.half_length;
  const double distance = std::sqrt(beyond_side * beyond_side + beyond_cap * beyond_cap);
  const double size = cylinder.radius + cylinder.half_length;
  if (beyond_side <= 0.0 || beyond_cap <= 0.0 || distance <= kOnSurface * size) {
    return nearest_in_profile(cylinder, x, rho);
  }
  const bool top = x.z() >= 0.0;
  SurfacePoint result;
  result.p = Vec3(x.x() / rho * cylinder.radius, x.y() / rho * cylinder.radius,
                  top ? cylinder.half_length : -cylinder.half_length);
  result.normal = (x - result.p).normalized();
  result.gap = distance;
  result.feature = make_feature(FeatureKind::kRim, top ? 1 : 0);
  return result;
}

}  // namespace tenpin::collide
