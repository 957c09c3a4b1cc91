#include "math/real_roots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rng.h"

namespace tenpin {
namespace {

// Coefficients carry 1e-16; roots at least 0.05 apart are that much more sensitive, to a power.
constexpr double kSimple = 1e-9;

std::vector<double> list(const RealRoots& roots) {
  return {roots.begin(), roots.end()};
}

std::array<double, 5> expand(const std::vector<double>& roots, double lead) {
  std::array<double, 5> c = {lead};
  int degree = 0;
  for (const double root : roots) {
    for (int i = ++degree; i >= 0; --i) {
      const double below = i > 0 ? c[static_cast<std::size_t>(i - 1)] : 0.0;
      c[static_cast<std::size_t>(i)] = below - root * c[static_cast<std::size_t>(i)];
    }
  }
  return c;
}

TEST(RealRoots, FindsWhatAPolynomialWasMadeOf) {
  for (std::uint64_t n = 0; n < 20'000; ++n) {
    const RandomStream r(3, n);
    std::vector<double> roots(1 + n % 4);
    for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = r.uniform(i, -3.0, 3.0);
    std::sort(roots.begin(), roots.end());
    bool is_apart = true;
    for (std::size_t i = 1; i < roots.size(); ++i) is_apart &= roots[i] - roots[i - 1] > 0.05;
    if (!is_apart) continue;
    const RealRoots found = find_real_roots(expand(roots, r.uniform(9, 0.5, 2.0)));
    ASSERT_EQ(found.count, static_cast<int>(roots.size())) << n;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      ASSERT_NEAR(found.x[i], roots[i], kSimple) << n;
    }
  }
}

TEST(RealRoots, ComplexPairsAreNoRoots) {
  EXPECT_EQ(find_real_roots({1.0, 0.0, 0.0, 0.0, 1.0}).count, 0);
  EXPECT_EQ(find_real_roots({1.0, 0.0, 2.0, 0.0, 1.0}).count, 0);
  // (x^2 + 1)(x - 2)(x + 1)
  const RealRoots roots = find_real_roots({-2.0, -1.0, -1.0, -1.0, 1.0});
  ASSERT_EQ(roots.count, 2);
  EXPECT_NEAR(roots.x[0], -1.0, kSimple);
  EXPECT_NEAR(roots.x[1], 2.0, kSimple);
}

TEST(RealRoots, EvenMultiplicityCountsOnce) {
  EXPECT_EQ(list(find_real_roots({1.0, -2.0, 1.0, 0.0, 0.0})), std::vector<double>({1.0}));
  const RealRoots touching = find_real_roots({1.0, 0.0, -2.0, 0.0, 1.0});  // (x^2 - 1)^2
  ASSERT_EQ(touching.count, 2);
  EXPECT_NEAR(touching.x[0], -1.0, 1e-8);
  EXPECT_NEAR(touching.x[1], 1.0, 1e-8);
  EXPECT_EQ(list(find_real_roots({0.0, 0.0, 0.0, 0.0, 2.0})), std::vector<double>({0.0}));
}

TEST(RealRoots, LowDegreesAndNothing) {
  EXPECT_EQ(find_real_roots({0.0, 0.0, 0.0, 0.0, 0.0}).count, 0);
  EXPECT_EQ(find_real_roots({5.0, 0.0, 0.0, 0.0, 0.0}).count, 0);
  EXPECT_EQ(list(find_real_roots({-6.0, 2.0, 0.0, 0.0, 0.0})), std::vector<double>({3.0}));
  EXPECT_EQ(list(find_real_roots({-8.0, 0.0, 0.0, 1.0, 0.0})), std::vector<double>({2.0}));
}

TEST(RealRoots, TinyLeadingCoefficientMeansAFarRoot) {
  const RealRoots roots = find_real_roots({-1.0, 1.0, 1e-18, 0.0, 0.0});
  ASSERT_EQ(roots.count, 2);
  EXPECT_NEAR(roots.x[0] / -1e18, 1.0, 1e-9);
  EXPECT_NEAR(roots.x[1], 1.0, kSimple);
}

}  // namespace
}  // namespace tenpin
