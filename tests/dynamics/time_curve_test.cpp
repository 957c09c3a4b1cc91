#include "dynamics/time_curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/breaks.h"

namespace tenpin::dynamics {
namespace {

constexpr double kRounding = 1e-14;  // -   a few operations on numbers of order one

TimeTable make_table(Interpolation interpolation) {
  return {.times = {1.0, 2.0, 4.0}, .values = {3.0, 5.0, -1.0}, .interpolation = interpolation};
}

TEST(TimeCurve, StepsHoldEachValueUntilTheNextTime) {
  const TimeCurve curve(make_table(Interpolation::kStep));
  EXPECT_EQ(curve.value(0, 0.0), 3.0);
  EXPECT_EQ(curve.value(0, 1.5), 3.0);
  EXPECT_EQ(curve.value(0, left_of(2.0)), 3.0);
  EXPECT_EQ(curve.value(0, 2.0), 5.0);
  EXPECT_EQ(curve.value(0, 9.0), -1.0);
  EXPECT_EQ(curve.rate(0, 1.5), 0.0);
  EXPECT_EQ(curve.smoothness(), 0);
  EXPECT_TRUE(curve.is_stepwise());
}

TEST(TimeCurve, LinesMeetThePointsAndStayOutside) {
  const TimeCurve curve(make_table(Interpolation::kLinear));
  EXPECT_EQ(curve.value(0, 0.5), 3.0);
  EXPECT_NEAR(curve.value(0, 1.5), 4.0, kRounding);
  EXPECT_NEAR(curve.value(0, 3.0), 2.0, kRounding);
  EXPECT_EQ(curve.rate(0, 3.0), -3.0);
  EXPECT_EQ(curve.rate(0, 5.0), 0.0);
  EXPECT_EQ(curve.smoothness(), 1);
  EXPECT_FALSE(curve.is_stepwise());
}

TEST(TimeCurve, SplineHasTwoContinuousDerivativesInside) {
  const TimeCurve curve(make_table(Interpolation::kCubic));
  const double h = 1e-9;  // s   small enough that a smooth function does not change
  for (const double t : {1.0, 2.0, 4.0}) {
    EXPECT_NEAR(curve.value(0, t - h), curve.value(0, t), 1e-7);
    EXPECT_NEAR(curve.rate(0, t - h), curve.rate(0, t + h), 1e-7);
  }
  EXPECT_NEAR(curve.second_rate(0, 2.0 - h), curve.second_rate(0, 2.0), 1e-7);
  EXPECT_EQ(curve.value(0, 2.0), 5.0);
  EXPECT_EQ(curve.rate(0, 1.0), 0.0);
}

// With zero slopes at its ends a spline repeats every cubic that has them, so also this one.
TEST(TimeCurve, SplineRepeatsACubic) {
  const auto cubic = [](double t) {
    return t * t * (3.0 - 2.0 * t);
  };
  TimeTable table{.interpolation = Interpolation::kCubic};
  for (const double t : {0.0, 0.1, 0.4, 0.45, 1.0}) {
    table.times.push_back(t);
    table.values.push_back(cubic(t));
  }
  const TimeCurve curve(table);
  for (double t = 0.0; t < 1.0; t += 0.03) EXPECT_NEAR(curve.value(0, t), cubic(t), kRounding);
}

TEST(TimeCurve, IntegralStartsAtTimeZero) {
  for (const Interpolation kind :
       {Interpolation::kStep, Interpolation::kLinear, Interpolation::kCubic}) {
    const TimeCurve curve(make_table(kind));
    const TimeCurve sum = curve.integral();
    EXPECT_EQ(sum.value(0, 0.0), 0.0);
    EXPECT_EQ(sum.smoothness(), curve.smoothness() + 1);
    double simpson = 0.0;  // exact for cubics
    for (const auto& [a, b] :
         {std::pair(0.0, 1.0), std::pair(1.0, 2.0), std::pair(2.0, 4.0), std::pair(4.0, 5.0)}) {
      simpson +=
          (b - a) / 6.0 *
          (curve.value(0, a) + 4.0 * curve.value(0, 0.5 * (a + b)) + curve.value(0, left_of(b)));
    }
    EXPECT_NEAR(sum.value(0, 5.0), simpson, 1e-12);
    EXPECT_NEAR(sum.rate(0, 3.3), curve.value(0, 3.3), kRounding);
    EXPECT_NEAR(sum.value(0, -1.0), -3.0, kRounding);
  }
}

TEST(TimeCurve, BoundsHoldOverEachPiece) {
  const TimeCurve curve(make_table(Interpolation::kCubic));
  for (const auto& [a, b] : {std::pair(1.0, 2.0), std::pair(2.0, 4.0)}) {
    for (double t = a; t < b; t += 0.01) {
      EXPECT_LE(std::fabs(curve.rate(0, t)), curve.bound_rate(0, a) + kRounding);
      EXPECT_LE(std::fabs(curve.second_rate(0, t)), curve.bound_second_rate(0, a) + kRounding);
    }
  }
  EXPECT_EQ(curve.bound_rate(0, 7.0), 0.0);
}

TEST(TimeCurve, NoCurveIsZero) {
  const TimeCurve none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.value(0, 1.0), 0.0);
  EXPECT_TRUE(none.times().empty());
}

TEST(Breaks, TellJumpsFromKinks) {
  Model model;
  Body body;
  body.applied.timed.push_back(
      {.force =
           TimeCurve(TimeTable{.times = {1.0, 2.0}, .values = {0, 0, 0, 1, 0, 0}, .columns = 3}),
       .begin = 0.5});
  body.joint.forces.motor = {.kind = Motor::Kind::kPosition,
                             .damping = 1.0,
                             .curve = TimeCurve(TimeTable{.times = {2.0, 3.0}, .values = {0, 1}})};
  model.bodies.push_back(body);
  const std::vector<Break> breaks = find_breaks(model);
  ASSERT_EQ(breaks.size(), 4U);
  EXPECT_EQ(breaks[0].t, 0.5);
  EXPECT_TRUE(breaks[0].is_jump);
  EXPECT_FALSE(breaks[1].is_jump);  // a force with a kink
  EXPECT_TRUE(breaks[2].is_jump);   // the rate of a target, which damping sees
  EXPECT_TRUE(breaks[3].is_jump);
}

}  // namespace
}  // namespace tenpin::dynamics
