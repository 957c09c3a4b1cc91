#include "math/pivoted_cholesky.h"

#include <gtest/gtest.h>

#include <vector>

namespace tenpin {
namespace {

// Rows 0 and 2 are the same but for rounding of either sign, which must not decide which of them is
// left out: the largest pivot is now that of one, now that of the other.
TEST(PivotedCholesky, LeavesOutTheSameRowWhateverTheRounding) {
  for (const double sign : {-1.0, 1.0}) {
    MatX J(3, 3);
    J << 1.0, 0.5, 0.0, 0.3, 1.0, 0.2, 1.0, 0.5 + sign * 1e-9, 0.0;
    PivotedCholesky factor;
    factor.factor(J * J.transpose(), 1e-10, PivotedCholesky::Next::kFirst);
    EXPECT_EQ(factor.rank(), 2);
    EXPECT_EQ(factor.order(), (std::vector<int>{0, 1, 2}));
  }
}

// Whichever rule, the independent rows are solved and a small pivot is left for the end.
TEST(PivotedCholesky, BothRulesSolve) {
  MatX J(4, 3);
  J << 1.0, 0.0, 0.0, 1.0, 1e-3, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0;
  const MatX A = J * J.transpose();
  const VecX x = (VecX(4) << 1.0, -2.0, 0.5, 3.0).finished();
  for (const auto next : {PivotedCholesky::Next::kLargest, PivotedCholesky::Next::kFirst}) {
    PivotedCholesky factor;
    factor.factor(A, 1e-12, next);
    EXPECT_EQ(factor.rank(), 3);
    VecX solution = A * x;
    factor.solve(solution);
    EXPECT_LE((A * solution - A * x).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace tenpin
