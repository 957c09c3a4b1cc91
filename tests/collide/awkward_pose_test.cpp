// Poses that break narrow phases: shared edges, seams, sizes far apart, thin plates, coincident
// centres, one shape inside another.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "collide/distance.h"
#include "collide/manifold.h"
#include "collide/surface_oracle.h"
#include "math/trig.h"
#include "shapes/convex_hull.h"

namespace tenpin::collide {
namespace {

using namespace shapes;
using Points = std::vector<ContactPoint>;

constexpr double kExact = 1e-12;  // relative to size

Pose at(double x, double y, double z) {
  return {.R = Mat3::Identity(), .p = Vec3(x, y, z)};
}

Pose turned(const Vec3& axis, double angle, const Vec3& p) {
  return {.R = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(), .p = p};
}

Box make_box(double x, double y, double z) {
  return {.half = Vec3(x, y, z)};
}

Polyhedron make_brick(double x, double y, double z) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.emplace_back((i & 1) != 0 ? x : -x, (i & 2) != 0 ? y : -y, (i & 4) != 0 ? z : -z);
  }
  return {make_convex_hull(corners)};
}

struct Setting {
  Shape A;
  Pose X_WA;
  Shape B;
  Pose X_WB;
  double size = 1.0;  // m

  Setting swapped() const { return {B, X_WB, A, X_WA, size}; }
};

Points touch(const Setting& s, double margin) {
  Points points;
  append_manifold(s.A, s.X_WA, s.B, s.X_WB, margin, &points);
  return points;
}

// The distance is proven by its points and its slab, and the manifold's least gap is the distance.
void expect_sound(const Setting& s, double gap, double margin) {
  const double tolerance = kExact * s.size;
  const Distance d = calc_distance(s.A, s.X_WA, s.B, s.X_WB);
  EXPECT_NEAR(d.gap, gap, tolerance);
  EXPECT_NEAR(d.normal.norm(), 1.0, 1e-14);
  EXPECT_NEAR(calc_separation(s.A, s.X_WA, s.B, s.X_WB, d.normal), gap, tolerance);
  EXPECT_NEAR(calc_depth(s.A, s.X_WA, d.p_A), 0.0, tolerance);
  EXPECT_NEAR(calc_depth(s.B, s.X_WB, d.p_B), 0.0, tolerance);
  const Points points = touch(s, margin);
  ASSERT_FALSE(points.empty());
  double least = points[0].gap;
  std::set<std::pair<std::uint32_t, std::uint32_t>> ids;
  for (const ContactPoint& point : points) {
    least = std::min(least, point.gap);
    ids.emplace(point.feature_A, point.feature_B);
    EXPECT_NEAR(calc_depth(s.A, s.X_WA, point.p_A), 0.0, 1e-10 * s.size);
    EXPECT_NEAR(calc_depth(s.B, s.X_WB, point.p_B), 0.0, 1e-10 * s.size);
  }
  EXPECT_NEAR(least, gap, tolerance);
  EXPECT_EQ(ids.size(), points.size());
}

void expect_contact(const Setting& s, double gap, std::size_t num_points, double margin = 1e-3) {
  for (const Setting& setting : {s, s.swapped()}) {
    expect_sound(setting, gap, margin);
    EXPECT_EQ(touch(setting, margin).size(), num_points);
  }
}

bool has_point(const Points& points, const Vec3& p, double tolerance) {
  return std::any_of(points.begin(), points.end(), [&](const ContactPoint& point) {
    return (point.p_A - p).norm() < tolerance;
  });
}

TEST(AwkwardPose, BoxesThatShareAnEdgeTouchAtItsEnds) {
  // Diagonal neighbours of a chequerboard, and slightly apart or overlapping across the corner.
  for (const double gap : {0.0, 1e-9, -1e-9, 1e-4}) {
    const double shift = gap > 0.0 ? gap * std::sqrt(0.5) : gap;  // the way out is along x or y
    const Setting boxes{make_box(0.5, 0.5, 0.5), at(0, 0, 0), make_box(0.5, 0.5, 0.5),
                        at(1 + shift, 1 + shift, 0.2)};
    SCOPED_TRACE(gap);
    for (const Setting& setting : {boxes, boxes.swapped()}) {
      expect_sound(setting, gap, 1e-3);
      const Points points = touch(setting, 1e-3);
      for (const double z : {-0.3, 0.5}) {
        EXPECT_TRUE(has_point(points, Vec3(0.5, 0.5, z), 2e-4)) << z;
      }
    }
  }
}

TEST(AwkwardPose, EdgesCrossedOverEachOtherStayOnePointAtAnyAngle) {
  const double half_diagonal = std::sqrt(0.5);
  for (const double angle : {1e-1, 1e-2, 1e-4, 1e-6, 1e-8}) {
    SCOPED_TRACE(angle);
    const Pose X_WA = turned(Vec3::UnitX(), kPi / 4, Vec3::Zero());
    const Mat3 R = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix() * X_WA.R;
    const Setting edges{make_box(0.5, 0.5, 0.5), X_WA, make_box(0.5, 0.5, 0.5),
                        Pose{.R = R, .p = Vec3(0, 0, 2 * half_diagonal)}};
    expect_contact(edges, 0.0, 1);
  }
}

TEST(AwkwardPose, BoxOnTheSeamOfTwoLosesNoSupport) {
  const Box block = make_box(0.5, 0.5, 0.5);
  const Pose X_top = at(0.0, 0.1, 1.0);
  const Points left = touch({block, at(-0.5, 0, 0), block, X_top}, 1e-3);
  const Points right = touch({block, at(0.5, 0, 0), block, X_top}, 1e-3);
  for (const double y : {-0.4, 0.5}) {
    for (const double x : {-0.5, 0.0}) EXPECT_TRUE(has_point(left, Vec3(x, y, 0.5), 1e-9));
    for (const double x : {0.0, 0.5}) EXPECT_TRUE(has_point(right, Vec3(x, y, 0.5), 1e-9));
  }
  EXPECT_EQ(left.size(), 4u);
  EXPECT_EQ(right.size(), 4u);
}

// Where edges that lie on each other cross is decided by rounding: no point stands there.
TEST(AwkwardPose, EqualBoxesHaveFourPointsHoweverLittleTheyTurn) {
  const Box block = make_box(0.5, 0.5, 0.5);
  for (const double turn : {0.0, 1e-12, 1e-9, -1e-7, 1e-6}) {
    for (const double shift : {0.0, 0.3}) {
      for (const double slip : {0.0, 1e-8, -1e-8}) {
        SCOPED_TRACE(testing::Message() << turn << ' ' << shift << ' ' << slip);
        const Pose X_top = turned(Vec3::UnitZ(), turn, Vec3(shift, slip, 1.0));
        const Points points = touch({block, at(0, 0, 0), block, X_top}, 1e-3);
        EXPECT_EQ(points.size(), 4u);
        for (const double x : {shift - 0.5, 0.5}) {
          for (const double y : {-0.5, 0.5}) {
            EXPECT_TRUE(has_point(points, Vec3(x, y, 0.5), 2e-6)) << x << ' ' << y;
          }
        }
      }
    }
  }
}

// At a larger angle the crossing is a corner of its own.
TEST(AwkwardPose, BoxTurnedOnItsEqualHasEightPoints) {
  const Box block = make_box(0.5, 0.5, 0.5);
  const Pose X_top = turned(Vec3::UnitZ(), 1e-3, Vec3(0, 0, 1.0));
  EXPECT_EQ(touch({block, at(0, 0, 0), block, X_top}, 1e-3).size(), 8u);
}

TEST(AwkwardPose, TinyOnHugeKeepsItsCorners) {
  const double tiny = 1e-3;
  const double huge = 1e3;
  // Errors are relative to the tiny one: the huge one's coordinates round at 1e-13 m.
  for (const double x : {0.0, 123.456, huge - tiny}) {
    SCOPED_TRACE(x);
    const Setting box{make_box(huge, huge, huge), at(0, 0, -huge), make_box(tiny, tiny, tiny),
                      turned(Vec3::UnitZ(), 0.3, Vec3(x - tiny, 0, tiny)), huge};
    expect_contact(box, 0.0, 4, 1e-6);
    const Setting brick{make_brick(huge, huge, huge), at(0, 0, -huge), make_brick(tiny, tiny, tiny),
                        turned(Vec3::UnitZ(), 0.3, Vec3(x - tiny, 0, tiny)), huge};
    expect_contact(brick, 0.0, 4, 1e-6);
    const Setting can{make_box(huge, huge, huge), at(0, 0, -huge),
                      Cylinder{.radius = tiny, .half_length = tiny}, at(x - 2 * tiny, 0, tiny),
                      huge};
    expect_contact(can, 0.0, 8, 1e-6);
  }
}

TEST(AwkwardPose, ThinPlatesAreLeftThroughTheirThickness) {
  const double thin = 1e-4;
  const Setting plates{make_box(1, 1, thin), at(0, 0, 0), make_box(1, 1, thin),
                       at(0.3, 0.2, 0.5 * thin)};
  expect_contact(plates, -1.5 * thin, 4);
  const Setting bricks{make_brick(1, 1, thin), at(0, 0, 0), make_brick(1, 1, thin),
                       at(0.3, 0.2, 0.5 * thin)};
  expect_contact(bricks, -1.5 * thin, 4);
  const Setting discs{Cylinder{.radius = 1, .half_length = thin}, at(0, 0, 0),
                      Cylinder{.radius = 1, .half_length = thin}, at(0.3, 0.2, 0.5 * thin)};
  for (const Setting& setting : {discs, discs.swapped()}) expect_sound(setting, -1.5 * thin, 1e-3);
}

TEST(AwkwardPose, CoincidentCentresHaveADefiniteWayOut) {
  const std::vector<std::pair<Shape, double>> shapes = {
      {make_box(0.5, 0.4, 0.3), 0.6},
      {make_brick(0.5, 0.4, 0.3), 0.6},
      {Cylinder{.radius = 0.4, .half_length = 0.3}, 0.6},
      {Cylinder{.radius = 0.2, .half_length = 0.7}, 0.4},
  };
  for (const auto& [shape, depth] : shapes) {
    for (const Pose& X : {at(0, 0, 0), turned(Vec3(1, 2, 3), 0.7, Vec3(3, 4, 5))}) {
      SCOPED_TRACE(shape.index());
      expect_sound({shape, X, shape, X, 10.0}, -depth, 1e-3);
    }
  }
}

TEST(AwkwardPose, WhatIsInsideLeavesByTheShortestWay) {
  const std::vector<Shape> inner = {make_box(0.1, 0.1, 0.1), make_brick(0.1, 0.1, 0.1),
                                    Cylinder{.radius = 0.1, .half_length = 0.1}};
  for (const Shape& outer : {Shape(make_box(1, 2, 3)), Shape(make_brick(1, 2, 3))}) {
    for (const Shape& shape : inner) {
      const Setting s{outer, at(0, 0, 0), shape, at(0.4, 0.3, 0.2), 3.0};
      for (const Setting& setting : {s, s.swapped()}) expect_sound(setting, -0.7, 1e-3);
    }
  }
}

TEST(AwkwardPose, CapsOffCentreTouchInTheLensBetweenTheRims) {
  const Cylinder can{.radius = 0.5, .half_length = 0.4};
  const double offset = 0.6;
  const double reach = std::sqrt(0.25 - 0.09);
  for (const double tilt : {0.0, 1e-13, 1e-10, 1e-7}) {
    SCOPED_TRACE(tilt);
    const Setting s{can, at(0, 0, 0), can, turned(Vec3::UnitY(), tilt, Vec3(offset, 0, 0.8))};
    for (const Setting& setting : {s, s.swapped()}) {
      const Points points = touch(setting, 1e-3);
      for (const double y : {-reach, reach}) {
        EXPECT_TRUE(has_point(points, Vec3(0.3, y, 0.4), 1e-6)) << y;
      }
      EXPECT_TRUE(has_point(points, Vec3(0.5, 0, 0.4), 1e-6));
      EXPECT_TRUE(has_point(points, Vec3(0.1, 0, 0.4), 1e-6));
    }
  }
}

TEST(AwkwardPose, CapsuleAlongABoxesEdgeTouchesAtTheEndsOfTheCommonPart) {
  const Capsule capsule{.radius = 0.1, .half_length = 0.3};
  const double diagonal = 0.5 + 0.1 * std::sqrt(0.5);
  const Setting s{make_box(0.5, 0.5, 0.5), at(0, 0, 0), capsule, at(diagonal, diagonal, 0.4)};
  expect_contact(s, 0.0, 2);
  const Points points = touch(s, 1e-3);
  EXPECT_TRUE(has_point(points, Vec3(0.5, 0.5, 0.1), 1e-9));
  EXPECT_TRUE(has_point(points, Vec3(0.5, 0.5, 0.5), 1e-9));
}

TEST(AwkwardPose, FeaturesStayWhileTheSamePartsTouch) {
  const auto ids = [](const Setting& s) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> set;
    for (const ContactPoint& point : touch(s, 1e-2)) set.emplace(point.feature_A, point.feature_B);
    return set;
  };
  const Shape A = make_brick(0.5, 0.5, 0.5);
  for (const Shape& B : {Shape(make_box(0.3, 0.3, 0.3)), Shape(make_brick(0.3, 0.3, 0.3)),
                         Shape(Cylinder{.radius = 0.3, .half_length = 0.3})}) {
    const auto first = ids({A, at(0, 0, 0), B, at(0.05, 0.1, 0.8)});
    ASSERT_GE(first.size(), 4u);
    for (int i = 1; i <= 20; ++i) {
      const Vec3 p(0.05 + 0.002 * i, 0.1 - 0.001 * i, 0.8 + 1e-5 * (i % 5 - 2));
      const Pose X = turned(Vec3(1, 2, 0.1 * i), 1e-4 * (i % 3 - 1), p);
      // A tilted rim adds its lowest point to its marks.
      const auto now = ids({A, at(0, 0, 0), B, X});
      EXPECT_TRUE(std::includes(now.begin(), now.end(), first.begin(), first.end())) << i;
      EXPECT_LE(now.size(), first.size() + 1) << i;
    }
  }
}

}  // namespace
}  // namespace tenpin::collide
