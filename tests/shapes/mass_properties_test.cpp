#include "shapes/mass_properties.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "shapes/bounds.h"
#include "shapes/convex_hull.h"
#include "shapes/support.h"

namespace tenpin::shapes {
namespace {

constexpr double kRounding = 1e-13;  // relative, for sums of some dozens of terms

Vec3 random_vector(const RandomStream& random, std::uint64_t i) {
  return {random.uniform(3 * i, -1, 1), random.uniform(3 * i + 1, -1, 1),
          random.uniform(3 * i + 2, -1, 1)};
}

MassProperties calc_single(const Shape& shape, const Pose& X_BS = {}) {
  const PlacedShape part = {shape, X_BS};
  return calc_mass_properties({&part, 1}, 1.0);
}

Shape make_hull_of_box(const Vec3& half) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.emplace_back((i & 1 ? 1 : -1) * half.x(), (i & 2 ? 1 : -1) * half.y(),
                         (i & 4 ? 1 : -1) * half.z());
  }
  return Polyhedron{make_convex_hull(corners)};
}

void expect_near(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LT((a.center - b.center).norm(), tolerance * (1.0 + b.center.norm()));
  EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

TEST(MassProperties, TextbookSolids) {
  const MassProperties sphere = calc_single(Sphere{2.0});
  EXPECT_NEAR(sphere.inertia(0, 0), 0.4 * sphere.mass * 4.0, kRounding * sphere.inertia(0, 0));
  const MassProperties box = calc_single(Box{Vec3(1, 2, 3)});
  EXPECT_DOUBLE_EQ(box.mass, 48.0);
  EXPECT_DOUBLE_EQ(box.inertia(0, 0), 48.0 / 3.0 * (4.0 + 9.0));
  const MassProperties cylinder = calc_single(Cylinder{1.0, 2.0});
  EXPECT_NEAR(cylinder.inertia(2, 2), cylinder.mass / 2.0, kRounding * cylinder.mass);
  EXPECT_NEAR(cylinder.inertia(0, 0), cylinder.mass * (3.0 + 16.0) / 12.0,
              kRounding * cylinder.mass);
}

// The polyhedron's integrals must agree with the box's closed form, in any place and turn.
TEST(MassProperties, HullOfBoxIsTheBox) {
  const RandomStream random(1);
  for (int i = 0; i < 50; ++i) {
    const Vec3 half = Vec3(1.1, 1.2, 1.3) + random_vector(random, 3 * i);
    const Pose X = {.R = to_matrix(exp_map(3.0 * random_vector(random, 3 * i + 1))),
                    .p = 10.0 * random_vector(random, 3 * i + 2)};
    expect_near(calc_single(make_hull_of_box(half), X), calc_single(Box{half}, X), kRounding);
  }
}

TEST(MassProperties, EllipsoidIsAStretchedBall) {
  const Vec3 s(0.5, 1.5, 2.5);
  const MassProperties ellipsoid = calc_single(Ellipsoid{s});
  EXPECT_NEAR(ellipsoid.mass, 4.0 / 3.0 * kPi * s.prod(), kRounding * ellipsoid.mass);
  EXPECT_NEAR(ellipsoid.inertia(0, 0), ellipsoid.mass / 5.0 * (s.y() * s.y() + s.z() * s.z()),
              kRounding * ellipsoid.inertia(0, 0));
  expect_near(calc_single(Ellipsoid{Vec3::Constant(2.0)}), calc_single(Sphere{2.0}), kRounding);
}

// With vanishing edges a rounded box is a capsule or a ball; without a radius it is a box.
TEST(MassProperties, RoundedBoxHasItsLimits) {
  const Box nearly_ball{.half = Vec3::Constant(1.0 + 1e-12), .radius = 1.0};
  expect_near(calc_single(nearly_ball), calc_single(Sphere{1.0}), 1e-11);
  const Box nearly_capsule{.half = Vec3(1.0 + 1e-12, 1.0 + 1e-12, 3.0), .radius = 1.0};
  expect_near(calc_single(nearly_capsule), calc_single(Capsule{1.0, 2.0}), 1e-11);
  const Box nearly_sharp{.half = Vec3(1, 2, 3), .radius = 1e-14};
  expect_near(calc_single(nearly_sharp), calc_single(Box{Vec3(1, 2, 3)}), 1e-12);
}

// Slices across each axis are rounded rectangles; the integrals over the slices are exact.
TEST(MassProperties, RoundedBoxMatchesItsSlices) {
  const Box box{.half = Vec3(0.5, 0.7, 0.9), .radius = 0.3};
  constexpr int kNum = 100'000;
  constexpr double kSlices = 1e-7;  // the midpoint rule at the ends, where the slope is infinite
  const double r = box.radius;
  Vec3 squares;
  double mass = 0.0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 core = box.half - Vec3::Constant(r);
    const double b = core[(i + 1) % 3];
    const double c = core[(i + 2) % 3];
    const double thickness = 2.0 * box.half[i] / kNum;
    squares[i] = mass = 0.0;
    for (int k = 0; k < kNum; ++k) {
      const double x = -box.half[i] + thickness * (k + 0.5);
      const double beyond = std::max(std::fabs(x) - core[i], 0.0);
      const double rho = std::sqrt(r * r - beyond * beyond);
      const double area = 4.0 * b * c + 4.0 * (b + c) * rho + kPi * rho * rho;
      mass += thickness * area;
      squares[i] += thickness * area * x * x;
    }
  }
  const MassProperties exact = calc_single(box);
  EXPECT_NEAR(exact.mass, mass, kSlices * mass);
  EXPECT_NEAR(exact.inertia(0, 0), squares.y() + squares.z(), kSlices);
  EXPECT_NEAR(exact.inertia(1, 1), squares.x() + squares.z(), kSlices);
  EXPECT_NEAR(exact.inertia(2, 2), squares.x() + squares.y(), kSlices);
}

// Textbook: 3/10 m r^2 about the axis, 3/80 m (4 r^2 + l^2) across it, a quarter of the length
// above the base. A pyramid with many sides comes as close to that as to the circle.
TEST(MassProperties, ConeIsAPyramidOfManySides) {
  const Cone cone{.radius = 0.6, .half_length = 0.5};
  const MassProperties exact = calc_single(cone);
  EXPECT_NEAR(exact.mass, kPi / 3.0 * 0.36, kRounding);
  EXPECT_NEAR(exact.center.z(), -0.25, kRounding);
  EXPECT_NEAR(exact.inertia(2, 2), 0.3 * exact.mass * 0.36, kRounding);
  EXPECT_NEAR(exact.inertia(0, 0), 3.0 / 80.0 * exact.mass * (4.0 * 0.36 + 1.0), kRounding);
  constexpr int kSides = 1000;
  std::vector<Vec3> points = {Vec3(0, 0, 0.5)};
  for (int i = 0; i < kSides; ++i) {
    const SinCos at = sin_cos(2.0 * kPi * i / kSides);
    points.emplace_back(0.6 * at.cos, 0.6 * at.sin, -0.5);
  }
  expect_near(calc_single(Polyhedron{make_convex_hull(points)}), exact, 4.0 * kPi * kPi / 1e6);
}

// A solid cut in slices of equal thickness: integrals by the midpoint rule, error ~ 1/n^2.
TEST(MassProperties, CapsuleMatchesItsSlices) {
  const Capsule capsule = {0.7, 0.9};
  constexpr int kNum = 20'000;
  const double end = capsule.half_length + capsule.radius;
  double mass = 0.0, along = 0.0, across = 0.0;
  for (int i = 0; i < kNum; ++i) {
    const double z = -end + 2.0 * end * (i + 0.5) / kNum;
    const double over = std::max(0.0, std::fabs(z) - capsule.half_length);
    const double r2 = capsule.radius * capsule.radius - over * over;
    const double slice = kPi * r2 * 2.0 * end / kNum;
    mass += slice;
    along += slice * r2 / 2.0;
    across += slice * (r2 / 4.0 + z * z);
  }
  const MassProperties exact = calc_single(capsule);
  EXPECT_NEAR(mass, exact.mass, 1e-7);
  EXPECT_NEAR(along, exact.inertia(2, 2), 1e-7);
  EXPECT_NEAR(across, exact.inertia(0, 0), 1e-7);
}

TEST(MassProperties, PartsSumToTheWhole) {
  const std::vector<PlacedShape> halves = {{Box{Vec3(1, 2, 3)}, {.p = Vec3(-1, 5, 5)}},
                                           {Box{Vec3(1, 2, 3)}, {.p = Vec3(1, 5, 5)}}};
  expect_near(calc_mass_properties(halves, 2.5),
              with_mass(calc_single(Box{Vec3(2, 2, 3)}, {.p = Vec3(0, 5, 5)}), 96.0 * 2.5),
              kRounding);
}

TEST(MassProperties, RefusesPlanesNothingAndBadDensity) {
  const PlacedShape plane = {Plane{}, {}};
  EXPECT_THROW((void)calc_mass_properties({&plane, 1}, 1.0), InputError);
  const PlacedShape bowl = {Bowl{1.0}, {}};
  EXPECT_THROW((void)calc_mass_properties({&bowl, 1}, 1.0), InputError);
  EXPECT_THROW((void)calc_mass_properties({}, 1.0), InputError);
  const PlacedShape ball = {Sphere{1.0}, {}};
  EXPECT_THROW((void)calc_mass_properties({&ball, 1}, -1.0), InputError);
  EXPECT_THROW((void)calc_mass_properties({&ball, 1}, std::nan("")), InputError);
}

std::string inertia_error(double mass, const Mat3& inertia) {
  try {
    validate_inertia(mass, inertia);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ValidateInertia, AcceptsEveryRealBodyAndNamesTheRest) {
  EXPECT_EQ(inertia_error(1.0, Vec3(1, 2, 3).asDiagonal()), "no error");  // flat: 1 + 2 = 3
  const Mat3 R = to_matrix(exp_map(Vec3(1, 2, 3)));
  const Mat3 flat = R * Vec3(0.1, 0.2, 0.1 + 0.2).asDiagonal() * R.transpose();
  EXPECT_EQ(inertia_error(1.0, 0.5 * (flat + flat.transpose())), "no error");
  const std::string large = inertia_error(1.0, Vec3(1, 4.1, 3).asDiagonal());
  EXPECT_NE(large.find("exceeds"), std::string::npos);
  EXPECT_NE(large.find("1, 3, 4.0999999999999996"), std::string::npos) << large;
  EXPECT_NE(inertia_error(1.0, Vec3(-1, 2, 2).asDiagonal()).find("positive definite"),
            std::string::npos);
  EXPECT_NE(inertia_error(1.0, Mat3::Zero()).find("positive definite"), std::string::npos);
  Mat3 skewed = Mat3::Identity();
  skewed(0, 1) = 0.1;
  EXPECT_NE(inertia_error(1.0, skewed).find("not symmetric"), std::string::npos);
  EXPECT_NE(inertia_error(0.0, Mat3::Identity()).find("mass"), std::string::npos);
  EXPECT_NE(inertia_error(1.0, Mat3::Constant(std::nan(""))).find("finite"), std::string::npos);
}

TEST(PrincipalAxes, DiagonalKeepsItsOrder) {
  const PrincipalAxes axes = principal_axes(Vec3(3, 1, 2).asDiagonal());
  EXPECT_EQ(axes.R, Mat3::Identity());
  EXPECT_EQ(axes.moments, Vec3(3, 1, 2));
}

TEST(PrincipalAxes, DiagonaliseAndAreRightHanded) {
  const RandomStream random(2);
  for (int i = 0; i < 2000; ++i) {
    const Mat3 R = to_matrix(exp_map(3.0 * random_vector(random, 2 * i)));
    Vec3 moments = Vec3(2, 2, 2) + random_vector(random, 2 * i + 1);
    if (i % 4 == 0) {
      moments[1] = moments[0];  // a body of revolution
    }
    const Mat3 given = R * moments.asDiagonal() * R.transpose();
    const Mat3 inertia = 0.5 * (given + given.transpose());
    const PrincipalAxes axes = principal_axes(inertia);
    EXPECT_LT((axes.R * axes.moments.asDiagonal() * axes.R.transpose() - inertia).norm(),
              1e-14 * inertia.norm());
    EXPECT_LT((axes.R.transpose() * axes.R - Mat3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(axes.R.determinant(), 1.0, 1e-14);
    EXPECT_TRUE(std::is_sorted(axes.moments.data(), axes.moments.data() + 3));
  }
}

// Bounds, radius and support against points sampled from the shapes themselves.
class Extents : public ::testing::Test {
 protected:
  std::vector<Shape> shapes_ = {Sphere{0.8},
                                Box{Vec3(0.3, 0.5, 0.7)},
                                Capsule{0.4, 0.6},
                                Cylinder{0.5, 0.3},
                                make_hull_of_box(Vec3(0.2, 0.9, 0.4)),
                                Cone{0.5, 0.4}};
};

TEST_F(Extents, BoundsAreTheSupportAlongTheAxes) {
  const RandomStream random(3);
  for (int i = 0; i < 200; ++i) {
    const Pose X = {.R = to_matrix(exp_map(3.0 * random_vector(random, 2 * i))),
                    .p = random_vector(random, 2 * i + 1)};
    for (const Shape& shape : shapes_) {
      const Aabb box = calc_bounds(shape, X);
      for (int axis = 0; axis < 3; ++axis) {
        const Vec3 direction = X.R.transpose().col(axis);
        EXPECT_NEAR(box.upper[axis], (X * support(shape, direction).point)[axis], 1e-14);
        EXPECT_NEAR(box.lower[axis], (X * support(shape, -direction).point)[axis], 1e-14);
      }
    }
  }
}

TEST_F(Extents, RadiusIsTheFarthestSupport) {
  const RandomStream random(4);
  for (const Shape& shape : shapes_) {
    const Vec3 center = random_vector(random, 0);
    const double radius = calc_bounding_radius(shape, center);
    double farthest = 0.0;
    for (int i = 1; i < 20'000; ++i) {
      farthest =
          std::max(farthest, (support(shape, random_vector(random, i)).point - center).norm());
    }
    EXPECT_LE(farthest, radius * (1.0 + 1e-14));
    EXPECT_GT(farthest, 0.99 * radius);
  }
}

TEST_F(Extents, SupportBeatsEveryOtherSupport) {
  const RandomStream random(5);
  for (const Shape& shape : shapes_) {
    for (int i = 0; i < 300; ++i) {
      const Vec3 direction = random_vector(random, 2 * i);
      const Vec3 other = support(shape, random_vector(random, 2 * i + 1)).point;
      EXPECT_GE(direction.dot(support(shape, direction).point), direction.dot(other) - 1e-15);
    }
  }
}

TEST(Support, HillClimbingFindsTheTopFromEveryStart) {
  const RandomStream random(6);
  std::vector<Vec3> points;
  for (int i = 0; i < 500; ++i) {
    points.push_back(random_vector(random, i).normalized());
  }
  const auto mesh = make_convex_hull(points);
  for (int i = 0; i < 300; ++i) {
    const Vec3 direction = random_vector(random, 1000 + i);
    double highest = -2.0;
    for (const Vec3& vertex : mesh->vertices) {
      highest = std::max(highest, vertex.dot(direction));
    }
    const int found = find_extreme_vertex(*mesh, direction, i % mesh->num_vertices());
    EXPECT_EQ(mesh->vertices[found].dot(direction), highest);
  }
}

TEST(Bounds, PlaneIsBoundedOnlyAlongItsAxis) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Aabb ground = calc_bounds(Plane{}, {.p = Vec3(1, 2, 3)});
  EXPECT_EQ(ground.upper, Vec3(infinity, infinity, 3.0));
  EXPECT_EQ(ground.lower, Vec3::Constant(-infinity));
  const Aabb tilted = calc_bounds(Plane{}, {.R = to_matrix(exp_map(Vec3(0.1, 0, 0)))});
  EXPECT_EQ(tilted.upper, Vec3::Constant(infinity));
  EXPECT_EQ(calc_bounding_radius(Plane{}, Vec3::Zero()), infinity);
  EXPECT_THROW((void)support(Plane{}, Vec3(0, 0, 1)), InputError);
}

TEST(Bounds, BowlHasNone) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Aabb all = calc_bounds(Bowl{1.0}, {.p = Vec3(1, 2, 3)});
  EXPECT_EQ(all.upper, Vec3::Constant(infinity));
  EXPECT_EQ(all.lower, Vec3::Constant(-infinity));
  EXPECT_EQ(calc_bounding_radius(Bowl{1.0}, Vec3::Zero()), infinity);
  EXPECT_THROW((void)support(Bowl{1.0}, Vec3(0, 0, 1)), InputError);
}

TEST(Bounds, OfABodyCoverAllParts) {
  const std::vector<PlacedShape> parts = {{Sphere{1.0}, {.p = Vec3(5, 0, 0)}},
                                          {Box{Vec3(1, 2, 3)}, {.p = Vec3(0, -4, 0)}}};
  const Aabb box = calc_bounds(parts, Pose{.p = Vec3(0, 0, 10)});
  EXPECT_EQ(box.lower, Vec3(-1, -6, 7));
  EXPECT_EQ(box.upper, Vec3(6, 1, 13));
  EXPECT_DOUBLE_EQ(calc_bounding_radius(parts, Vec3::Zero()), std::sqrt(1.0 + 36.0 + 9.0));
}

}  // namespace
}  // namespace tenpin::shapes
