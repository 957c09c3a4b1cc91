#include "complementarity/lcp.h"

#include <gtest/gtest.h>

#include <limits>

namespace tenpin::complementarity {
namespace {

Lcp make_lcp() {
  Lcp lcp{MatX(2, 2), VecX(2)};
  lcp.R << 2.0, 1.0, 1.0, 2.0;
  lcp.u << -5.0, -1.0;
  return lcp;
}

TEST(Certify, ExactSolutionHasNoResidual) {
  const LcpResidual residual = certify(make_lcp(), Vec2(2.5, 0.0));  // w = (0, 1.5)
  EXPECT_EQ(residual.natural, 0.0);
  EXPECT_EQ(residual.w_negative, 0.0);
  EXPECT_EQ(residual.z_negative, 0.0);
  EXPECT_EQ(residual.complementarity, 0.0);
  EXPECT_EQ(residual.relative, 0.0);
  EXPECT_EQ(residual.scale, 7.5);  // |R|_inf |z|_inf = 3 * 2.5
  EXPECT_TRUE(residual.passes(0.0));
}

TEST(Certify, EachNumberMeasuresItsOwnFault) {
  const LcpResidual low = certify(make_lcp(), Vec2(2.0, 0.0));  // w = (-1, 1)
  EXPECT_EQ(low.w_negative, 1.0);
  EXPECT_EQ(low.natural, 1.0);
  EXPECT_EQ(low.relative, 1.0 / 11.0);                             // s_1 = 5 + 2 * 3
  const LcpResidual below = certify(make_lcp(), Vec2(3.0, -1.0));  // w = (0, 0)
  EXPECT_EQ(below.z_negative, 1.0);
  EXPECT_EQ(below.natural, 1.0);
  const LcpResidual both = certify(make_lcp(), Vec2(3.0, 0.0));  // w = (1, 2)
  EXPECT_EQ(both.complementarity, 3.0);
  EXPECT_EQ(both.natural, 1.0);
  for (const LcpResidual& residual : {low, below, both}) {
    EXPECT_FALSE(residual.passes(1e-3));
    EXPECT_TRUE(residual.passes(1.0));
  }
}

// 1e16 + 1 - 1e16: a plain sum in doubles loses the 1 and would pass.
TEST(Certify, SumsWithTwiceTheDigits) {
  Lcp lcp{MatX::Zero(3, 3), VecX::Zero(3)};
  lcp.R.row(0) << 1e16, -1.0, -1e16;
  const LcpResidual residual = certify(lcp, Vec3(1.0, 1.0, 1.0));
  EXPECT_EQ(residual.w_negative, 1.0);
}

TEST(Certify, RelativeResidualIgnoresUnits) {
  Lcp lcp = make_lcp();
  const Vec2 z(2.0, 0.25);
  const double expected = certify(lcp, z).relative;
  EXPECT_GT(expected, 0.0);
  lcp.R.row(1) *= 0x1p-40;
  lcp.u[1] *= 0x1p-40;
  EXPECT_EQ(certify(lcp, z).relative, expected);
  lcp.R *= 0x1p+30;  // z in other units
  EXPECT_EQ(certify(lcp, z * 0x1p-30).relative, expected);
}

TEST(Certify, TinyWrongImpulseDoesNotPass) {
  const Lcp lcp{MatX::Constant(1, 1, 1.0), VecX::Constant(1, -1e-9)};
  EXPECT_FALSE(certify(lcp, VecX::Constant(1, 0.9e-9)).passes(1e-10));
  EXPECT_TRUE(certify(lcp, VecX::Constant(1, 1e-9)).passes(1e-10));
}

TEST(Certify, NonfiniteNeverPasses) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (int where = 0; where < 3; ++where) {
      Lcp lcp = make_lcp();
      VecX z = Vec2(2.5, 0.0);
      if (where == 0) lcp.R(1, 1) = bad;
      if (where == 1) lcp.u[1] = bad;
      if (where == 2) z[1] = bad;
      EXPECT_FALSE(certify(lcp, z).passes(kHuge)) << bad << " at " << where;
    }
  }
}

TEST(Certify, EmptyProblemPasses) {
  EXPECT_TRUE(certify(Lcp{}, VecX()).passes(0.0));
}

TEST(SolveStatus, EachHasItsOwnName) {
  EXPECT_EQ(to_string(SolveStatus::kSolved), "SOLVED");
  EXPECT_EQ(to_string(SolveStatus::kRayTermination), "RAY");
  EXPECT_EQ(to_string(SolveStatus::kNullPivot), "NULL_PIVOT");
  EXPECT_EQ(to_string(SolveStatus::kIterationLimit), "ITER_LIMIT");
  EXPECT_EQ(to_string(SolveStatus::kCycle), "CYCLE");
  EXPECT_EQ(to_string(SolveStatus::kNonfinite), "NONFINITE");
  EXPECT_EQ(to_string(SolveStatus::kResidual), "RESIDUAL");
  EXPECT_EQ(to_string(SolveStatus::kInconsistent), "INCONSISTENT");
}

}  // namespace
}  // namespace tenpin::complementarity
