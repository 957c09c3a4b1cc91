#include "complementarity/compensated.h"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>

#include "complementarity/draw.h"

namespace tenpin::complementarity {
namespace {

constexpr double kRoundOff = 0x1p-100;  // a few units of the 106th bit

mpq_class exact(DoubleDouble a) {
  return mpq_class(a.high) + mpq_class(a.low);
}

DoubleDouble draw_long(Draw* draw) {
  const double high = std::ldexp(draw->uniform(-1.0, 1.0), draw->integer(-30, 30));
  return two_sum(high, high * draw->uniform(-0x1p-54, 0x1p-54));
}

TEST(Compensated, SumAndProductAreExact) {
  Draw draw(31);
  for (int trial = 0; trial < 10000; ++trial) {
    const double a = draw_long(&draw).high;
    const double b = draw_long(&draw).high;
    ASSERT_EQ(exact(two_sum(a, b)), mpq_class(a) + mpq_class(b));
    ASSERT_EQ(exact(two_product(a, b)), mpq_class(a) * mpq_class(b));
  }
}

TEST(DoubleDouble, OperationsHoldAHundredBits) {
  Draw draw(32);
  for (int trial = 0; trial < 10000; ++trial) {
    const DoubleDouble a = draw_long(&draw);
    const DoubleDouble b = draw_long(&draw);
    const auto check = [](DoubleDouble value, const mpq_class& truth) {
      ASSERT_LE(abs(exact(value) - truth), kRoundOff * abs(truth));
    };
    check(a + b, exact(a) + exact(b));
    check(a - b, exact(a) - exact(b));
    check(a * b, exact(a) * exact(b));
    check(a / b, exact(a) / exact(b));
    ASSERT_EQ(a < b, exact(a) < exact(b));
  }
}

}  // namespace
}  // namespace tenpin::complementarity
