#include "complementarity/lemke.h"

#include <gtest/gtest.h>

#include <limits>

#include "complementarity/friction_lcp.h"
#include "support/allocation_count.h"

namespace tenpin::complementarity {
namespace {

constexpr double kRoundOff = 1e-15;

Lcp make_lcp(const MatX& R, const VecX& u) {
  return {R, u};
}

Lcp make_scalar(double r, double u) {
  return {MatX::Constant(1, 1, r), VecX::Constant(1, u)};
}

// Kostreva's problem: the textbook's rule goes round in a circle on it.
Lcp make_cycling() {
  Mat3 R;
  R << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  return make_lcp(R, Vec3(-1, -1, -1));
}

TEST(Lemke, EmptyProblemIsSolved) {
  const LcpSolution solution = solve_lemke(Lcp{});
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_EQ(solution.z.size(), 0);
}

TEST(Lemke, OneVariable) {
  const LcpSolution pushed = solve_lemke(make_scalar(4.0, -2.0));
  EXPECT_EQ(pushed.status, SolveStatus::kSolved);
  EXPECT_EQ(pushed.z[0], 0.5);
  const LcpSolution open = solve_lemke(make_scalar(4.0, 2.0));
  EXPECT_EQ(open.status, SolveStatus::kSolved);
  EXPECT_EQ(open.z[0], 0.0);
  EXPECT_EQ(open.pivots, 0);
  EXPECT_EQ(solve_lemke(make_scalar(0.0, -1.0)).status, SolveStatus::kRayTermination);
  EXPECT_EQ(solve_lemke(make_scalar(-1.0, -1.0)).status, SolveStatus::kRayTermination);
}

TEST(Lemke, FindsOneOfSeveralSolutions) {
  Eigen::Matrix2d R;
  R << 1, 2, 2, 1;
  const LcpSolution solution = solve_lemke(make_lcp(R, Vec2(-1, -1)));
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_TRUE(solution.residual.passes(kRoundOff));
}

TEST(Lemke, RayComesWithItsProof) {
  Eigen::Matrix2d R;
  R << 1, -2, -1, -3;  // the second row cannot be lifted
  for (const int max_exact_size : {0, 2}) {
    Lemke lemke({.max_exact_size = max_exact_size});
    LcpSolution solution;
    lemke.solve(make_lcp(R, Vec2(-1, -2)), &solution);
    ASSERT_EQ(solution.status, SolveStatus::kRayTermination);
    EXPECT_EQ(solution.z, Vec2::Zero());
    const VecX y = lemke.ray();
    EXPECT_GE(y.minCoeff(), 0.0);
    EXPECT_GT(y.maxCoeff(), 0.0);
    EXPECT_LE(y.dot(R * y), 0.0);  // no strictly copositive R allows it
  }
}

TEST(Lemke, StopsAtThePivotLimit) {
  Draw draw(41);
  const Lcp lcp = make_heap_lcp(3, &draw);
  const int needed = solve_lemke(lcp).pivots;
  ASSERT_GT(needed, 2);
  EXPECT_EQ(solve_lemke(lcp, {.max_pivots = needed}).status, SolveStatus::kSolved);
  const LcpSolution stopped = solve_lemke(lcp, {.max_pivots = needed - 1});
  EXPECT_EQ(stopped.status, SolveStatus::kIterationLimit);
  EXPECT_EQ(stopped.pivots, needed - 1);
  EXPECT_EQ(stopped.z, VecX::Zero(lcp.size()));
}

// The lexicographic rule is what keeps Kostreva's problem from cycling.   [ST00, §4]
TEST(Lemke, LexicographicRuleBreaksTheCycle) {
  const LcpSolution circling = solve_lemke(make_cycling(), {.tie_break = TieBreak::kFirstRow});
  EXPECT_EQ(circling.status, SolveStatus::kCycle);
  const LcpSolution solution = solve_lemke(make_cycling());
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_LE((solution.z - Vec3::Constant(1.0 / 3.0)).norm(), kRoundOff);
}

TEST(Lemke, NonfiniteInputHasItsOwnStatus) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    Lcp lcp = make_cycling();
    lcp.R(1, 2) = bad;
    EXPECT_EQ(solve_lemke(lcp).status, SolveStatus::kNonfinite);
    lcp = make_cycling();
    lcp.u[0] = bad;
    EXPECT_EQ(solve_lemke(lcp).status, SolveStatus::kNonfinite);
  }
}

// No double is 1/3, so no answer can meet a tolerance of zero, and none is called solved.
TEST(Lemke, FailedCertificateIsNeverCalledSolved) {
  const LcpSolution solution = solve_lemke(make_cycling(), {.tolerance = 0.0});
  EXPECT_EQ(solution.status, SolveStatus::kResidual);
  EXPECT_GT(solution.residual.relative, 0.0);
  EXPECT_EQ(solution.z, VecX::Zero(3));
}

TEST(Lemke, OverflowIsNotCalledSolved) {
  EXPECT_EQ(solve_lemke(make_scalar(1e-300, -1e300)).status, SolveStatus::kNonfinite);
  EXPECT_EQ(solve_lemke(make_scalar(1e-200, -1e200)).status, SolveStatus::kResidual);
}

// Powers of two as units change no bit of the answer, others only the last.
TEST(Lemke, UnitsDoNotMatter) {
  Draw draw(42);
  const Lcp lcp = make_heap_lcp(4, &draw);
  const LcpSolution reference = solve_lemke(lcp);
  ASSERT_EQ(reference.status, SolveStatus::kSolved);
  for (const double unit : {1e-12, 1e-9, 0x1p-20, 0x1p+20, 1e9, 1e12}) {
    const LcpSolution scaled_u = solve_lemke(make_lcp(lcp.R, lcp.u * unit));
    ASSERT_EQ(scaled_u.status, SolveStatus::kSolved) << unit;
    const VecX w = lcp.R * reference.z;
    EXPECT_LE((lcp.R * scaled_u.z / unit - w).norm(), 1e-12 * w.norm()) << unit;
    const LcpSolution scaled_R = solve_lemke(make_lcp(lcp.R * unit, lcp.u));
    ASSERT_EQ(scaled_R.status, SolveStatus::kSolved) << unit;
    EXPECT_LE((lcp.R * scaled_R.z * unit - w).norm(), 1e-12 * w.norm()) << unit;
  }
  EXPECT_EQ(solve_lemke(make_lcp(lcp.R, lcp.u * 0x1p+20)).z, reference.z * 0x1p+20);
}

TEST(Lemke, SolvesHeapsWithRedundantContacts) {
  Lemke lemke;
  LcpSolution solution;
  for (int trial = 0; trial < 200; ++trial) {
    Draw draw(43, static_cast<std::uint64_t>(trial));
    const Lcp lcp = make_heap_lcp(draw.integer(1, 14), &draw);
    lemke.solve(lcp, &solution);
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << "trial " << trial;
    ASSERT_TRUE(certify(lcp, solution.z).passes(1e-14)) << "trial " << trial;
  }
}

TEST(Lemke, SecondSolveAllocatesNothing) {
  if (!can_count_allocations()) GTEST_SKIP();
  Draw draw(44);
  const Lcp large = make_heap_lcp(7, &draw);
  const Lcp small = make_heap_lcp(2, &draw);
  Lemke lemke;
  LcpSolution solution;
  LcpSolution small_solution;
  const long at_start = count_allocations();
  lemke.solve(large, &solution);
  EXPECT_GT(count_allocations(), at_start);  // the counter counts
  small_solution.z.resize(small.size());
  const long before = count_allocations();
  lemke.solve(large, &solution);
  lemke.solve(small, &small_solution);
  lemke.solve(large, &solution);
  EXPECT_EQ(count_allocations() - before, 0);
  EXPECT_EQ(solution.status, SolveStatus::kSolved);
  EXPECT_EQ(small_solution.status, SolveStatus::kSolved);
}

TEST(Lemke, WorkspaceLeavesNoTrace) {
  Draw draw(45);
  const Lcp first = make_heap_lcp(7, &draw);
  const Lcp second = make_heap_lcp(5, &draw);
  Lemke lemke;
  LcpSolution solution;
  lemke.solve(first, &solution);
  lemke.solve(second, &solution);
  const LcpSolution fresh = solve_lemke(second);
  EXPECT_EQ(solution.z, fresh.z);
  EXPECT_EQ(solution.pivots, fresh.pivots);
}

}  // namespace
}  // namespace tenpin::complementarity
