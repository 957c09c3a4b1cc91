#include "collide/time_of_impact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collide/closest_features.h"
#include "collide/random_pairs.h"
#include "math/rotation.h"
#include "shapes/bounds.h"

namespace tenpin::collide {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// A shape of uniform mass about a point of its frame, in free flight; integrated by small steps of
// Euler's equations, with no code of the module.
struct Flyer {
  Pose X;
  Vec3 v, a, w_P;  // w_P in the body's axes
  Vec3 moments;    // along them
  Vec3 center_S;   // centre of mass in the shape

  void step(double h) {
    const auto rate = [this](const Vec3& w) {
      const Vec3 L = moments.cwiseProduct(w);
      return Vec3(L.cross(w).cwiseQuotient(moments));
    };
    const Vec3 middle = w_P + 0.5 * h * rate(w_P);
    const Vec3 center = X * center_S + h * (v + 0.5 * h * a);
    X.R = X.R * to_matrix(exp_map(h * middle));
    X.p = center - X.R * center_S;
    w_P += h * rate(middle);
    v += h * a;
  }
  BallisticMotion motion() const {
    BallisticMotion m{.center = X * center_S, .velocity = v, .acceleration = a};
    m.spin = X.R * w_P;
    m.spin_bound = calc_spin_bound(moments, w_P);
    m.spin_rate_bound = calc_spin_rate_bound(moments, m.spin_bound);
    return m;
  }
};

Flyer make_flyer(const Pose& X, PairMaker* maker) {
  const bool falls = maker->pick(2) == 0;
  Flyer f{
      .X = X,
      .v = maker->uniform(0.0, 2.0) * maker->make_direction(),
      .a = falls ? Vec3(0, 0, -9.81) : Vec3(Vec3::Zero()),
      .w_P = maker->uniform(0.0, 10.0) * maker->make_direction(),
      .moments = Vec3(maker->uniform(1.0, 2.0), maker->uniform(1.0, 2.0), maker->uniform(1.0, 1.9)),
      .center_S = 0.2 * maker->make_direction()};
  if (maker->pick(4) == 0) f.w_P.setZero();
  return f;
}

// No sample of the motion before the bound is nearer than the goal.
TEST(TimeOfImpact, BoundIsNeverAboveTheTruth) {
  PairMaker maker(81);
  FeatureTracker tracker;
  constexpr int kSamples = 12;
  int num_early = 0;
  const int cases = 6000 * test_scale();
  for (int i = 0; i < cases && !HasFailure(); ++i) {
    const shapes::Shape kinds[] = {maker.make_shape(ShapeKind::kBox, 1.0),
                                   maker.make_shape(static_cast<ShapeKind>(maker.pick(4)), 1.0)};
    const TrackedShape A(kinds[0]);
    const TrackedShape B(kinds[1]);
    Flyer a = make_flyer({.R = maker.make_rotation()}, &maker);
    Flyer b = make_flyer(
        {.R = maker.make_rotation(), .p = maker.uniform(1.0, 5.0) * maker.make_direction()},
        &maker);
    FeaturePair features;
    const Distance d = tracker.calc_distance({A, a.X, B, b.X}, &features);
    if (d.gap < 1e-3) continue;
    const double goal = maker.uniform(0.0, 0.9) * d.gap;
    const BallisticMotion motion_a = a.motion();
    const BallisticMotion motion_b = b.motion();
    const auto radius = [](const TrackedShape& s, const Vec3& c) {
      return shapes::calc_bounding_radius(s.shape(), c) - s.core()->rounding();
    };
    const MovingShape moving_a{A.core(), a.X, motion_a, radius(A, a.center_S)};
    const MovingShape moving_b{B.core(), b.X, motion_b, radius(B, b.center_S)};
    const double horizon = maker.uniform(0.01, 1.0);
    const double bound =
        calc_time_of_impact_bound(moving_a, moving_b, {d.normal, d.gap}, goal, horizon);
    ASSERT_LE(bound, horizon);
    ASSERT_GT(bound, 0.0);
    // The paper's bound leads to contact itself, not to a goal before it.
    const double radial = calc_radial_bound(moving_a, moving_b, d.normal, d.gap);
    num_early += bound < horizon ? 1 : 0;
    const double end = std::max(bound, std::min(radial, horizon));
    constexpr int kSteps = 20;  // of the integration between samples: error below 1e-6
    for (int k = 1; k <= kSamples; ++k) {
      for (int j = 0; j < kSteps; ++j) {
        a.step(end / (kSamples * kSteps));
        b.step(end / (kSamples * kSteps));
      }
      const double t = end * k / kSamples;
      const double gap = tracker.calc_distance({A, a.X, B, b.X}, &features).gap;
      if (t <= bound) {
        EXPECT_GE(gap, goal - 1e-4) << "case " << i << " at " << t << " of " << bound;
      }
      if (t <= radial) {
        EXPECT_GE(gap, -1e-4) << "case " << i << " at " << t << " of " << radial;
      }
    }
  }
  EXPECT_GT(num_early, cases / 10);
}

// A ball above a plane falls for exactly sqrt(2 h / g), spinning or not.
TEST(TimeOfImpact, FallingBallIsMetExactly) {
  const shapes::Shape sphere = shapes::Sphere{.radius = 0.1};
  const TrackedShape ball(sphere);
  const Pose X_plane;
  const Pose X_ball{.p = Vec3(0, 0, 2.1)};
  const BallisticMotion still;
  const BallisticMotion falling{.center = X_ball.p,
                                .acceleration = Vec3(0, 0, -9.81),
                                .spin = Vec3(100, 20, 3),
                                .spin_bound = 200.0};
  const MovingShape floor{nullptr, X_plane, still};
  const MovingShape moving{ball.core(), X_ball, falling};
  const double t = calc_time_of_impact_bound(floor, moving, {Vec3::UnitZ(), 2.0}, 0.0, 10.0);
  EXPECT_NEAR(t, std::sqrt(4.0 / 9.81), 1e-14);
  EXPECT_EQ(calc_time_of_impact_bound(floor, moving, {Vec3::UnitZ(), 2.0}, 0.0, 0.1), 0.1);
}

TEST(TimeOfImpact, BodiesThatSeparateNeverMeet) {
  const shapes::Shape box = shapes::Box{.half = Vec3(1, 1, 1)};
  const TrackedShape cube(box);
  const Pose X_A;
  const Pose X_B{.p = Vec3(0, 0, 2.5)};
  const BallisticMotion still;
  const BallisticMotion up{.center = X_B.p, .velocity = Vec3(0, 0, 1)};
  const MovingShape A{cube.core(), X_A, still, std::sqrt(3.0)};
  const MovingShape B{cube.core(), X_B, up, std::sqrt(3.0)};
  EXPECT_EQ(calc_time_of_impact_bound(A, B, {Vec3::UnitZ(), 0.5}, 0.0, 1e9), 1e9);
  EXPECT_EQ(calc_radial_bound(A, B, Vec3::UnitZ(), 0.5), kNever);
}

// The largest spin that Euler's equations lead to is never above the bound.
// [MC95, §Time of impact estimator]
TEST(TimeOfImpact, SpinStaysBelowItsBound) {
  PairMaker maker(82);
  for (int i = 0; i < 200 * test_scale(); ++i) {
    Flyer f = make_flyer({}, &maker);
    const double bound = calc_spin_bound(f.moments, f.w_P);
    for (int k = 0; k < 500; ++k) {
      f.step(0.002);
      ASSERT_LE(f.w_P.norm(), bound * (1.0 + 1e-5));
    }
  }
}

}  // namespace
}  // namespace tenpin::collide
