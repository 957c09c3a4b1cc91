// The signed distance of every pair of shapes, in general and awkward positions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "collide/distance.h"
#include "collide/polytope_oracle.h"
#include "collide/random_pairs.h"
#include "collide/surface_oracle.h"

namespace tenpin::collide {
namespace {

// Relative to the size of the shapes. A few dozen roundings of their coordinates:
constexpr double kExact = 1e-12;
// Closest points of nearly parallel features slide along them, and rims meet by iteration:
constexpr double kOnSurface = 1e-10;
// How deep cylinders, cones and ellipsoids overlap is searched for among all directions to 1e-9 of
// both shapes' extents, which are up to sqrt(3) of their sizes each. The depth found is exact for
// its own direction, but a direction that is worse than the best by this much has points that miss
// each other by as much:
constexpr double kCurvedSearch = 4e-9;

bool is_curved(ShapeKind kind) {
  return kind == ShapeKind::kCylinder || kind == ShapeKind::kEllipsoid || kind == ShapeKind::kCone;
}

bool is_curved(const shapes::Shape& shape) {
  return std::holds_alternative<shapes::Cylinder>(shape) ||
         std::holds_alternative<shapes::Cone>(shape) ||
         std::holds_alternative<shapes::Ellipsoid>(shape);
}

std::string describe(const ShapePair& pair, int A, int B, int i) {
  return fmt::format("kinds {} {}, case {}, size {}", A, B, i, pair.size);
}

// Points on both surfaces that far apart along n, and a slab that wide between the shapes: together
// they prove a positive distance, whatever found it.
void expect_certified(const ShapePair& pair, const Distance& d) {
  const double tolerance = kExact * pair.size;
  const bool searched = d.gap <= 0.0 && (is_curved(pair.A) || is_curved(pair.B));
  const double on_surface = (searched ? kCurvedSearch : kOnSurface) * pair.size + pair.unevenness;
  EXPECT_NEAR(d.normal.norm(), 1.0, 1e-14);
  EXPECT_LE((d.p_B - d.p_A - d.gap * d.normal).norm(), tolerance);
  EXPECT_NEAR(calc_depth(pair.A, pair.X_WA, d.p_A), 0.0, on_surface);
  EXPECT_NEAR(calc_depth(pair.B, pair.X_WB, d.p_B), 0.0, on_surface);
  EXPECT_NEAR(calc_separation(pair.A, pair.X_WA, pair.B, pair.X_WB, d.normal), d.gap, tolerance);
}

// The best of many random directions, improved by ever smaller random steps.
double search_separation(const ShapePair& pair, PairMaker* maker) {
  Vec3 best_n = Vec3::UnitZ();
  double best = -std::numeric_limits<double>::infinity();
  const auto visit = [&](const Vec3& n) {
    const double separation = calc_separation(pair.A, pair.X_WA, pair.B, pair.X_WB, n);
    if (separation <= best) return;
    best = separation;
    best_n = n;
  };
  for (int i = 0; i < 100; ++i) visit(maker->make_direction());
  for (int k = 0; k < 3; ++k) {
    for (const double sign : {-1.0, 1.0}) {
      visit(sign * pair.X_WA.R.col(k));
      visit(sign * pair.X_WB.R.col(k));
    }
  }
  for (double step = 0.3; step > 1e-5; step *= 0.8) {
    for (int i = 0; i < 8; ++i) visit((best_n + step * maker->make_direction()).normalized());
  }
  return best;
}

class DistanceOfPair : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(DistanceOfPair, IsCertifiedAndOptimal) {
  const auto [a, b] = GetParam();
  const auto kind_A = static_cast<ShapeKind>(a);
  const auto kind_B = static_cast<ShapeKind>(b);
  if (kind_A == ShapeKind::kPlane && kind_B == ShapeKind::kPlane) return;
  PairMaker maker(static_cast<unsigned>(100 * a + b));
  PairMaker searcher(1);
  const bool has_plane = kind_A == ShapeKind::kPlane || kind_B == ShapeKind::kPlane;
  const bool has_curved = is_curved(kind_A) || is_curved(kind_B);
  const int count = 2000 * test_scale();
  for (int i = 0; i < count && !HasFailure(); ++i) {
    const ShapePair pair = maker.make_pair(kind_A, kind_B);
    SCOPED_TRACE(describe(pair, a, b, i));
    const Distance d = calc_distance(pair.A, pair.X_WA, pair.B, pair.X_WB);
    expect_certified(pair, d);
    if (has_plane) continue;
    if (!has_curved) {
      const double exact =
          calc_oracle_distance(make_oracle(pair.A, pair.X_WA), make_oracle(pair.B, pair.X_WB));
      EXPECT_NEAR(d.gap, exact, kExact * pair.size + pair.unevenness);
    } else {
      const double tolerance = (d.gap > 0.0 ? kExact : kCurvedSearch) * pair.size;
      EXPECT_LE(search_separation(pair, &searcher), d.gap + tolerance);
    }
  }
}

std::string pair_name(const testing::TestParamInfo<std::tuple<int, int>>& info) {
  return std::string(kShapeKindNames[std::get<0>(info.param)]) +
         kShapeKindNames[std::get<1>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(AllPairs, DistanceOfPair,
                         testing::Combine(testing::Range(0, kNumShapeKinds),
                                          testing::Range(0, kNumShapeKinds)),
                         pair_name);

}  // namespace
}  // namespace tenpin::collide
