#include "impact/slip_field.h"

#include <gtest/gtest.h>

#include <cmath>

#include "impact/random_impacts.h"
#include "impact/slip_series.h"
#include "math/trig.h"

namespace tenpin::impact {
namespace {

constexpr double kRounding = 1e-13;  // of the field's scale

// [MC95, §Sticking mode]
TEST(SlipField, RaysAreTheZerosOfTheTurning) {
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const SlipField field(draw_spatial(i).W, 0.6);
    const Rays rays = field.find_rays();
    int num_sign_changes = 0;
    double before = field.turning(Vec2(1.0, 0.0));
    constexpr int kDirections = 20'000;
    for (int k = 1; k <= kDirections && i < 20; ++k) {
      const SinCos s = sin_cos(2.0 * kPi * k / kDirections);
      const double turning = field.turning(Vec2(s.cos, s.sin));
      num_sign_changes += (turning > 0.0) != (before > 0.0) ? 1 : 0;
      before = turning;
    }
    if (i < 20) {
      EXPECT_EQ(rays.count, num_sign_changes) << i;
    }
    EXPECT_EQ(rays.count % 2, 0) << i;
    for (const Ray& ray : rays) {
      EXPECT_LE(std::fabs(field.turning(ray.direction)), kRounding * field.scale()) << i;
      EXPECT_NEAR(ray.direction.norm(), 1.0, kRounding);
      EXPECT_EQ(ray.growth, field.growth(ray.direction));
    }
  }
}

// A ray exactly where the quartic's parameter is infinite, and frames turned against each other.
TEST(SlipField, NoDirectionIsSpecial) {
  const double mu = 0.3;
  for (int k = 0; k < 16; ++k) {
    const SinCos s = sin_cos(2.0 * kPi * k / 16);
    Mat3 R = Mat3::Identity();
    R.topLeftCorner<2, 2>() << s.cos, -s.sin, s.sin, s.cos;
    Mat3 W;
    W << 4.0, 0.0, 2.5, 0.0, 3.0, 0.0, 2.5, 0.0, 2.0;
    const SlipField field(R * W * R.transpose(), mu);
    const Ray out = field.find_outgoing_ray();
    EXPECT_NEAR(out.direction[0], s.cos, kRounding);
    EXPECT_NEAR(out.direction[1], s.sin, kRounding);
    EXPECT_NEAR(out.growth, 2.5 - mu * 4.0, kRounding);
  }
}

TEST(SlipField, EveryDirectionOfABallIsARay) {
  const SlipField field(Vec3(3.5, 3.5, 1.0).asDiagonal(), 0.4);
  EXPECT_EQ(field.find_rays().count, 0);
  EXPECT_TRUE(field.is_on_ray(Vec2(0.6, 0.8)));
  EXPECT_TRUE(field.sticks(0.0));
}

TEST(SlipField, StickRatioKeepsSlipAtZero) {
  const Mat3 W = draw_spatial(7).W;
  const SlipField field(W, 0.3);
  const Vec3 change = W * Vec3(field.stick_ratio()[0], field.stick_ratio()[1], 1.0);
  EXPECT_NEAR(change.head<2>().norm(), 0.0, kRounding);
  EXPECT_NEAR(change[2], field.normal_rate(field.stick_ratio()), kRounding);
}

// The series satisfies the differential equation it was made from.   [MC95, eq. (10)]
TEST(SlipSeries, DerivativesAreThoseOfTheField) {
  const SpatialContact contact = draw_spatial(5);
  const SlipField field(contact.W, 0.4);
  SpatialPoint from;
  from.v = contact.v;
  SlipSeries series;
  series.expand(field, from);
  ASSERT_GT(series.length(), 0.0);
  for (const double share : {0.0, 0.5, 1.0}) {
    const double s = share * series.length();
    const SpatialPoint here = series.at(s);
    const double slip = here.v.head<2>().norm();
    const Vec2 e = here.v.head<2>() / slip;
    const Vec3 rate = slip * (contact.W * Vec3(-0.4 * e[0], -0.4 * e[1], 1.0));
    EXPECT_NEAR(series.slope(SlipSeries::kVx, s), rate[0], kRounding * 100);
    EXPECT_NEAR(series.slope(SlipSeries::kVy, s), rate[1], kRounding * 100);
    EXPECT_NEAR(series.slope(SlipSeries::kVz, s), rate[2], kRounding * 100);
    EXPECT_NEAR(series.slope(SlipSeries::kPz, s), slip, kRounding * 100);
    EXPECT_NEAR(series.slope(SlipSeries::kEn, s), slip * here.v[2], kRounding * 100);
    EXPECT_NEAR(series.slope(SlipSeries::kEf, s), -0.4 * slip * slip, kRounding * 100);
    EXPECT_LE((contact.v + contact.W * here.p - here.v).norm(), kRounding * 10);
  }
}

}  // namespace
}  // namespace tenpin::impact
