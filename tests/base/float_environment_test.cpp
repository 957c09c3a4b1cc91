#include "base/float_environment.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

namespace tenpin {
namespace {

double divide(double a, double b) {  // out of the compiler's sight, to be done at run time
  volatile double x = a;
  volatile double y = b;
  return x / y;
}

TEST(FloatEnvironment, ShieldsFromRoundingModeAndGivesItBack) {
  const double nearest = divide(1.0, 10.0);
  std::fesetround(FE_DOWNWARD);
  const double down = divide(1.0, 10.0);
  {
    const FloatEnvironment environment;
    EXPECT_EQ(divide(1.0, 10.0), nearest);
  }
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  EXPECT_EQ(divide(1.0, 10.0), down);
  std::fesetround(FE_TONEAREST);
  EXPECT_LT(down, nearest);
}

#ifdef __SSE2__
TEST(FloatEnvironment, KeepsSubnormals) {
  const double tiny = std::numeric_limits<double>::min();
  const unsigned callers = _mm_getcsr();
  _mm_setcsr(callers | 0x8040);  // flush to zero, denormals are zero
  EXPECT_EQ(divide(tiny, 4.0), 0.0);
  {
    const FloatEnvironment environment;
    EXPECT_GT(divide(tiny, 4.0), 0.0);
  }
  EXPECT_EQ(_mm_getcsr() & 0x8040, 0x8040U);
  _mm_setcsr(callers);
}
#endif

TEST(FloatEnvironment, MasksTrapsInside) {
  feenableexcept(FE_DIVBYZERO);
  {
    const FloatEnvironment environment;
    EXPECT_GT(divide(1.0, 0.0), 0.0);  // would end the process
  }
  EXPECT_EQ(fegetexcept(), FE_DIVBYZERO);
  fedisableexcept(FE_ALL_EXCEPT);
}

}  // namespace
}  // namespace tenpin
