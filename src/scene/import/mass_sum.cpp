#include "scene/import/mass_sum.h"

#include <array>
#include <cmath>

namespace tenpin::scene {

namespace {

// Inertia of a point mass at p about the origin.
Mat3 point_inertia(double mass, const Vec3& p) {
  return mass * (p.squaredNorm() * Mat3::Identity() - p * p.transpose());
}

}  // namespace

MassProperties place_mass(const MassProperties& in_B, const Pose& X_AB) {
  const bool turned = X_AB.R != Mat3::Identity();
  return {.mass = in_B.mass,
          .center = X_AB * in_B.center,
          .inertia = turned ? Mat3(X_AB.R * in_B.inertia * X_AB.R.transpose()) : in_B.inertia};
}

MassProperties add_mass(const MassProperties& a, const MassProperties& b) {
  if (a.mass == 0.0 || b.mass == 0.0) {
    return a.mass == 0.0 ? b : a;
  }
  MassProperties sum;
  sum.mass = a.mass + b.mass;
  sum.center = (a.mass * a.center + b.mass * b.center) / sum.mass;
  const Mat3 inertia = a.inertia + point_inertia(a.mass, a.center - sum.center) + b.inertia +
                       point_inertia(b.mass, b.center - sum.center);
  sum.inertia = 0.5 * (inertia + inertia.transpose());
  return sum;
}

// Sums the tetrahedra from one vertex of the mesh to every triangle; starting at a vertex keeps the
// terms small. For a tetrahedron 0abc of volume V the second moments are V/20 (aa + bb + cc + ss),
// s = a+b+c.
MassProperties calc_mesh_mass(const shapes::TriangleMesh& mesh) {
  const Vec3 origin = mesh.vertices.front();
  double volume = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const auto& triangle : mesh.triangles) {
    const Vec3 a = mesh.vertices[static_cast<std::size_t>(triangle[0])] - origin;
    const Vec3 b = mesh.vertices[static_cast<std::size_t>(triangle[1])] - origin;
    const Vec3 c = mesh.vertices[static_cast<std::size_t>(triangle[2])] - origin;
    const Vec3 s = a + b + c;
    const double v = a.dot(b.cross(c)) / 6.0;
    volume += v;
    first += v / 4.0 * s;
    second +=
        v / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  const Vec3 center = first / volume;
  const Mat3 central = second - volume * center * center.transpose();
  return {.mass = volume,
          .center = center + origin,
          .inertia = central.trace() * Mat3::Identity() - central};
}

namespace {

struct Corners {
  Vec3 a, b, c;
  Vec3 normal() const { return (b - a).cross(c - a); }  // its length is twice the area
  // Second moments of a simplex with these corners (one may be the origin), divided by its measure
  // and by a constant that depends on its dimension.
  Mat3 second() const {
    const Vec3 s = a + b + c;
    return a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose();
  }
};

Corners corners_of(const shapes::TriangleMesh& mesh, const std::array<int, 3>& triangle,
                   const Vec3& origin) {
  const auto vertex = [&](int i) {
    return Vec3(mesh.vertices[static_cast<std::size_t>(i)] - origin);
  };
  return {vertex(triangle[0]), vertex(triangle[1]), vertex(triangle[2])};
}

Mat3 to_moments(const Mat3& second) {
  return second.trace() * Mat3::Identity() - second;
}

}  // namespace

MassProperties calc_shell_mass(const shapes::TriangleMesh& mesh) {
  MassProperties result;
  Vec3 first = Vec3::Zero();
  for (const auto& triangle : mesh.triangles) {
    const Corners t = corners_of(mesh, triangle, Vec3::Zero());
    const double area = 0.5 * t.normal().norm();
    result.mass += area;
    first += area / 3.0 * (t.a + t.b + t.c);
  }
  result.center = first / result.mass;
  Mat3 second = Mat3::Zero();
  for (const auto& triangle : mesh.triangles) {
    const Corners t = corners_of(mesh, triangle, result.center);
    second += 0.5 * t.normal().norm() / 12.0 * t.second();
  }
  result.inertia = to_moments(second);
  return result;
}

MassProperties calc_legacy_mesh_mass(const shapes::TriangleMesh& mesh) {
  const Vec3 inside = calc_shell_mass(mesh).center;
  MassProperties result;
  Vec3 first = Vec3::Zero();
  for (const auto& triangle : mesh.triangles) {
    const Corners t = corners_of(mesh, triangle, inside);
    const double volume = std::abs(t.a.dot(t.normal())) / 6.0;
    result.mass += volume;
    first += volume / 4.0 * (t.a + t.b + t.c);
  }
  result.center = inside + first / result.mass;
  result.mass = 0.0;
  Mat3 second = Mat3::Zero();
  for (const auto& triangle : mesh.triangles) {
    const Corners t = corners_of(mesh, triangle, result.center);
    const double volume = std::abs(t.a.dot(t.normal())) / 6.0;
    result.mass += volume;
    second += volume / 20.0 * t.second();
  }
  result.inertia = to_moments(second);
  return result;
}

Mat3 mend_inertia(const Mat3& inertia, double least, bool balance) {
  const shapes::PrincipalAxes axes = shapes::principal_axes(inertia);
  Vec3 moments = axes.moments.cwiseMax(least);
  if (balance && 2.0 * moments.maxCoeff() > moments.sum()) {
    moments.setConstant(moments.mean());
  }
  if (moments == axes.moments) {
    return inertia;
  }
  const Mat3 result = axes.R * moments.asDiagonal() * axes.R.transpose();
  return 0.5 * (result + result.transpose());
}

}  // namespace tenpin::scene
