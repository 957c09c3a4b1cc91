#include "complementarity/equilibrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "complementarity/friction_lcp.h"

namespace tenpin::complementarity {
namespace {

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

TEST(Equilibrate, ScalesByPowersOfTwoToOne) {
  Draw draw(71);
  Lcp lcp = make_heap_lcp(3, &draw);
  for (int i = 0; i < lcp.size(); ++i) {
    lcp.R.row(i) *= std::ldexp(1.0, draw.integer(-40, 40));
    lcp.R.col(i) *= std::ldexp(1.0, draw.integer(-40, 40));
  }
  Equilibration scaling;
  ASSERT_TRUE(equilibrate(lcp, &scaling));
  EXPECT_TRUE(is_power_of_two(scaling.unit));
  double violation = 0.0;
  for (int j = 0; j < lcp.size(); ++j) {
    ASSERT_TRUE(is_power_of_two(scaling.row[j]) && is_power_of_two(scaling.column[j]));
    double column_max = 0.0;
    for (int i = 0; i < lcp.size(); ++i) {
      const double entry = scaling.row[i] * lcp.R(i, j) * scaling.column[j];
      column_max = std::max(column_max, std::fabs(entry));
    }
    EXPECT_GE(column_max, 0.5);
    EXPECT_LT(column_max, 1.0);
    violation = std::max(violation, -lcp.u[j] * scaling.row[j] / scaling.unit);
  }
  EXPECT_GE(violation, 0.5);
  EXPECT_LT(violation, 1.0);
}

TEST(Equilibrate, SeesEveryNumberThatIsNotFinite) {
  Draw draw(72);
  const Lcp good = make_heap_lcp(1, &draw);
  Equilibration scaling;
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (int i = 0; i < good.size(); ++i) {
      Lcp lcp = good;
      lcp.u[i] = bad;
      EXPECT_FALSE(equilibrate(lcp, &scaling));
      lcp = good;
      lcp.R(i, (3 * i) % good.size()) = bad;
      EXPECT_FALSE(equilibrate(lcp, &scaling));
    }
  }
}

}  // namespace
}  // namespace tenpin::complementarity
