#include "collide/random_pairs.h"

#include <array>
#include <cmath>
#include <memory>

#include "collide/distance.h"
#include "shapes/convex_hull.h"
#include "shapes/convex_mesh.h"

namespace tenpin::collide {

// Streams are numbered below 10000.
PairMaker::PairMaker(unsigned stream) : random_(10000 * test_seed() + stream) {}

double PairMaker::uniform(double low, double high) {
  // 53 bits by hand: the standard's distributions differ between libraries.
  return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
}

Vec3 PairMaker::make_direction() {
  while (true) {
    const Vec3 v(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    const double n = v.norm();
    if (n > 0.1 && n < 1.0) return v / n;
  }
}

double PairMaker::stretch() {
  return std::pow(10.0, uniform(-1.5, 1.5) * (pick(3) == 0 ? 1 : 0.2));
}

shapes::Shape PairMaker::make_shape(ShapeKind kind, double scale) {
  switch (kind) {
    case ShapeKind::kSphere:
      return shapes::Sphere{.radius = scale * stretch()};
    case ShapeKind::kBox:
      return shapes::Box{.half = scale * Vec3(stretch(), stretch(), stretch())};
    case ShapeKind::kCapsule:
      return shapes::Capsule{.radius = scale * stretch(), .half_length = scale * stretch()};
    case ShapeKind::kCylinder:
      return shapes::Cylinder{.radius = scale * stretch(), .half_length = scale * stretch()};
    case ShapeKind::kPlane:
      return shapes::Plane{};
    case ShapeKind::kRoundedBox: {
      shapes::Box box{.half = scale * Vec3(stretch(), stretch(), stretch())};
      box.radius = box.half.minCoeff() * uniform(0.01, 0.99);
      return box;
    }
    case ShapeKind::kEllipsoid:
      return shapes::Ellipsoid{.semiaxes = scale * Vec3(stretch(), stretch(), stretch())};
    case ShapeKind::kCone:
      return shapes::Cone{.radius = scale * stretch(), .half_length = scale * stretch()};
    case ShapeKind::kPolyhedron:
      break;
  }
  // Lattice points give parallel and coplanar faces, random points give none.
  const bool lattice = pick(2) == 0;
  const Vec3 stretches(stretch(), stretch(), stretch());
  std::vector<Vec3> points;
  for (int i = 0; i < 4 + pick(12); ++i) {
    const Vec3 p = lattice ? Vec3(pick(3) - 1, pick(3) - 1, pick(3) - 1)
                           : Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    points.push_back(scale * p.cwiseProduct(stretches));
  }
  for (int i = 0; i < 3; ++i) points.push_back(scale * stretches[i] * Vec3::Unit(i));
  points.push_back(-scale * stretches);
  return shapes::Polyhedron{shapes::make_convex_hull(points)};
}

Mat3 PairMaker::make_rotation() {
  if (pick(2) == 0) {
    return Quat(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1))
        .normalized()
        .toRotationMatrix();
  }
  Mat3 R = Mat3::Identity();
  const int axis = pick(3);
  for (int i = pick(4); i > 0; --i) {
    Mat3 quarter = Mat3::Zero();
    quarter(axis, axis) = 1.0;
    quarter((axis + 1) % 3, (axis + 2) % 3) = -1.0;
    quarter((axis + 2) % 3, (axis + 1) % 3) = 1.0;
    R = quarter * R;
  }
  if (pick(3) == 0) return R;
  const double angle = std::pow(10.0, uniform(-15, -6));
  return R * Eigen::AngleAxisd(angle, make_direction()).toRotationMatrix();
}

ShapePair PairMaker::make_pair(ShapeKind A, ShapeKind B) {
  ShapePair pair;
  const double scale = std::pow(10.0, uniform(-2.0, 2.0));
  pair.A = make_shape(A, scale);
  pair.B = make_shape(B, scale * (pick(4) == 0 ? std::pow(10.0, uniform(-1.0, 1.0)) : 1.0));
  if (A == B && pick(8) == 0) pair.B = pair.A;
  pair.size = std::max(calc_size(pair.A), calc_size(pair.B));
  pair.unevenness = std::max(calc_unevenness(pair.A), calc_unevenness(pair.B));
  pair.X_WA = {.R = make_rotation(), .p = Vec3::Zero()};
  pair.X_WB = {.R = pick(2) == 0 ? Mat3(pair.X_WA.R * make_rotation()) : make_rotation(),
               .p = pair.size * uniform(0.0, 2.0) * make_direction()};
  // Along an axis of A, or nowhere: faces, edges and centres line up.
  const int place = pick(8);
  if (place < 3) pair.X_WB.p = pair.X_WA.R.col(place) * pair.size * uniform(0.0, 2.0);
  if (place == 3) pair.X_WB.p.setZero();
  const int target = pick(16);
  constexpr std::array<double, 12> kTargets = {0.0,    1e-12, 1e-9,  1e-6,  1e-3,  0.1,
                                               -1e-12, -1e-9, -1e-6, -1e-3, -0.01, 0.01};
  const bool planes = A == ShapeKind::kPlane && B == ShapeKind::kPlane;
  if (target < 12 && !planes) {
    const Distance d = calc_distance(pair.A, pair.X_WA, pair.B, pair.X_WB);
    pair.X_WB.p += (kTargets[target] * pair.size - d.gap) * d.normal;
  }
  return pair;
}

double calc_size(const shapes::Shape& shape) {
  if (const auto* sphere = std::get_if<shapes::Sphere>(&shape)) return sphere->radius;
  if (const auto* box = std::get_if<shapes::Box>(&shape)) return box->half.norm();
  if (const auto* capsule = std::get_if<shapes::Capsule>(&shape)) {
    return capsule->radius + capsule->half_length;
  }
  if (const auto* cylinder = std::get_if<shapes::Cylinder>(&shape)) {
    return cylinder->radius + cylinder->half_length;
  }
  if (const auto* cone = std::get_if<shapes::Cone>(&shape)) {
    return cone->radius + cone->half_length;
  }
  if (const auto* ellipsoid = std::get_if<shapes::Ellipsoid>(&shape)) {
    return ellipsoid->semiaxes.norm();
  }
  double size = 0.0;
  if (const auto* polyhedron = std::get_if<shapes::Polyhedron>(&shape)) {
    for (const Vec3& v : polyhedron->mesh->vertices) size = std::max(size, v.norm());
  }
  return size;
}

double calc_unevenness(const shapes::Shape& shape) {
  const auto* polyhedron = std::get_if<shapes::Polyhedron>(&shape);
  if (polyhedron == nullptr) return 0.0;
  const shapes::ConvexMesh& mesh = *polyhedron->mesh;
  double unevenness = 0.0;
  for (int f = 0; f < mesh.num_faces(); ++f) {
    for (const int v : mesh.face(f)) {
      const double height = mesh.normals[f].dot(mesh.vertices[v]) - mesh.offsets[f];
      unevenness = std::max(unevenness, std::abs(height));
    }
  }
  return unevenness;
}

}  // namespace tenpin::collide
