#include "collide/surface_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "collide/features.h"
#include "math/rotation.h"
#include "shapes/convex_hull.h"
#include "shapes/surface_mesh.h"

namespace tenpin::collide {
namespace {

using shapes::Shape;

// A grid of n x n cells of size `cell` about the origin, with heights from a function.
template <typename Height>
Shape make_grid(int n, double cell, Height height) {
  shapes::TriangleMesh mesh;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      const double x = (i - 0.5 * n) * cell;
      const double y = (j - 0.5 * n) * cell;
      mesh.vertices.emplace_back(x, y, height(x, y));
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int v = j * (n + 1) + i;
      mesh.triangles.push_back({v, v + 1, v + n + 2});
      mesh.triangles.push_back({v, v + n + 2, v + n + 1});
    }
  }
  return shapes::TriangleSurface{shapes::make_surface_mesh(mesh)};
}

Shape make_floor() {
  return make_grid(8, 0.25, [](double, double) {
    return 0.0;
  });
}

std::vector<ContactPoint> touch(const Shape& A, const Shape& B, const Pose& X_WB, double margin) {
  std::vector<ContactPoint> points;
  append_manifold(A, Pose{}, B, X_WB, margin, &points);
  std::sort(points.begin(), points.end(), [](const ContactPoint& a, const ContactPoint& b) {
    return a.feature_B < b.feature_B;
  });
  return points;
}

std::vector<Shape> all_shapes() {
  const std::vector<Vec3> corners = {
      {0.1, 0, 0}, {-0.1, 0.05, 0}, {0, -0.1, 0}, {0, 0, 0.15}, {0.02, 0.1, -0.04}};
  return {shapes::Sphere{0.1},
          shapes::Box{Vec3(0.1, 0.07, 0.12)},
          shapes::Capsule{0.05, 0.1},
          shapes::Cylinder{0.08, 0.06},
          shapes::Box{Vec3(0.1, 0.1, 0.1), 0.02},
          shapes::Ellipsoid{Vec3(0.1, 0.08, 0.06)},
          shapes::Polyhedron{shapes::make_convex_hull(corners)}};
}

// On a flat floor every shape has the contacts that it has on a plane, wherever it stands.
TEST(SurfacePairs, AFlatFloorIsAPlane) {
  const Shape floor = make_floor();
  const Shape plane = shapes::Plane{};
  const RandomStream stream(7);
  std::uint64_t count = 0;
  const auto uniform = [&](double low, double high) {
    return stream.uniform(count++, low, high);
  };
  for (const Shape& shape : all_shapes()) {
    for (int i = 0; i < 200; ++i) {
      Vec3 axis;
      for (int k = 0; k < 3; ++k) axis[k] = uniform(-1, 1);
      Pose X_WB = {.R = i % 4 == 0 ? Mat3(Mat3::Identity()) : to_matrix(exp_map(3.0 * axis)),
                   .p = Vec3::Zero()};
      for (int k = 0; k < 2; ++k) X_WB.p[k] = uniform(-0.5, 0.5);
      if (i % 5 == 0) X_WB.p = Vec3(0.25 * (i % 3), 0.0, 0.0);  // over a vertex of the floor
      X_WB.p.z() = -calc_distance(plane, Pose{}, shape, X_WB).gap + uniform(-0.01, 0.02);
      const auto expected = touch(plane, shape, X_WB, 0.05);
      const auto got = touch(floor, shape, X_WB, 0.05);
      ASSERT_EQ(got.size(), expected.size()) << shape.index() << " case " << i;
      for (std::size_t k = 0; k < got.size(); ++k) {
        EXPECT_EQ(got[k].feature_B, expected[k].feature_B);
        EXPECT_NEAR(got[k].gap, expected[k].gap, 1e-14);
        EXPECT_NEAR((got[k].p_B - expected[k].p_B).norm(), 0.0, 1e-14);
        EXPECT_NEAR((got[k].normal - Vec3::UnitZ()).norm(), 0.0, 1e-15);
      }
      EXPECT_NEAR(calc_distance(floor, Pose{}, shape, X_WB).gap,
                  calc_distance(plane, Pose{}, shape, X_WB).gap, 1e-14);
    }
  }
}

// One key for a floor, so that a contact lasts while a body rolls over its triangles.
TEST(SurfacePairs, AFloorIsOneFace) {
  const Shape floor = make_floor();
  for (const double x : {-0.3, 0.01, 0.26}) {
    const auto points = touch(floor, shapes::Sphere{0.1}, {.p = Vec3(x, 0.1, 0.1)}, 0.01);
    ASSERT_EQ(points.size(), 1U);
    EXPECT_EQ(points[0].feature_A, make_feature(FeatureKind::kFace, 0));
  }
}

TEST(SurfacePairs, ARidgeAndTheBorderTouchWithTheirEdges) {
  const Shape roof = make_grid(2, 1.0, [](double x, double) {
    return -std::fabs(x);
  });
  const auto on_ridge = touch(roof, shapes::Sphere{0.1}, {.p = Vec3(0, 0.3, 0.1)}, 0.01);
  ASSERT_EQ(on_ridge.size(), 1U);
  EXPECT_NEAR(on_ridge[0].gap, 0.0, 1e-15);
  EXPECT_NEAR((on_ridge[0].normal - Vec3::UnitZ()).norm(), 0.0, 1e-15);
  const auto on_slope = touch(roof, shapes::Sphere{0.1}, {.p = Vec3(0.5, 0.3, -0.4)}, 0.05);
  ASSERT_EQ(on_slope.size(), 1U);
  EXPECT_NEAR(on_slope[0].normal.x(), std::sqrt(0.5), 1e-14);
  const auto box = touch(roof, shapes::Box{Vec3(0.2, 0.1, 0.1)}, {.p = Vec3(0, 0.3, 0.1)}, 0.01);
  ASSERT_EQ(box.size(), 2U);  // where its outline crosses the ridge
  for (const ContactPoint& point : box) EXPECT_NEAR(point.gap, 0.0, 1e-14);
  const auto at_border =
      touch(make_floor(), shapes::Sphere{0.1}, {.p = Vec3(1.05, 0.1, 0.05)}, 0.05);
  ASSERT_EQ(at_border.size(), 1U);
  EXPECT_NEAR(at_border[0].gap, std::sqrt(2.0) * 0.05 - 0.1, 1e-14);
}

TEST(SurfacePairs, AValleyTouchesOnBothSidesAndACliffOnOne) {
  const Shape valley = make_grid(2, 1.0, [](double x, double) {
    return std::fabs(x);
  });
  const auto ball =
      touch(valley, shapes::Sphere{0.1}, {.p = Vec3(0, 0.3, 0.1 * std::sqrt(2.0))}, 1e-3);
  ASSERT_EQ(ball.size(), 2U);
  EXPECT_NEAR(ball[0].normal.x() + ball[1].normal.x(), 0.0, 1e-14);
  // A box on a plateau, with two corners just behind the edge of a cliff, is not pushed over it.
  const Shape cliff = make_grid(8, 0.25, [](double x, double) {
    return x > 0.1 ? -5.0 : 0.0;
  });
  const auto box =
      touch(cliff, shapes::Box{Vec3(0.1, 0.1, 0.1)}, {.p = Vec3(-0.11, 0.1, 0.1 - 1e-6)}, 1e-3);
  ASSERT_GE(box.size(), 4U);
  for (const ContactPoint& point : box) {
    EXPECT_NEAR((point.normal - Vec3::UnitZ()).norm(), 0.0, 1e-9);
  }
}

TEST(SurfacePairs, TheOrderOfThePairDoesNotMatter) {
  const Shape floor = make_floor();
  const Shape box = shapes::Box{Vec3(0.1, 0.1, 0.1)};
  const Pose X_WB = {.p = Vec3(0.1, 0.05, 0.1)};
  std::vector<ContactPoint> swapped;
  append_manifold(box, X_WB, floor, Pose{}, 0.01, &swapped);
  ASSERT_EQ(swapped.size(), 4U);
  for (const ContactPoint& point : swapped) EXPECT_EQ(point.normal, Vec3(-Vec3::UnitZ()));
}

}  // namespace
}  // namespace tenpin::collide
