#include "complementarity/basis_solver.h"

#include <gtest/gtest.h>

namespace tenpin::complementarity {
namespace {

// Hilbert's matrix of order 8 has condition 1e10: plain LU keeps six digits, refinement all. Its
// multiple by lcm(1 .. 15) has integer entries, so that the exact solution is known.
TEST(BasisSolver, RefinesToFullPrecision) {
  constexpr int kOrder = 8;
  Lcp lcp{MatX(kOrder + 1, kOrder + 1), VecX(kOrder + 1)};
  lcp.R.setOnes();
  for (int i = 0; i < kOrder; ++i) {
    for (int j = 0; j < kOrder; ++j) lcp.R(i, j) = 360360.0 / (i + j + 1);
  }
  lcp.u.setZero();
  for (int i = 0; i < kOrder; ++i) {
    for (int j = 0; j < kOrder; ++j) lcp.u[i] -= lcp.R(i, j) * (j + 1);  // integers: exact
  }
  Equilibration scaling;
  ASSERT_TRUE(equilibrate(lcp, &scaling));
  VecX z(kOrder + 1);
  ASSERT_TRUE(BasisSolver().solve(lcp, scaling, {0, 1, 2, 3, 4, 5, 6, 7}, z));
  for (int j = 0; j < kOrder; ++j) EXPECT_NEAR(z[j], j + 1, 1e-14 * (j + 1));
  EXPECT_EQ(z[kOrder], 0.0);
}

TEST(BasisSolver, SingularBasisIsRefused) {
  const Lcp lcp{MatX::Ones(2, 2), VecX::Ones(2)};
  Equilibration scaling;
  ASSERT_TRUE(equilibrate(lcp, &scaling));
  VecX z(2);
  EXPECT_FALSE(BasisSolver().solve(lcp, scaling, {0, 1}, z));
}

}  // namespace
}  // namespace tenpin::complementarity
