// The linear algebra below the cone solver.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "complementarity/cone/block_lu.h"
#include "complementarity/cone/dense_front.h"
#include "complementarity/cone/lorentz.h"
#include "complementarity/draw.h"
#include "math/types.h"

namespace tenpin::complementarity::cone {
namespace {

// Diagonally dominant, with blocks of 0 to 6 rows.
BlockMatrix make_random_matrix(int num_blocks, double density, Draw* draw) {
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> pairs;
  for (int a = 0; a < num_blocks; ++a) {
    sizes.push_back(draw->integer(0, 6));
    for (int b = 0; b < a; ++b) {
      if (draw->chance(density)) pairs.emplace_back(a, b);
    }
  }
  BlockMatrix A;
  A.set_pattern(sizes, pairs);
  for (double& x : A.values) x = draw->uniform(-1.0, 1.0);
  for (int a = 0; a < num_blocks; ++a) {
    for (int i = 0; i < A.size(a); ++i) A.entry(A.diagonal[a])[i * (1 + A.size(a))] += 5.0;
  }
  return A;
}

TEST(BlockMatrix, PatternIsSymmetricAndComplete) {
  Draw draw(1);
  const BlockMatrix A = make_random_matrix(20, 0.2, &draw);
  for (int a = 0; a < 20; ++a) {
    EXPECT_EQ(A.col[A.diagonal[a]], a);
    for (int e = A.row_begin[a]; e < A.row_begin[a + 1]; ++e) {
      EXPECT_EQ(A.mirror[e], A.find(A.col[e], a));
      EXPECT_EQ(A.mirror[A.mirror[e]], e);
      if (e > A.row_begin[a]) {
        EXPECT_LT(A.col[e - 1], A.col[e]);
      }
    }
  }
  EXPECT_EQ(A.find(0, 0), A.diagonal[0]);
}

TEST(BlockLu, SolvesWhatMultiplyMakes) {
  for (int seed = 0; seed < 60; ++seed) {
    Draw draw(2, seed);
    const BlockMatrix A = make_random_matrix(draw.integer(1, 60), draw.uniform(0.0, 0.3), &draw);
    std::vector<double> x(A.num_rows());
    for (double& v : x) v = draw.uniform(-1.0, 1.0);
    std::vector<double> b(x.size());
    multiply(A, x, std::vector<double>(x.size(), 0.0), b);
    BlockLu lu;
    lu.order(A);
    lu.analyze(A);
    ASSERT_TRUE(lu.factorize(A));
    lu.solve(b);
    EXPECT_EQ(lu.num_replaced_pivots(), 0);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(b[i], x[i], 1e-10) << seed;
  }
}

TEST(BlockLu, ReplacesThePivotsOfASingularMatrix) {
  BlockMatrix A;
  A.set_pattern(std::vector<int>{3, 3}, std::vector<std::pair<int, int>>{{0, 1}});
  // Two equal rows of blocks: I, I; I, I.
  for (int e = 0; e < 4; ++e) Eigen::Map<Mat3>(A.entry(e)) = Mat3::Identity();
  BlockLu lu;
  lu.order(A);
  lu.analyze(A);
  ASSERT_TRUE(lu.factorize(A));
  EXPECT_EQ(lu.num_replaced_pivots(), 3);
}

TEST(DenseFront, LeavesTheSchurComplement) {
  for (const int n : {1, 5, 8, 33, 70, 131}) {
    for (const int num_pivots : {1, n / 3, n / 2, n}) {
      if (num_pivots == 0) continue;
      Draw draw(4, n * 1000 + num_pivots);
      MatX F(n, n);
      for (double& x : F.reshaped()) x = draw.uniform(-1.0, 1.0);
      F.diagonal().array() += 3.0;
      const int rest = n - num_pivots;
      MatX schur = F.bottomRightCorner(rest, rest);
      if (rest > 0) {  // Eigen binds a reference to nothing where it solves for nothing
        schur -=
            F.bottomLeftCorner(rest, num_pivots) * F.topLeftCorner(num_pivots, num_pivots)
                                                       .partialPivLu()
                                                       .solve(F.topRightCorner(num_pivots, rest));
      }
      std::vector<int> order(n);
      EXPECT_EQ(eliminate({F.data(), n}, n, num_pivots, {1e-14, 1e-14}, order.data()), 0);
      EXPECT_LT((F.bottomRightCorner(rest, rest) - schur).norm(), 1e-10 * (1.0 + schur.norm()));
    }
  }
}

Vec3 draw_inside(Draw* draw) {
  const double angle_cos = draw->uniform(-1.0, 1.0);
  const double n = draw->uniform(0.1, 3.0);
  const double t = n * draw->uniform(0.0, 0.999);
  return {n, t * angle_cos, t * std::sqrt(1.0 - angle_cos * angle_cos)};
}

TEST(Lorentz, ScalingMapsBothToOnePoint) {
  for (int seed = 0; seed < 200; ++seed) {
    Draw draw(6, seed);
    const Vec3 x = draw_inside(&draw);
    const Vec3 y = draw_inside(&draw);
    for (const int n : {3, 1}) {
      NesterovTodd s;
      calc_scaling(x.data(), y.data(), n, &s);
      for (int i = 0; i < n; ++i) {
        double vx = 0.0;
        double vy = 0.0;
        for (int j = 0; j < n; ++j) {
          vx += s.V[i][j] * x[j];
          vy += s.V_inverse[i][j] * y[j];
        }
        EXPECT_NEAR(vx, s.lambda[i], 1e-10);
        EXPECT_NEAR(vy, s.lambda[i], 1e-9);
      }
      double product[3];
      double quotient[3];
      multiply(x.data(), y.data(), n, product);
      divide(product, x.data(), n, quotient);
      for (int i = 0; i < n; ++i) EXPECT_NEAR(quotient[i], y[i], 1e-9);
    }
  }
}

TEST(Lorentz, StepEndsOnTheBoundary) {
  for (int seed = 0; seed < 200; ++seed) {
    Draw draw(8, seed);
    const Vec3 x = draw_inside(&draw);
    const Vec3 dx(draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(-1, 1));
    const double t = calc_step_to_boundary(x.data(), dx.data(), 3, 1e3);
    const auto depth = [&](double s) {
      return x[0] + s * dx[0] - (x + s * dx).tail<2>().norm();
    };
    EXPECT_GT(depth(0.999 * t), 0.0);
    if (t < 1e3) {
      EXPECT_LT(depth(1.001 * t), 0.0) << seed;
      EXPECT_NEAR(depth(t), 0.0, 1e-9 * (1.0 + t));
    }
  }
}

}  // namespace
}  // namespace tenpin::complementarity::cone
