// A bowl against what it is by definition: all that is farther from its centre than its radius.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/closest_features.h"
#include "collide/distance.h"
#include "collide/features.h"
#include "collide/manifold.h"
#include "collide/random_pairs.h"
#include "collide/surface_oracle.h"

namespace tenpin::collide {
namespace {

constexpr double kRounding = 1e-14;  // of the sizes involved

using Points = std::vector<ContactPoint>;

// Farthest from x of all that the solid holds, by looking from ever nearer directions: the support
// towards the farthest point's own direction is a fixed point of this map, so many starts are used.
double find_farthest(const shapes::Shape& shape, const Pose& X_WS, const Vec3& x, PairMaker* make) {
  constexpr int kStarts = 400;
  constexpr int kSteps = 60;
  double best = 0.0;
  for (int i = 0; i < kStarts; ++i) {
    Vec3 n = make->make_direction();
    for (int k = 0; k < kSteps; ++k) {
      // A step along n beyond the support pulls the direction to the point that bears it.
      constexpr double kNudge = 1e-6;
      Vec3 point = Vec3::Zero();
      const double here = calc_extent(shape, X_WS, n);
      for (int axis = 0; axis < 3; ++axis) {
        const Vec3 turned = n + kNudge * Vec3::Unit(axis);
        point[axis] = (calc_extent(shape, X_WS, turned) - here) / kNudge;
      }
      const Vec3 arm = point - x;
      if (arm.norm() == 0.0) break;
      n = arm.normalized();
    }
    // n . (p - x) is a lower bound of |p - x| for every n, and equal to it at the farthest p.
    best = std::max(best, calc_extent(shape, X_WS, n) - n.dot(x));
  }
  return best;
}

struct Case {
  shapes::Bowl bowl;
  Pose X_WA;
  shapes::Shape B;
  Pose X_WB;
  double size = 1.0;  // m
};

// Anything, anywhere in a bowl: in its middle, at its wall, through it.
Case make_case(PairMaker* make, ShapeKind kind) {
  Case c;
  c.B = make->make_shape(kind, 1.0);
  const double size = calc_size(c.B);
  c.bowl.radius = size * make->uniform(0.5, 8.0);
  c.X_WA = {.R = make->make_rotation(), .p = make->uniform(0.0, 3.0) * make->make_direction()};
  const double out = make->pick(8) == 0 ? 0.0 : c.bowl.radius * make->uniform(0.0, 1.2);
  c.X_WB = {.R = make->make_rotation(), .p = c.X_WA.p + out * make->make_direction()};
  c.size = size + c.bowl.radius + 3.0;
  return c;
}

constexpr ShapeKind kKinds[] = {
    ShapeKind::kSphere,     ShapeKind::kBox,        ShapeKind::kCapsule,   ShapeKind::kCylinder,
    ShapeKind::kPolyhedron, ShapeKind::kRoundedBox, ShapeKind::kEllipsoid, ShapeKind::kCone};

void expect_in_its_place(const Case& c, const ContactPoint& point) {
  const Vec3 arm = point.p_A - c.X_WA.p;
  EXPECT_NEAR(arm.norm(), c.bowl.radius, 10 * kRounding * c.size);
  EXPECT_LE((point.normal * c.bowl.radius + arm).norm(), 10 * kRounding * c.size);
  EXPECT_LE((point.p_B - point.p_A - point.gap * point.normal).norm(), 10 * kRounding * c.size);
  EXPECT_NEAR(calc_depth(c.B, c.X_WB, point.p_B), 0.0, 1e-10 * c.size + calc_unevenness(c.B));
  EXPECT_EQ(point.radius_A, -c.bowl.radius);
}

TEST(Bowl, DistanceIsThatOfTheFarthestPoint) {
  PairMaker make(71);
  // The oracle's directions are found by differences of 1e-6.
  constexpr double kOracle = 1e-5;
  for (int i = 0; i < 40 * test_scale(); ++i) {
    const Case c = make_case(&make, kKinds[i % std::size(kKinds)]);
    const Distance d = calc_distance(c.bowl, c.X_WA, c.B, c.X_WB);
    const double farthest = find_farthest(c.B, c.X_WB, c.X_WA.p, &make);
    EXPECT_NEAR(d.gap, c.bowl.radius - farthest, kOracle * c.size) << i;
    // Never above it: the oracle's is a point's own distance.
    EXPECT_LE(d.gap, c.bowl.radius - farthest + 1e-12 * c.size) << i;
  }
}

TEST(Bowl, ManifoldsAreSound) {
  PairMaker make(72);
  for (int i = 0; i < 20000 * test_scale(); ++i) {
    const Case c = make_case(&make, kKinds[i % std::size(kKinds)]);
    const double margin = make.uniform(0.0, 0.3) * c.size;
    Points points;
    append_manifold(c.bowl, c.X_WA, c.B, c.X_WB, margin, &points);
    const Distance d = calc_distance(c.bowl, c.X_WA, c.B, c.X_WB);
    double least = std::numeric_limits<double>::infinity();
    std::vector<std::uint32_t> ids;
    for (const ContactPoint& point : points) {
      expect_in_its_place(c, point);
      EXPECT_LE(point.gap, margin + 1e-12 * c.size);
      least = std::min(least, point.gap);
      ids.push_back(point.feature_B);
    }
    if (d.gap < margin - 1e-12 * c.size) {
      EXPECT_NEAR(least, d.gap, 1e-12 * c.size) << i;
    } else if (d.gap > margin + 1e-12 * c.size) {
      EXPECT_TRUE(points.empty()) << i;
    }
    std::sort(ids.begin(), ids.end());
    EXPECT_TRUE(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
  }
}

// From the other side, and by the tracker, the answers are the same.
TEST(Bowl, OrderOfThePairDoesNotMatter) {
  PairMaker make(73);
  for (int i = 0; i < 2000 * test_scale(); ++i) {
    const Case c = make_case(&make, kKinds[i % std::size(kKinds)]);
    const shapes::Shape bowl = c.bowl;
    Points points;
    Points swapped;
    append_manifold(bowl, c.X_WA, c.B, c.X_WB, 0.1, &points);
    append_manifold(c.B, c.X_WB, bowl, c.X_WA, 0.1, &swapped);
    ASSERT_EQ(points.size(), swapped.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(points[k].p_A, swapped[k].p_B);
      EXPECT_EQ(points[k].normal, -swapped[k].normal);
      EXPECT_EQ(points[k].radius_A, swapped[k].radius_B);
      EXPECT_EQ(points[k].feature_B, swapped[k].feature_A);
    }
    const Distance d = calc_distance(bowl, c.X_WA, c.B, c.X_WB);
    const TrackedShape A(bowl);
    const TrackedShape B(c.B);
    FeaturePair pair;
    const Distance tracked =
        FeatureTracker().calc_distance({.A = B, .X_WA = c.X_WB, .B = A, .X_WB = c.X_WA}, &pair);
    EXPECT_EQ(tracked.gap, d.gap);
    EXPECT_EQ(tracked.p_B, d.p_A);
    EXPECT_EQ(tracked.normal, -d.normal);
  }
}

std::size_t count_points(const shapes::Shape& shape, const Vec3& at) {
  Points points;
  append_manifold(shapes::Bowl{1.0}, {}, shape, {.R = Mat3::Identity(), .p = at}, 1e-9, &points);
  return points.size();
}

// What rests in a bowl rests on all that touches.
TEST(Bowl, RestingShapesHaveFullManifolds) {
  EXPECT_EQ(count_points(shapes::Sphere{0.25}, {0, 0, -0.75}), 1U);
  const double low = -std::sqrt(1.0 - 0.09 - 0.09);
  EXPECT_EQ(count_points(shapes::Box{.half = {0.3, 0.3, 0.1}}, {0, 0, low + 0.1}), 4U);
  const double rim = -std::sqrt(1.0 - 0.25);
  EXPECT_EQ(count_points(shapes::Cylinder{.radius = 0.5, .half_length = 0.1}, {0, 0, rim + 0.1}),
            8U);
  const double end = -std::sqrt(0.81 - 0.16);
  Points points;
  const Mat3 lying = (Mat3() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished();
  append_manifold(shapes::Bowl{1.0}, {}, shapes::Capsule{.radius = 0.1, .half_length = 0.4},
                  {.R = lying, .p = Vec3(0, 0, end)}, 1e-9, &points);
  EXPECT_EQ(points.size(), 2U);
}

// While a cylinder rolls on its side, the same two points of its rims touch.
TEST(Bowl, RollingCylinderKeepsItsPoints) {
  const shapes::Cylinder cylinder{.radius = 0.2, .half_length = 0.3};
  const double depth = std::sqrt(1.0 - 0.09) - 0.2;
  for (int k = 0; k < 1000; ++k) {
    const double angle = 2e-3 * k;
    Mat3 R;  // axis along y, turned about it
    R << std::cos(angle), -std::sin(angle), 0, 0, 0, 1, -std::sin(angle), -std::cos(angle), 0;
    Points points;
    append_manifold(shapes::Bowl{1.0}, {}, cylinder, {.R = R, .p = Vec3(0, 0, -depth)}, 1e-9,
                    &points);
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[0].feature_B, make_feature(FeatureKind::kRim, 0));
    EXPECT_EQ(points[1].feature_B, make_feature(FeatureKind::kRim, 1));
  }
}

// In the very centre all directions are alike; the answer is still one.
TEST(Bowl, CentreHasANormal) {
  const Distance d = calc_distance(shapes::Bowl{2.0}, {}, shapes::Sphere{0.5}, {});
  EXPECT_EQ(d.gap, 1.5);
  EXPECT_EQ(d.normal, Vec3(Vec3::UnitZ()));
  EXPECT_EQ(d.p_A, Vec3(0, 0, -2));
}

}  // namespace
}  // namespace tenpin::collide
