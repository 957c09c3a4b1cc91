// Against FCL, an independent library. Its libccd narrow phase iterates to about 1e-6.
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "collide/distance.h"
#include "collide/random_pairs.h"
#include "collide/surface_oracle.h"
#include "shapes/convex_mesh.h"

namespace tenpin::collide {
namespace {

std::shared_ptr<fcl::CollisionGeometryd> make_convex(const shapes::ConvexMesh& mesh) {
  auto vertices = std::make_shared<std::vector<Vec3>>(mesh.vertices);
  auto faces = std::make_shared<std::vector<int>>();
  for (int f = 0; f < mesh.num_faces(); ++f) {
    faces->push_back(static_cast<int>(mesh.face(f).size()));
    faces->insert(faces->end(), mesh.face(f).begin(), mesh.face(f).end());
  }
  return std::make_shared<fcl::Convexd>(vertices, mesh.num_faces(), faces);
}

std::shared_ptr<fcl::CollisionGeometryd> make_geometry(const shapes::Shape& shape) {
  if (const auto* sphere = std::get_if<shapes::Sphere>(&shape)) {
    return std::make_shared<fcl::Sphered>(sphere->radius);
  }
  if (const auto* box = std::get_if<shapes::Box>(&shape)) {
    return std::make_shared<fcl::Boxd>(2.0 * box->half);
  }
  if (const auto* capsule = std::get_if<shapes::Capsule>(&shape)) {
    return std::make_shared<fcl::Capsuled>(capsule->radius, 2.0 * capsule->half_length);
  }
  if (const auto* cylinder = std::get_if<shapes::Cylinder>(&shape)) {
    return std::make_shared<fcl::Cylinderd>(cylinder->radius, 2.0 * cylinder->half_length);
  }
  if (const auto* cone = std::get_if<shapes::Cone>(&shape)) {
    return std::make_shared<fcl::Coned>(cone->radius, 2.0 * cone->half_length);
  }
  if (const auto* ellipsoid = std::get_if<shapes::Ellipsoid>(&shape)) {
    return std::make_shared<fcl::Ellipsoidd>(ellipsoid->semiaxes);
  }
  return make_convex(*std::get<shapes::Polyhedron>(shape).mesh);
}

fcl::CollisionObjectd make_object(const shapes::Shape& shape, const Pose& X_WS) {
  fcl::Transform3d X = fcl::Transform3d::Identity();
  X.linear() = X_WS.R;
  X.translation() = X_WS.p;
  return {make_geometry(shape), X};
}

double calc_fcl_distance(const ShapePair& pair) {
  const fcl::CollisionObjectd A = make_object(pair.A, pair.X_WA);
  const fcl::CollisionObjectd B = make_object(pair.B, pair.X_WB);
  fcl::DistanceRequestd request;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  request.distance_tolerance = 1e-9;
  fcl::DistanceResultd result;
  return fcl::distance(&A, &B, request, result);
}

constexpr ShapeKind kKinds[] = {ShapeKind::kSphere,   ShapeKind::kBox,        ShapeKind::kCapsule,
                                ShapeKind::kCylinder, ShapeKind::kPolyhedron, ShapeKind::kEllipsoid,
                                ShapeKind::kCone};

// FCL sees the same distance between shapes that are apart, and none between those that overlap.
TEST(Fcl, AgreesOnDistance) {
  constexpr double kFclAccuracy = 1e-4;  // relative to size; its GJK stops early on round shapes
  PairMaker maker(7);
  int num_apart = 0;
  int num_theirs_wrong = 0;
  for (const ShapeKind A : kKinds) {
    for (const ShapeKind B : kKinds) {
      for (int i = 0; i < 40 * test_scale(); ++i) {
        const ShapePair pair = maker.make_pair(A, B);
        const Distance d = calc_distance(pair.A, pair.X_WA, pair.B, pair.X_WB);
        const double ours = d.gap;
        if (std::abs(ours) < kFclAccuracy * pair.size) continue;
        const double theirs = calc_fcl_distance(pair);
        if (ours > 0.0) {
          ++num_apart;
          if (std::abs(ours - theirs) <= kFclAccuracy * pair.size) continue;
          // One of us is wrong: points on both surfaces and a slab between the shapes prove ours.
          ++num_theirs_wrong;
          EXPECT_NEAR(calc_separation(pair.A, pair.X_WA, pair.B, pair.X_WB, d.normal), ours,
                      1e-12 * pair.size);
          EXPECT_NEAR(calc_depth(pair.A, pair.X_WA, d.p_A), 0.0, 1e-9 * pair.size);
          EXPECT_NEAR(calc_depth(pair.B, pair.X_WB, d.p_B), 0.0, 1e-9 * pair.size);
        } else if (theirs > 0.0) {
          // Its descent may stop outside shapes that overlap: a common point proves that they do.
          const Vec3 common = 0.5 * (d.p_A + d.p_B);
          EXPECT_LT(calc_depth(pair.A, pair.X_WA, common), 0.0);
          EXPECT_LT(calc_depth(pair.B, pair.X_WB, common), 0.0);
        }
      }
    }
  }
  EXPECT_GT(num_apart, 100);
  EXPECT_LE(num_theirs_wrong, num_apart / 50);
}

}  // namespace
}  // namespace tenpin::collide
