#include "collide/surface_oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shapes/convex_mesh.h"

namespace tenpin::collide {
namespace {

using namespace shapes;

struct Extent {
  Vec3 n;
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Box& s) const {
    return n.cwiseAbs().dot(s.half - Vec3::Constant(s.radius)) + s.radius * n.norm();
  }
  double operator()(const Ellipsoid& s) const { return n.cwiseProduct(s.semiaxes).norm(); }
  double operator()(const Capsule& s) const { return s.radius + std::abs(n.z()) * s.half_length; }
  double operator()(const Cylinder& s) const {
    return s.radius * n.head<2>().norm() + std::abs(n.z()) * s.half_length;
  }
  double operator()(const Cone& s) const {
    return std::max(n.z() * s.half_length, s.radius * n.head<2>().norm() - n.z() * s.half_length);
  }
  double operator()(const Plane&) const {
    return n.head<2>().norm() < 1e-12 && n.z() > 0.0 ? 0.0
                                                     : std::numeric_limits<double>::infinity();
  }
  double operator()(const Bowl&) const { return std::numeric_limits<double>::infinity(); }
  // Not a convex solid: surface_pairs_test.cpp compares it with planes instead.
  double operator()(const TriangleSurface&) const {
    return std::numeric_limits<double>::infinity();
  }
  double operator()(const Polyhedron& s) const {
    double best = -std::numeric_limits<double>::infinity();
    for (const Vec3& v : s.mesh->vertices) best = std::max(best, n.dot(v));
    return best;
  }
};

struct Depth {
  Vec3 x;
  double operator()(const Sphere& s) const { return x.norm() - s.radius; }
  double operator()(const Box& s) const {
    if (s.radius == 0.0) return (x.cwiseAbs() - s.half).maxCoeff();
    const Vec3 beyond = x.cwiseAbs() - s.half + Vec3::Constant(s.radius);
    const double inside = std::min(beyond.maxCoeff(), 0.0);
    return beyond.cwiseMax(0.0).norm() + inside - s.radius;
  }
  // To first order the distance, close to the surface; the sign is exact.
  double operator()(const Ellipsoid& s) const {
    const Vec3 u = x.cwiseQuotient(s.semiaxes);
    const double slope = u.cwiseQuotient(s.semiaxes).norm();
    return slope > 0.0 ? (u.norm() - 1.0) * u.norm() / slope : -s.semiaxes.minCoeff();
  }
  double operator()(const Capsule& s) const {
    const double z = std::clamp(x.z(), -s.half_length, s.half_length);
    return (x - Vec3(0, 0, z)).norm() - s.radius;
  }
  double operator()(const Cylinder& s) const {
    return std::max(x.head<2>().norm() - s.radius, std::abs(x.z()) - s.half_length);
  }
  // The base, and the line from the rim to the apex in the plane of x and the axis.
  double operator()(const Cone& s) const {
    const double length = 2.0 * s.half_length;
    const double slope = std::sqrt(length * length + s.radius * s.radius);
    const double beyond =
        (length * x.head<2>().norm() + s.radius * (x.z() - s.half_length)) / slope;
    return std::max(-s.half_length - x.z(), beyond);
  }
  double operator()(const Plane&) const { return x.z(); }
  double operator()(const Bowl& s) const { return s.radius - x.norm(); }
  double operator()(const TriangleSurface&) const {
    return std::numeric_limits<double>::quiet_NaN();
  }
  double operator()(const Polyhedron& s) const {
    double best = -std::numeric_limits<double>::infinity();
    for (int f = 0; f < s.mesh->num_faces(); ++f) {
      best = std::max(best, s.mesh->normals[f].dot(x) - s.mesh->offsets[f]);
    }
    return best;
  }
};

}  // namespace

double calc_extent(const Shape& shape, const Pose& X_WS, const Vec3& n) {
  return n.dot(X_WS.p) + std::visit(Extent{X_WS.R.transpose() * n}, shape);
}

double calc_depth(const Shape& shape, const Pose& X_WS, const Vec3& x) {
  return std::visit(Depth{X_WS.R.transpose() * (x - X_WS.p)}, shape);
}

}  // namespace tenpin::collide
