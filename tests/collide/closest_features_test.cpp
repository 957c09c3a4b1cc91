#include "collide/closest_features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collide/polytope_oracle.h"
#include "collide/random_pairs.h"
#include "math/rotation.h"
#include "shapes/convex_hull.h"

namespace tenpin::collide {
namespace {

using shapes::Shape;

// Distances are proven to a few units in the last place of the shapes' size.
constexpr double kRounding = 1e-12;

bool is_polytopal(ShapeKind kind) {
  return kind != ShapeKind::kCylinder && kind != ShapeKind::kEllipsoid &&
         kind != ShapeKind::kCone && kind != ShapeKind::kPlane;
}

// The gap is that of brute force, and the points are on a line as long as it along the normal.
void expect_right(const ShapePair& pair, const Distance& found) {
  const double tolerance = kRounding * pair.size + 4.0 * pair.unevenness;
  const double truth =
      calc_oracle_distance(make_oracle(pair.A, pair.X_WA), make_oracle(pair.B, pair.X_WB));
  EXPECT_NEAR(found.gap, truth, truth > 0.0 ? kRounding * pair.size : tolerance);
  EXPECT_NEAR(found.normal.norm(), 1.0, 1e-12);
  EXPECT_LE((found.p_B - found.p_A - found.gap * found.normal).norm(), 1e-9 * pair.size);
}

// Touching, parallel, coincident, far and overlapping pairs, each from scratch.
TEST(ClosestFeatures, FreshQueriesEqualBruteForce) {
  PairMaker maker(71);
  FeatureTracker tracker;
  const int cases = 1500 * test_scale();
  for (int i = 0; i < cases && !HasFailure(); ++i) {
    const auto a = static_cast<ShapeKind>(maker.pick(kNumShapeKinds));
    const auto b = static_cast<ShapeKind>(maker.pick(kNumShapeKinds));
    if (!is_polytopal(a) || !is_polytopal(b)) continue;
    SCOPED_TRACE(i);
    const ShapePair pair = maker.make_pair(a, b);
    const TrackedShape A(pair.A);
    const TrackedShape B(pair.B);
    FeaturePair features;
    expect_right(pair, tracker.calc_distance({A, pair.X_WA, B, pair.X_WB}, &features));
  }
}

// One pair moves on and on, by small steps and by jumps; the features are those of the pose before.
TEST(ClosestFeatures, TrackedQueriesEqualBruteForce) {
  PairMaker maker(72);
  FeatureTracker tracker;
  const int walks = 60 * test_scale();
  for (int walk = 0; walk < walks && !HasFailure(); ++walk) {
    ShapePair pair = maker.make_pair(ShapeKind::kPolyhedron,
                                     walk % 2 == 0 ? ShapeKind::kPolyhedron : ShapeKind::kBox);
    const TrackedShape A(pair.A);
    const TrackedShape B(pair.B);
    FeaturePair features;
    for (int step = 0; step < 30; ++step) {
      SCOPED_TRACE(testing::Message() << walk << " " << step);
      expect_right(pair, tracker.calc_distance({A, pair.X_WA, B, pair.X_WB}, &features));
      const double size = step % 10 == 9 ? 1.0 : 0.03;
      pair.X_WB.p += size * 0.3 * pair.size * maker.make_direction();
      pair.X_WB.R = to_matrix(exp_map(size * 3.0 * maker.make_direction())) * pair.X_WB.R;
    }
  }
}

// Any features may be handed in: the answer is the same, and it always comes.
TEST(ClosestFeatures, WrongFeaturesDoNotMatter) {
  PairMaker maker(73);
  FeatureTracker tracker;
  for (int i = 0; i < 300 * test_scale() && !HasFailure(); ++i) {
    const ShapePair pair = maker.make_pair(ShapeKind::kPolyhedron, ShapeKind::kBox);
    const TrackedShape A(pair.A);
    const TrackedShape B(pair.B);
    FeaturePair features;
    features.size = 1 + maker.pick(3);
    const int count = static_cast<int>(A.core()->polytope().vertices.size());
    for (int k = 0; k < features.size; ++k) {
      features.vertices_A[k] = maker.pick(count);
      features.vertices_B[k] = maker.pick(8);
    }
    SCOPED_TRACE(i);
    expect_right(pair, tracker.calc_distance({A, pair.X_WA, B, pair.X_WB}, &features));
  }
}

TEST(ClosestFeatures, AnswersForAllPairsOfShapes) {
  PairMaker maker(74);
  FeatureTracker tracker;
  NarrowPhase narrow_phase;
  for (int i = 0; i < 600 * test_scale(); ++i) {
    const auto a = static_cast<ShapeKind>(i % kNumShapeKinds);
    const auto b = static_cast<ShapeKind>((i / kNumShapeKinds) % kNumShapeKinds);
    if (a == ShapeKind::kPlane && b == ShapeKind::kPlane) continue;
    const ShapePair pair = maker.make_pair(a, b);
    const TrackedShape A(pair.A);
    const TrackedShape B(pair.B);
    FeaturePair features;
    const double ours = tracker.calc_distance({A, pair.X_WA, B, pair.X_WB}, &features).gap;
    const double other =
        narrow_phase.calc_distance({.A = pair.A, .X_WA = pair.X_WA, .B = pair.B, .X_WB = pair.X_WB})
            .gap;
    EXPECT_NEAR(ours, other, 1e-11 * pair.size + 4.0 * pair.unevenness) << i;
  }
}

// Vertex, edge and face are told by the vertices that span them.
TEST(ClosestFeatures, NamesFeatures) {
  const Shape cube = shapes::Box{.half = Vec3(1, 1, 1)};
  const TrackedShape A(cube);
  FeatureTracker tracker;
  FeaturePair features;
  const Pose X;
  Pose above{.p = Vec3(0.2, 0.1, 3.0)};
  above.R = to_matrix(exp_map(Vec3(0.5, 0.4, 0.0)));
  (void)tracker.calc_distance({A, X, A, above}, &features);
  EXPECT_EQ(features.span_A(), FeatureSpan::kFace);
  EXPECT_EQ(features.span_B(), FeatureSpan::kVertex);
  const Pose diagonal{.R = above.R, .p = Vec3(4.0, 4.0, 4.0)};
  (void)tracker.calc_distance({A, X, A, diagonal}, &features);
  EXPECT_EQ(features.span_A(), FeatureSpan::kVertex);
}

// A query that follows a small motion takes a step or none, whatever the number of vertices.
TEST(ClosestFeatures, CoherentQueriesTakeFewSteps) {
  for (const int count : {50, 2000}) {
    PairMaker maker(75);
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(maker.make_direction());
    const Shape ball = shapes::Polyhedron{shapes::make_convex_hull(points)};
    const TrackedShape A(ball);
    FeatureTracker tracker;
    FeaturePair features;
    const Pose X;
    constexpr int kQueries = 1000;
    for (int i = 0; i < kQueries; ++i) {
      const Pose Y{.R = to_matrix(exp_map(Vec3(1e-3 * i, 0.5e-3 * i, 0.0))),
                   .p = Vec3(0, 0.3, 2.5)};
      (void)tracker.calc_distance({A, X, A, Y}, &features);
    }
    EXPECT_LE(tracker.num_steps(), kQueries) << count;
  }
}

}  // namespace
}  // namespace tenpin::collide
