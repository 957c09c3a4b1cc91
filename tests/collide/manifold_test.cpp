// Contacts whose points are known.
#include "collide/manifold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "collide/narrow_phase.h"
#include "math/trig.h"
#include "shapes/convex_hull.h"

namespace tenpin::collide {
namespace {

using namespace shapes;

constexpr double kMargin = 0.01;  // m
constexpr double kExact = 1e-13;  // m   for shapes of a metre

Pose at(double x, double y, double z) {
  return {.R = Mat3::Identity(), .p = Vec3(x, y, z)};
}

Pose turned(const Vec3& axis, double angle, const Vec3& p) {
  return {.R = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(), .p = p};
}

std::vector<ContactPoint> touch(const Shape& A, const Pose& X_WA, const Shape& B, const Pose& X_WB,
                                double margin = kMargin) {
  std::vector<ContactPoint> points;
  append_manifold(A, X_WA, B, X_WB, margin, &points);
  return points;
}

bool has_point(const std::vector<ContactPoint>& points, const Vec3& p_A) {
  return std::any_of(points.begin(), points.end(), [&p_A](const ContactPoint& point) {
    return (point.p_A - p_A).norm() < 1e-9;
  });
}

Box cube(double half) {
  return {.half = Vec3::Constant(half)};
}

Polyhedron make_prism(int sides, double radius, double half_length) {
  std::vector<Vec3> points;
  for (int i = 0; i < sides; ++i) {
    const SinCos angle = sin_cos(2.0 * kPi * i / sides);
    for (const double z : {-half_length, half_length}) {
      points.emplace_back(radius * angle.cos, radius * angle.sin, z);
    }
  }
  return {make_convex_hull(points)};
}

TEST(Manifold, BoxOnPlaneRestsOnFourCorners) {
  const auto points = touch(Plane{}, at(0, 0, 0), cube(0.5), at(0.1, 0.2, 0.501));
  ASSERT_EQ(points.size(), 4u);
  for (const ContactPoint& point : points) {
    EXPECT_EQ(point.normal, Vec3::UnitZ());
    EXPECT_NEAR(point.gap, 0.001, kExact);
    EXPECT_NEAR(point.p_A.z(), 0.0, kExact);
  }
  EXPECT_TRUE(has_point(points, Vec3(0.6, 0.7, 0.0)));
}

TEST(Manifold, TiltedBoxHasEveryCornerWithinTheMargin) {
  const double angle = 0.01;
  const Pose X = turned(Vec3::UnitY(), angle, Vec3(0, 0, 0.5));
  const auto all = touch(Plane{}, at(0, 0, 0), cube(0.5), X, 0.02);
  ASSERT_EQ(all.size(), 4u);
  std::set<long> gaps;
  for (const ContactPoint& point : all) gaps.insert(std::lround(point.gap * 1e6));
  EXPECT_EQ(gaps.size(), 2u);  // two low corners, two high ones
  EXPECT_EQ(touch(Plane{}, at(0, 0, 0), cube(0.5), X, 0.001).size(), 2u);
}

TEST(Manifold, ShiftedBoxesTouchInTheCommonRectangle) {
  const auto points = touch(cube(0.5), at(0, 0, 0), cube(0.5), at(0.3, 0.4, 1.0));
  ASSERT_EQ(points.size(), 4u);
  for (const double x : {-0.2, 0.5}) {
    for (const double y : {-0.1, 0.5}) EXPECT_TRUE(has_point(points, Vec3(x, y, 0.5)));
  }
  for (const ContactPoint& point : points) EXPECT_EQ(point.normal, Vec3::UnitZ());
}

TEST(Manifold, IdenticalFacesGiveFourPointsNotSixteen) {
  EXPECT_EQ(touch(cube(0.5), at(0, 0, 0), cube(0.5), at(0, 0, 1)).size(), 4u);
}

TEST(Manifold, BoxTurnedBy45DegreesTouchesInAnOctagon) {
  const auto points =
      touch(cube(0.5), at(0, 0, 0), cube(0.5), turned(Vec3::UnitZ(), kPi / 4, Vec3(0, 0, 1)));
  EXPECT_EQ(points.size(), 8u);
}

TEST(Manifold, TinyTiltsDoNotChangeTheManifold) {
  for (const double angle : {0.0, 1e-15, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3}) {
    for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0), Vec3(-1, 2, 0.5)}) {
      const Pose X = turned(axis, angle, Vec3(0.3, 0.4, 1.0));
      const auto points = touch(cube(0.5), at(0, 0, 0), cube(0.5), X);
      EXPECT_EQ(points.size(), 4u) << angle << " " << axis.transpose();
      EXPECT_EQ(points.empty() ? 0.0 : points[0].normal.dot(Vec3::UnitZ()) > 0.99, 1.0);
    }
  }
}

TEST(Manifold, CrossedEdgesTouchInOnePoint) {
  const Pose X_WA = turned(Vec3::UnitX(), kPi / 4, Vec3::Zero());
  const Pose X_WB = turned(Vec3::UnitY(), kPi / 4, Vec3(0.1, 0.05, std::sqrt(2.0)));
  const auto points = touch(cube(0.5), X_WA, cube(0.5), X_WB);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR((points[0].normal - Vec3::UnitZ()).norm(), 0.0, kExact);
  EXPECT_NEAR((points[0].p_A - Vec3(0.1, 0.0, std::sqrt(0.5))).norm(), 0.0, kExact);
  EXPECT_NEAR(points[0].gap, 0.0, kExact);
}

TEST(Manifold, CornerOnFaceIsOnePoint) {
  const Mat3 R = Quat::FromTwoVectors(Vec3(1, 1, 1), -Vec3::UnitZ()).toRotationMatrix();
  const Pose X_WB{.R = R, .p = Vec3(0.1, 0, 0.5 + std::sqrt(0.75))};
  const auto points = touch(cube(0.5), at(0, 0, 0), cube(0.5), X_WB);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].normal, Vec3::UnitZ());
  EXPECT_NEAR((points[0].p_A - Vec3(0.1, 0, 0.5)).norm(), 0.0, kExact);
}

TEST(Manifold, EdgeOnFaceIsTwoPoints) {
  const Pose X = turned(Vec3::UnitX(), kPi / 4, Vec3(0.2, 0, 0.5 + std::sqrt(0.5)));
  const auto points = touch(cube(0.5), at(0, 0, 0), cube(0.5), X);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_TRUE(has_point(points, Vec3(-0.3, 0, 0.5)));
  EXPECT_TRUE(has_point(points, Vec3(0.5, 0, 0.5)));
}

TEST(Manifold, ParallelEdgesTouchInTheirCommonPart) {
  const Pose X_WA = turned(Vec3::UnitX(), kPi / 4, Vec3::Zero());
  const Pose X_WB = turned(Vec3::UnitX(), kPi / 4, Vec3(0.3, 0, std::sqrt(2.0) + 0.001));
  const auto points = touch(cube(0.5), X_WA, cube(0.5), X_WB);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_TRUE(has_point(points, Vec3(-0.2, 0, std::sqrt(0.5))));
  EXPECT_TRUE(has_point(points, Vec3(0.5, 0, std::sqrt(0.5))));
}

TEST(Manifold, LyingCapsuleRestsOnBothEnds) {
  const Capsule capsule{.radius = 0.1, .half_length = 0.5};
  const Pose X = turned(Vec3::UnitY(), kPi / 2, Vec3(0, 0, 0.101));
  const auto points = touch(Plane{}, at(0, 0, 0), capsule, X);
  ASSERT_EQ(points.size(), 2u);
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.gap, 0.001, kExact);
    EXPECT_EQ(point.radius_B, 0.1);
    EXPECT_NEAR(std::abs(point.p_A.x()), 0.5, kExact);
  }
  // On a box it is clipped at the face's outline.
  const auto clipped = touch(cube(0.3), at(0, 0, -0.3), capsule, X);
  ASSERT_EQ(clipped.size(), 2u);
  for (const ContactPoint& point : clipped) {
    EXPECT_NEAR(std::abs(point.p_A.x()), 0.3, kExact);
    EXPECT_NEAR(point.gap, 0.001, kExact);
  }
}

TEST(Manifold, ParallelCapsulesTouchInTheirCommonPart) {
  const Capsule capsule{.radius = 0.1, .half_length = 0.5};
  const auto points = touch(capsule, at(0, 0, 0), capsule, at(0.2, 0, 0.3));
  ASSERT_EQ(points.size(), 2u);
  EXPECT_TRUE(has_point(points, Vec3(0.1, 0, -0.2)));
  EXPECT_TRUE(has_point(points, Vec3(0.1, 0, 0.5)));
  EXPECT_EQ(points[0].normal, Vec3::UnitX());
}

TEST(Manifold, StandingCylinderRestsOnEightMarks) {
  const Cylinder cylinder{.radius = 0.2, .half_length = 0.5};
  EXPECT_EQ(touch(Plane{}, at(0, 0, 0), cylinder, at(0, 0, 0.5)).size(), 8u);
  EXPECT_EQ(touch(cube(0.5), at(0, 0, -0.5), cylinder, at(0, 0, 0.5)).size(), 8u);
  EXPECT_EQ(touch(cylinder, at(0, 0, -0.5), cylinder, at(0, 0, 0.5)).size(), 8u);
}

TEST(Manifold, CylinderOverACornerHasTheCornerAndTheCrossings) {
  const Cylinder cylinder{.radius = 0.2, .half_length = 0.5};
  const auto points = touch(cube(0.5), at(0, 0, -0.5), cylinder, at(0.45, 0.45, 0.5));
  EXPECT_TRUE(has_point(points, Vec3(0.5, 0.5, 0.0)));
  const double reach = 0.45 - std::sqrt(0.04 - 0.0025);
  EXPECT_TRUE(has_point(points, Vec3(0.5, reach, 0.0)));
  EXPECT_TRUE(has_point(points, Vec3(reach, 0.5, 0.0)));
}

TEST(Manifold, LyingCylinderRestsOnALine) {
  const Cylinder cylinder{.radius = 0.2, .half_length = 0.5};
  const Pose X = turned(Vec3::UnitY(), kPi / 2, Vec3(0, 0, 0.2));
  EXPECT_EQ(touch(Plane{}, at(0, 0, 0), cylinder, X).size(), 2u);
  EXPECT_EQ(touch(cube(0.3), at(0, 0, -0.3), cylinder, X).size(), 2u);
  const Pose X_on = turned(Vec3::UnitY(), kPi / 2, Vec3(0.1, 0, 0.6));
  EXPECT_EQ(touch(cylinder, X, cylinder, X_on).size(), 2u);
}

TEST(Manifold, HexagonalPrismOnBoxTouchesInAHexagon) {
  const Polyhedron prism = make_prism(6, 0.3, 0.2);
  EXPECT_EQ(touch(cube(0.5), at(0, 0, -0.5), prism, at(0, 0, 0.2)).size(), 6u);
  EXPECT_EQ(touch(prism, at(0, 0, 0.2), cube(0.5), at(0, 0, -0.5)).size(), 6u);
  EXPECT_EQ(touch(Plane{}, at(0, 0, 0), prism, at(0, 0, 0.2)).size(), 6u);
}

TEST(Manifold, FarApartGivesNothing) {
  EXPECT_TRUE(touch(cube(0.5), at(0, 0, 0), cube(0.5), at(0, 0, 1.011)).empty());
  EXPECT_TRUE(touch(Plane{}, at(0, 0, 0), cube(0.5), at(0, 0, 0.511)).empty());
  EXPECT_TRUE(touch(Plane{}, at(0, 0, 0), Plane{}, at(0, 0, 0)).empty());
}

TEST(Manifold, CoincidentSpheresSeparateUpwards) {
  const auto points = touch(Sphere{.radius = 1}, at(1, 2, 3), Sphere{.radius = 2}, at(1, 2, 3));
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].normal, Vec3::UnitZ());
  EXPECT_EQ(points[0].gap, -3.0);
}

TEST(Manifold, HintChangesNothingButRounding) {
  const Polyhedron prism = make_prism(100, 0.3, 0.2);
  NarrowPhase narrow_phase;
  PairHint hint;
  const Shape A = prism;
  const Shape B = prism;
  for (int i = 0; i < 20; ++i) {
    const Pose X_WA = at(0, 0, 0);
    const Pose X_WB = turned(Vec3(1, 2, 3), 0.1 * i, Vec3(0.5, 0.1, 0.1));
    const PairQuery query{.A = A, .X_WA = X_WA, .B = B, .X_WB = X_WB, .hint = &hint};
    EXPECT_NEAR(narrow_phase.calc_distance(query).gap, calc_distance(A, X_WA, B, X_WB).gap, kExact);
  }
}

}  // namespace
}  // namespace tenpin::collide
