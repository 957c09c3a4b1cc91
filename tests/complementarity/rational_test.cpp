// Rational numbers against those of Boost.
#include "complementarity/rational.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <boost/multiprecision/cpp_int.hpp>

namespace tenpin::complementarity {
namespace {

using Reference = boost::multiprecision::cpp_rational;

struct Pair {
  Rational ours;
  Reference theirs;
};

void expect_equal(const Pair& pair) {
  const auto theirs = pair.theirs.convert_to<double>();
  ASSERT_EQ(pair.ours.to_double(), theirs);
  ASSERT_EQ(pair.ours.sign(), pair.theirs.sign());
}

TEST(Rational, ArithmeticIsThatOfBoost) {
  std::mt19937_64 random(7);
  const auto draw = [&] {
    const double x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random()) >> 11),
                                static_cast<int>(random() % 60) - 90);
    return random() % 8 == 0 ? 0.0 : x;
  };
  for (int chain = 0; chain < 200; ++chain) {
    const double start = draw();
    Pair pair = {Rational(start), Reference(start)};
    for (int step = 0; step < 20; ++step) {
      const double x = draw();
      const Rational ours(x);
      const Reference theirs(x);
      switch (random() % 4) {
        case 0:
          pair = {pair.ours + ours, pair.theirs + theirs};
          break;
        case 1:
          pair = {ours - pair.ours, theirs - pair.theirs};
          break;
        case 2:
          if (x != 0.0) pair = {pair.ours * ours, pair.theirs * theirs};
          break;
        default:
          if (x != 0.0) pair = {pair.ours / ours, pair.theirs / theirs};
      }
      expect_equal(pair);
      ASSERT_EQ(pair.ours < ours, pair.theirs < theirs);
      ASSERT_EQ(pair.ours == ours, pair.theirs == theirs);
    }
    // Adding a number and subtracting it again restores the value exactly.
    const Rational there = pair.ours + Rational(start);
    ASSERT_TRUE(there - Rational(start) == pair.ours);
  }
}

TEST(Rational, DoublesComeBackUnchanged) {
  for (const double x :
       {1.0, -0.1, 5e-324, -2.2250738585072014e-308, 1.7976931348623157e308, 3e-320}) {
    EXPECT_EQ(Rational(x).to_double(), x);
  }
}

TEST(Rational, RoundsToTheNearestAndThenToTheEvenDouble) {
  const double eps = std::numeric_limits<double>::epsilon();
  const Rational half = Rational(1.0) + Rational(eps / 2.0);
  EXPECT_EQ(half.to_double(), 1.0);
  EXPECT_EQ((half + Rational(eps)).to_double(), 1.0 + 2.0 * eps);
  EXPECT_EQ((half + Rational(1e-300)).to_double(), 1.0 + eps);
  EXPECT_EQ((Rational(1.0) / Rational(3.0)).to_double(), 1.0 / 3.0);
  EXPECT_EQ((Rational(5e-324) / Rational(2.0)).to_double(), 0.0);
  EXPECT_EQ((Rational(5e-324) / Rational(1.5)).to_double(), 5e-324);
}

}  // namespace
}  // namespace tenpin::complementarity
