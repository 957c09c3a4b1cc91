#include "complementarity/least_norm.h"

#include <gtest/gtest.h>

#include "complementarity/draw.h"

namespace tenpin::complementarity {
namespace {

constexpr double kRankTolerance = 1e-11;
constexpr double kRoundOff = 1e-11;  // conditions of the drawn matrices reach 1e4

MatX draw_matrix(int rows, int cols, Draw* draw) {
  MatX matrix(rows, cols);
  for (double& value : matrix.reshaped()) value = draw->uniform(-1.0, 1.0);
  return matrix;
}

// The shortest least-squares solution is the one for which the residual is orthogonal to the
// columns of A, and x itself to the null space: x = A' y for some y.
TEST(LeastNorm, SolutionIsShortestAndClosest) {
  Draw draw(51);
  for (int trial = 0; trial < 300; ++trial) {
    const int m = draw.integer(1, 8);
    const int r = draw.integer(0, m);
    const MatX A = draw_matrix(m, r, &draw) * draw_matrix(r, m, &draw);
    const VecX b = draw_matrix(m, 1, &draw);
    LeastNormSolver solver;
    solver.factorize(A, kRankTolerance);
    ASSERT_EQ(solver.rank(), r) << trial;
    const VecX x = solver.solve(b);
    const VecX rest = b - A * x;
    ASSERT_LE((A.transpose() * rest).norm(), kRoundOff * (1.0 + x.norm())) << trial;
    ASSERT_NEAR(rest.norm(), solver.calc_misfit(b), kRoundOff * (1.0 + x.norm())) << trial;
    LeastNormSolver transposed;
    transposed.factorize(A.transpose(), kRankTolerance);
    ASSERT_LE(transposed.calc_misfit(x), kRoundOff * (1.0 + x.norm())) << trial;
  }
}

TEST(LeastNorm, NoEquationsAndNoRank) {
  LeastNormSolver solver;
  solver.factorize(MatX(0, 0), kRankTolerance);
  EXPECT_EQ(solver.rank(), 0);
  EXPECT_EQ(solver.solve(VecX()).size(), 0);
  solver.factorize(MatX::Zero(2, 2), kRankTolerance);
  EXPECT_EQ(solver.rank(), 0);
  EXPECT_EQ(solver.solve(Vec2(1, 1)), Vec2::Zero());
}

}  // namespace
}  // namespace tenpin::complementarity
