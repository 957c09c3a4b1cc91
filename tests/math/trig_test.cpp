#include "math/trig.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/rng.h"

namespace tenpin {
namespace {

// Half an ulp for the last rounding and somewhat less for all before it.
constexpr double kMaxUlps = 0.85;

// The error of `value` in units of the last place of the double nearest to `exact`.
double error_in_ulps(double value, long double exact) {
  const auto nearest = static_cast<double>(exact);
  const double next = std::nextafter(std::fabs(nearest), std::numeric_limits<double>::infinity());
  return static_cast<double>(std::fabs(static_cast<long double>(value) - exact)) /
         (next - std::fabs(nearest));
}

void expect_sin_cos(double angle) {
  const SinCos ours = sin_cos(angle);
  EXPECT_LT(error_in_ulps(ours.sin, std::sin(static_cast<long double>(angle))), kMaxUlps) << angle;
  EXPECT_LT(error_in_ulps(ours.cos, std::cos(static_cast<long double>(angle))), kMaxUlps) << angle;
}

TEST(SinCos, MatchesLongDoubleOverAllMagnitudes) {
  const RandomStream random(1);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    expect_sin_cos(random.uniform(4 * i, -10.0, 10.0));
    expect_sin_cos(random.uniform(4 * i + 1, -2e6, 2e6));
    // Uniform in the exponent: subnormals to the largest double.
    const double exponent = random.uniform(4 * i + 2, -1073.0, 1023.0);
    expect_sin_cos(std::ldexp(random.uniform(4 * i + 3, -1.0, 1.0), static_cast<int>(exponent)));
  }
}

TEST(SinCos, IsAccurateNextToMultiplesOfHalfPi) {
  for (int k = 1; k < 20'000; ++k) {
    const double angle = static_cast<double>(static_cast<long double>(k) * 1.57079632679489661923L);
    expect_sin_cos(angle);
    expect_sin_cos(std::nextafter(angle, 0.0));
    expect_sin_cos(-angle / 2.0);
  }
  // The double that is closest to a multiple of pi/2 in relative terms.
  expect_sin_cos(0x1.6ac5b262ca1ffp+849);
}

TEST(SinCos, KeepsSymmetryAndSpecialValues) {
  EXPECT_EQ(sin_cos(0.0).sin, 0.0);
  EXPECT_EQ(sin_cos(0.0).cos, 1.0);
  EXPECT_EQ(sin_cos(-1.25).sin, -sin_cos(1.25).sin);
  EXPECT_EQ(sin_cos(-1.25).cos, sin_cos(1.25).cos);
  EXPECT_TRUE(std::isnan(sin_cos(std::numeric_limits<double>::infinity()).sin));
  EXPECT_TRUE(std::isnan(sin_cos(std::nan("")).cos));
}

void expect_arc_tangent(double y, double x) {
  const long double exact = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
  EXPECT_LE(error_in_ulps(arc_tangent(y, x), exact), kMaxUlps) << y << " " << x;
}

TEST(ArcTangent, MatchesLongDouble) {
  const RandomStream random(2);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const double y = random.uniform(4 * i, -1.0, 1.0);
    const double x = random.uniform(4 * i + 1, -1.0, 1.0);
    expect_arc_tangent(y, x);
    // Down to where the quotient itself would become subnormal and no ulp bound can hold.
    const int e = static_cast<int>(random.uniform(4 * i + 2, -450.0, 450.0));
    const int f = static_cast<int>(random.uniform(4 * i + 3, -450.0, 450.0));
    expect_arc_tangent(std::ldexp(y, e), std::ldexp(x, f));
    expect_arc_tangent(std::ldexp(y, -1000), std::ldexp(x, -1000));
    expect_arc_tangent(std::ldexp(y, 1023), std::ldexp(x, 1023));
  }
}

TEST(ArcTangent, CoversAxesAndSpecialValues) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(arc_tangent(0.0, 0.0), 0.0);
  EXPECT_EQ(arc_tangent(0.0, -1.0), kPi);
  EXPECT_EQ(arc_tangent(-0.0, -1.0), kPi);
  EXPECT_EQ(arc_tangent(1.0, 0.0), kPi / 2);
  EXPECT_EQ(arc_tangent(-1.0, 0.0), -kPi / 2);
  EXPECT_EQ(arc_tangent(1.0, 1.0), kPi / 4);
  EXPECT_EQ(arc_tangent(infinity, infinity), kPi / 4);
  EXPECT_EQ(arc_tangent(1.0, -infinity), kPi);
  EXPECT_TRUE(std::isnan(arc_tangent(std::nan(""), 1.0)));
}

// The same bits on every compiler and optimisation level: a sum of bit patterns, taken once.
TEST(Trig, GoldenBits) {
  std::uint64_t sum = 0;
  const RandomStream random(3);
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const SinCos a = sin_cos(random.uniform(2 * i, -1e7, 1e7));
    for (const double value : {a.sin, a.cos, arc_tangent(a.sin, a.cos)}) {
      sum = sum * 6364136223846793005U + std::bit_cast<std::uint64_t>(value);
    }
  }
  EXPECT_EQ(sum, 12954365382914336115U);
}

}  // namespace
}  // namespace tenpin
