// What every manifold must satisfy, whatever the pair and the pose.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "collide/distance.h"
#include "collide/manifold.h"
#include "collide/narrow_phase.h"
#include "collide/random_pairs.h"
#include "collide/surface_oracle.h"

namespace tenpin::collide {
namespace {

// Relative to the size of the shapes.
constexpr double kOnSurface = 1e-10;    // outlines and merging of points use tolerances below this
constexpr double kCurvedSearch = 4e-9;  // overlaps of curved shapes: see distance_property_test.cpp
constexpr double kGap = 2e-9;           // documented in manifold.h, with kGapChange
constexpr double kGapChange = 1e-3;     // of the gap: normals may be those of a face 0.02 rad off

using Points = std::vector<ContactPoint>;

Points find_points(const ShapePair& pair, double margin) {
  Points points;
  append_manifold(pair.A, pair.X_WA, pair.B, pair.X_WB, margin, &points);
  return points;
}

double least_gap(const Points& points) {
  double least = std::numeric_limits<double>::infinity();
  for (const ContactPoint& point : points) least = std::min(least, point.gap);
  return least;
}

// The point without the rounding is on the core of a sphere, a capsule or a rounded box, as
// manifold.h promises.
void expect_on_core(const shapes::Shape& shape, const Pose& X_WS, const Vec3& p, double tolerance) {
  const Vec3 x = X_WS.R.transpose() * (p - X_WS.p);
  if (const auto* box = std::get_if<shapes::Box>(&shape)) {
    const shapes::Box core{.half = box->half - Vec3::Constant(box->radius)};
    EXPECT_NEAR(calc_depth(core, X_WS, p), 0.0, tolerance);
    return;
  }
  const auto* capsule = std::get_if<shapes::Capsule>(&shape);
  const double h = capsule != nullptr ? capsule->half_length : 0.0;
  EXPECT_LE((x - Vec3(0, 0, std::clamp(x.z(), -h, h))).norm(), tolerance);
}

bool is_curved(const shapes::Shape& shape) {
  return std::holds_alternative<shapes::Cylinder>(shape) ||
         std::holds_alternative<shapes::Cone>(shape) ||
         std::holds_alternative<shapes::Ellipsoid>(shape);
}

void expect_on_shape(const shapes::Shape& shape, const Pose& X_WS, const Vec3& p,
                     const Vec3& to_core, double tolerance) {
  if (to_core.isZero()) {
    EXPECT_NEAR(calc_depth(shape, X_WS, p), 0.0, tolerance);
  } else {
    expect_on_core(shape, X_WS, p + to_core, tolerance);
  }
}

void expect_sound(const ShapePair& pair, const Points& points, double margin) {
  const bool searched = least_gap(points) <= 0.0 && (is_curved(pair.A) || is_curved(pair.B));
  const double tolerance = (searched ? kCurvedSearch : kOnSurface) * pair.size + pair.unevenness;
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.normal.norm(), 1.0, 1e-14);
    EXPECT_LE((point.p_B - point.p_A - point.gap * point.normal).norm(), 1e-13 * pair.size);
    EXPECT_LE(point.gap, margin + 1e-12 * pair.size);
    const Vec3& n = point.normal;
    expect_on_shape(pair.A, pair.X_WA, point.p_A, -point.radius_A * n, tolerance);
    expect_on_shape(pair.B, pair.X_WB, point.p_B, point.radius_B * n, tolerance);
  }
}

void expect_unique_features(const Points& points) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ids;
  ids.reserve(points.size());
  for (const ContactPoint& point : points) ids.emplace_back(point.feature_A, point.feature_B);
  std::sort(ids.begin(), ids.end());
  EXPECT_TRUE(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
}

void expect_least_gap_is_distance(const ShapePair& pair, const Points& points, double margin) {
  const Distance distance = calc_distance(pair.A, pair.X_WA, pair.B, pair.X_WB);
  const double tolerance = kGap * pair.size + kGapChange * std::abs(distance.gap);
  if (distance.gap < margin - tolerance) {
    ASSERT_FALSE(points.empty());
    EXPECT_NEAR(least_gap(points), distance.gap, tolerance);
  }
  if (distance.gap > margin + tolerance) {
    EXPECT_TRUE(points.empty());
  }
}

// Whether each point of one manifold is in the other, up to `tolerance` (m).
bool covers(const Points& points, const Points& others, double tolerance) {
  return std::all_of(others.begin(), others.end(), [&](const ContactPoint& other) {
    return std::any_of(points.begin(), points.end(), [&](const ContactPoint& point) {
      return (point.p_A - other.p_A).norm() <= tolerance &&
             (point.p_B - other.p_B).norm() <= tolerance;
    });
  });
}

class ManifoldOfPair : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(ManifoldOfPair, IsSound) {
  const auto [a, b] = GetParam();
  PairMaker maker(static_cast<unsigned>(1000 + 100 * a + b));
  const int count = 1500 * test_scale();
  for (int i = 0; i < count && !HasFailure(); ++i) {
    const ShapePair pair = maker.make_pair(static_cast<ShapeKind>(a), static_cast<ShapeKind>(b));
    const double margin = pair.size * std::pow(10.0, maker.uniform(-6.0, -1.0));
    SCOPED_TRACE(fmt::format("kinds {} {}, case {}, size {}", a, b, i, pair.size));
    const Points points = find_points(pair, margin);
    expect_sound(pair, points, margin);
    expect_unique_features(points);
    if (a == static_cast<int>(ShapeKind::kPlane) && a == b) {
      EXPECT_TRUE(points.empty());
      continue;
    }
    expect_least_gap_is_distance(pair, points, margin);
  }
}

// In general position; where features are parallel to rounding, either of them may be taken.
TEST_P(ManifoldOfPair, IsSymmetricAndMovesWithTheShapes) {
  const auto [a, b] = GetParam();
  PairMaker maker(static_cast<unsigned>(2000 + 100 * a + b));
  const int count = 500 * test_scale();
  int num_different = 0;
  int num_checked = 0;
  for (int i = 0; i < count; ++i) {
    ShapePair pair = maker.make_pair(static_cast<ShapeKind>(a), static_cast<ShapeKind>(b));
    const double margin = 0.02 * pair.size;
    const Points points = find_points(pair, margin);
    if (points.empty()) continue;
    ++num_checked;
    const double tolerance = 1e-8 * pair.size;
    Points swapped;
    append_manifold(pair.B, pair.X_WB, pair.A, pair.X_WA, margin, &swapped);
    for (ContactPoint& point : swapped) std::swap(point.p_A, point.p_B);
    const Pose X{.R = maker.make_rotation(), .p = pair.size * maker.make_direction()};
    const Pose X_inverse = X.inverse();
    pair.X_WA = X * pair.X_WA;
    pair.X_WB = X * pair.X_WB;
    Points moved = find_points(pair, margin);
    for (ContactPoint& point : moved) {
      point.p_A = X_inverse * point.p_A;
      point.p_B = X_inverse * point.p_B;
    }
    if (!covers(points, swapped, tolerance) || !covers(swapped, points, tolerance) ||
        !covers(points, moved, tolerance) || !covers(moved, points, tolerance)) {
      ++num_different;
    }
  }
  // Ties are common in these poses on purpose; a broken symmetry would show in most of them.
  EXPECT_LE(num_different, num_checked / 10) << "of " << num_checked;
  RecordProperty("different", num_different);
}

std::string pair_name(const testing::TestParamInfo<std::tuple<int, int>>& info) {
  return std::string(kShapeKindNames[std::get<0>(info.param)]) +
         kShapeKindNames[std::get<1>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(AllPairs, ManifoldOfPair,
                         testing::Combine(testing::Range(0, kNumShapeKinds),
                                          testing::Range(0, kNumShapeKinds)),
                         pair_name);

}  // namespace
}  // namespace tenpin::collide
