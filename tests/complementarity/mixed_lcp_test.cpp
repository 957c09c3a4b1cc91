#include "complementarity/mixed_lcp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "complementarity/draw.h"

namespace tenpin::complementarity {
namespace {

constexpr double kTolerance = 1e-12;  // LemkeOptions' own

MatX draw_matrix(int rows, int cols, Draw* draw) {
  MatX matrix(rows, cols);
  for (double& value : matrix.reshaped()) value = draw->uniform(-1.0, 1.0);
  return matrix;
}

// Joints J and contacts N on a body of nv freedoms, the matrix of a step without friction. The
// last `copies` joints repeat the first ones.
MixedLcp make_jointed(int nv, int m, int copies, int n, Draw* draw) {
  MatX J(nv, m + copies);
  J.leftCols(m) = draw_matrix(nv, m, draw);
  J.rightCols(copies) = J.leftCols(copies);
  const MatX N = draw_matrix(nv, n, draw);
  const VecX v = draw_matrix(nv, 1, draw);
  return {J.transpose() * J, J.transpose() * N, N.transpose() * J,
          N.transpose() * N, J.transpose() * v, N.transpose() * v};
}

// x holds a weight of 3 against a floor that may only push: by hand.
TEST(MixedLcp, SolvesByHand) {
  MixedLcp problem{MatX::Constant(1, 1, 2.0), MatX::Constant(1, 1, 1.0), MatX::Constant(1, 1, 1.0),
                   MatX::Constant(1, 1, 1.0), VecX::Constant(1, -4.0),   VecX::Constant(1, -3.0)};
  const MixedLcpSolution solution = solve_mixed_lcp(problem);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);  // 2x + z = 4, x + z = 3
  EXPECT_DOUBLE_EQ(solution.x[0], 1.0);
  EXPECT_DOUBLE_EQ(solution.z[0], 2.0);
  problem.b[0] = 5.0;
  const MixedLcpSolution open = solve_mixed_lcp(problem);
  ASSERT_EQ(open.status, SolveStatus::kSolved);
  EXPECT_DOUBLE_EQ(open.x[0], 2.0);
  EXPECT_EQ(open.z[0], 0.0);
}

TEST(MixedLcp, RandomJointsAndContacts) {
  Draw draw(61);
  for (int trial = 0; trial < 500; ++trial) {
    const int nv = draw.integer(4, 12);
    const int m = draw.integer(0, nv / 2);
    const MixedLcp problem = make_jointed(nv, m, 0, draw.integer(0, nv - m), &draw);
    const MixedLcpSolution solution = solve_mixed_lcp(problem);
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << trial;
    ASSERT_EQ(solution.num_redundant_rows, 0) << trial;
    ASSERT_TRUE(certify(problem, solution.x, solution.z).passes(kTolerance)) << trial;
  }
}

TEST(MixedLcp, RepeatedRowsAreCountedAndShareTheLoad) {
  Draw draw(62);
  for (int trial = 0; trial < 200; ++trial) {
    const int copies = draw.integer(1, 3);
    const MixedLcp problem = make_jointed(10, 4, copies, 4, &draw);
    const MixedLcpSolution solution = solve_mixed_lcp(problem);
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << trial;
    ASSERT_EQ(solution.num_redundant_rows, copies) << trial;
    for (int i = 0; i < copies; ++i) {  // least norm: each twin takes half
      ASSERT_NEAR(solution.x[i], solution.x[4 + i], 1e-9 * solution.x.norm()) << trial;
    }
  }
}

// More joints and contacts than freedoms, of masses that differ by six decades: what a contact may
// still do is what is left of numbers that cancel, but there always are forces.
TEST(MixedLcp, ContactsThatFollowFromJointsHaveForces) {
  Draw draw(65);
  for (int trial = 0; trial < 500; ++trial) {
    const int nv = draw.integer(2, 6);
    const int m = draw.integer(1, nv);
    const int n = draw.integer(2, 6);
    MatX J(m + n, nv);
    VecX inverse_mass(nv), pull(nv);
    for (double& x : J.reshaped()) x = draw.uniform(-1.0, 1.0);
    for (double& x : inverse_mass) x = std::pow(10.0, draw.uniform(-3.0, 3.0));
    for (double& x : pull) x = draw.uniform(-1.0, 1.0);
    const MatX W = J * inverse_mass.asDiagonal() * J.transpose();
    const VecX u = J * pull;
    const MixedLcp problem{.A = W.topLeftCorner(m, m),
                           .C = W.topRightCorner(m, n),
                           .D = W.bottomLeftCorner(n, m),
                           .B = W.bottomRightCorner(n, n),
                           .a = u.head(m),
                           .b = u.tail(n)};
    const MixedLcpSolution solution = solve_mixed_lcp(problem);
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << trial;
    ASSERT_TRUE(certify(problem, solution.x, solution.z).passes(1e-12)) << trial;
  }
}

TEST(MixedLcp, ContradictingRowsAreInconsistent) {
  Draw draw(63);
  MixedLcp problem = make_jointed(10, 4, 1, 4, &draw);
  problem.a[4] += 0.5;
  const MixedLcpSolution solution = solve_mixed_lcp(problem);
  EXPECT_EQ(solution.status, SolveStatus::kInconsistent);
  EXPECT_EQ(solution.num_redundant_rows, 1);
}

TEST(MixedLcp, RayAndNonfiniteComeThrough) {
  MixedLcp problem{MatX::Identity(1, 1), MatX::Zero(1, 1),        MatX::Zero(1, 1),
                   MatX::Zero(1, 1),     VecX::Constant(1, -1.0), VecX::Constant(1, -1.0)};
  EXPECT_EQ(solve_mixed_lcp(problem).status, SolveStatus::kRayTermination);
  problem.a[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve_mixed_lcp(problem).status, SolveStatus::kNonfinite);
}

TEST(MixedLcp, CertificateSeesEveryKindOfRow) {
  Draw draw(64);
  const MixedLcp problem = make_jointed(8, 3, 0, 3, &draw);
  const MixedLcpSolution solution = solve_mixed_lcp(problem);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  for (int i = 0; i < 6; ++i) {
    VecX x = solution.x;
    VecX z = solution.z;
    (i < 3 ? x[i] : z[i - 3]) += 1e-6;
    EXPECT_FALSE(certify(problem, x, z).passes(1e-10)) << i;
  }
}

TEST(MixedLcp, EmptyProblem) {
  const MixedLcp problem{MatX(0, 0), MatX(0, 0), MatX(0, 0), MatX(0, 0), VecX(), VecX()};
  EXPECT_EQ(solve_mixed_lcp(problem).status, SolveStatus::kSolved);
}

}  // namespace
}  // namespace tenpin::complementarity
