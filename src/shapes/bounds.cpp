#include "shapes/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shapes/convex_mesh.h"
#include "shapes/ellipsoid.h"
#include "shapes/surface_mesh.h"

namespace tenpin::shapes {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The box around a shape that is symmetric about its origin, from its half extents.
Aabb centered_box(const Pose& X_WS, const Vec3& half) {
  return {.lower = X_WS.p - half, .upper = X_WS.p + half};
}

struct CalcBounds {
  const Pose& X_WS;

  Aabb operator()(const Sphere& sphere) const {
    return centered_box(X_WS, Vec3::Constant(sphere.radius));
  }
  Aabb operator()(const Box& box) const {
    return centered_box(X_WS, X_WS.R.cwiseAbs() * box.core_half() + Vec3::Constant(box.radius));
  }
  Aabb operator()(const Ellipsoid& ellipsoid) const {
    // Row i of R scaled by the semiaxes: its length is the extent along world axis i.
    return centered_box(X_WS, (X_WS.R * ellipsoid.semiaxes.asDiagonal()).rowwise().norm());
  }
  Aabb operator()(const Capsule& capsule) const {
    const Vec3 axis = X_WS.R.col(2).cwiseAbs();
    return centered_box(X_WS, capsule.half_length * axis + Vec3::Constant(capsule.radius));
  }
  Aabb operator()(const Cylinder& cylinder) const {
    Vec3 half;
    for (int i = 0; i < 3; ++i) {
      // The extent of a disc along world axis i is its radius times the sine of the angle between
      // axis and disc normal.
      const double sine = std::sqrt(X_WS.R(i, 0) * X_WS.R(i, 0) + X_WS.R(i, 1) * X_WS.R(i, 1));
      half[i] = cylinder.half_length * std::fabs(X_WS.R(i, 2)) + cylinder.radius * sine;
    }
    return centered_box(X_WS, half);
  }
  // Around the disc of the base and the apex.
  Aabb operator()(const Cone& cone) const {
    const Vec3 apex = cone.half_length * X_WS.R.col(2);
    const Vec3 half =
        cone.radius * (X_WS.R.col(0).cwiseAbs2() + X_WS.R.col(1).cwiseAbs2()).cwiseSqrt();
    return {.lower = X_WS.p + apex.cwiseMin(-apex - half),
            .upper = X_WS.p + apex.cwiseMax(half - apex)};
  }
  Aabb operator()(const Plane& /*plane*/) const {
    Aabb box = {.lower = Vec3::Constant(-kInfinity), .upper = Vec3::Constant(kInfinity)};
    for (int i = 0; i < 3; ++i) {
      if (X_WS.R(i, 2) == 1.0) {
        box.upper[i] = X_WS.p[i];
      } else if (X_WS.R(i, 2) == -1.0) {
        box.lower[i] = X_WS.p[i];
      }
    }
    return box;
  }
  Aabb operator()(const Bowl& /*bowl*/) const {
    return {.lower = Vec3::Constant(-kInfinity), .upper = Vec3::Constant(kInfinity)};
  }
  // The bounds of the surface's own box, which are not quite the smallest if it is rotated.
  Aabb operator()(const TriangleSurface& surface) const {
    const Aabb& own = surface.mesh->box;
    const Pose middle = X_WS * Pose{.R = Mat3::Identity(), .p = 0.5 * (own.lower + own.upper)};
    return centered_box(middle, X_WS.R.cwiseAbs() * (0.5 * (own.upper - own.lower)));
  }
  Aabb operator()(const Polyhedron& polyhedron) const {
    Vec3 lower = Vec3::Constant(kInfinity);
    Vec3 upper = Vec3::Constant(-kInfinity);
    for (const Vec3& vertex : polyhedron.mesh->vertices) {
      const Vec3 turned = X_WS.R * vertex;
      lower = lower.cwiseMin(turned);
      upper = upper.cwiseMax(turned);
    }
    return {.lower = lower + X_WS.p, .upper = upper + X_WS.p};
  }
};

struct CalcRadius {
  const Vec3& center;

  double operator()(const Sphere& sphere) const { return center.norm() + sphere.radius; }
  double operator()(const Box& box) const {
    return (center.cwiseAbs() + box.core_half()).norm() + box.radius;
  }
  double operator()(const Ellipsoid& ellipsoid) const {
    return (find_far_points(ellipsoid.semiaxes, center).p[0] - center).norm();
  }
  double operator()(const Capsule& capsule) const {
    const Vec3 far_end(center.x(), center.y(), std::fabs(center.z()) + capsule.half_length);
    return far_end.norm() + capsule.radius;
  }
  double operator()(const Cylinder& cylinder) const {
    const Vec2 far_rim(center.head<2>().norm() + cylinder.radius,
                       std::fabs(center.z()) + cylinder.half_length);
    return far_rim.norm();
  }
  double operator()(const Cone& cone) const {
    const Vec2 far_rim(center.head<2>().norm() + cone.radius, center.z() + cone.half_length);
    return std::max(far_rim.norm(), (center - Vec3(0.0, 0.0, cone.half_length)).norm());
  }
  double operator()(const Plane& /*plane*/) const { return kInfinity; }
  double operator()(const Bowl& /*bowl*/) const { return kInfinity; }
  double operator()(const TriangleSurface& surface) const {
    double squared = 0.0;
    for (const Vec3& vertex : surface.mesh->vertices) {
      squared = std::max(squared, (vertex - center).squaredNorm());
    }
    return std::sqrt(squared);
  }
  double operator()(const Polyhedron& polyhedron) const {
    double squared = 0.0;
    for (const Vec3& vertex : polyhedron.mesh->vertices) {
      squared = std::max(squared, (vertex - center).squaredNorm());
    }
    return std::sqrt(squared);
  }
};

}  // namespace

Aabb calc_bounds(const Shape& shape, const Pose& X_WS) {
  return std::visit(CalcBounds{X_WS}, shape);
}

Aabb calc_bounds(std::span<const PlacedShape> parts, const Pose& X_WB) {
  Aabb all = {.lower = Vec3::Constant(kInfinity), .upper = Vec3::Constant(-kInfinity)};
  for (const PlacedShape& part : parts) {
    const Aabb box = calc_bounds(part.shape, X_WB * part.X_BS);
    all.lower = all.lower.cwiseMin(box.lower);
    all.upper = all.upper.cwiseMax(box.upper);
  }
  return all;
}

double calc_bounding_radius(const Shape& shape, const Vec3& center) {
  return std::visit(CalcRadius{center}, shape);
}

double calc_rounding(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const auto* box = std::get_if<Box>(&shape)) return box->radius;
  const auto* capsule = std::get_if<Capsule>(&shape);
  return capsule != nullptr ? capsule->radius : 0.0;
}

double calc_bounding_radius(std::span<const PlacedShape> parts, const Vec3& center) {
  double radius = 0.0;
  for (const PlacedShape& part : parts) {
    radius = std::max(radius, calc_bounding_radius(part.shape, part.X_BS.inverse() * center));
  }
  return radius;
}

}  // namespace tenpin::shapes
