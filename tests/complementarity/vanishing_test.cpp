// Linear programs, and forces by guesses.
#include "complementarity/vanishing.h"

#include <gtest/gtest.h>

#include <map>

#include "complementarity/draw.h"
#include "complementarity/lemke.h"
#include "complementarity/linear_program.h"

namespace tenpin::complementarity {
namespace {

using Status = LinearProgramSolution::Status;

// Maximise x + 2 y with x + y <= 4, y <= 3.
TEST(LinearProgram, FindsTheBestCorner) {
  LinearProgram program;
  const int x = program.add_column(-1.0, 0.0, kNoBound);
  const int y = program.add_column(-2.0, 0.0, 3.0);
  const int row = program.add_row(-kNoBound, 4.0);
  program.entries = {{row, x, 1.0}, {row, y, 1.0}};
  const LinearProgramSolution solution = solve(program);
  ASSERT_EQ(solution.status, Status::kOptimal);
  EXPECT_NEAR(solution.x[x], 1.0, 1e-12);
  EXPECT_NEAR(solution.x[y], 3.0, 1e-12);
}

TEST(LinearProgram, TellsInfeasibleFromUnbounded) {
  LinearProgram program;
  const int x = program.add_column(-1.0, 0.0, kNoBound);
  const int row = program.add_row(1.0, kNoBound);
  program.entries = {{row, x, 1.0}};
  EXPECT_EQ(solve(program).status, Status::kUnbounded);
  program.entries[0].value = -1.0;
  EXPECT_EQ(solve(program).status, Status::kInfeasible);
}

// [B89, Fig. 7]
TEST(ForcesByGuesses, OnAnInclineNoneVanishes) {
  const MatX A = MatX::Constant(1, 1, 1.0 / 2.0);
  const VecX b = VecX::Constant(1, 9.81);
  const ForceAnswer answer = solve_by_guesses({.A = list_entries(A), .b = b, .holonomic = {}});
  EXPECT_EQ(answer.branch, ForceBranch::kNoneVanishes);
  EXPECT_NEAR(answer.f[0], 2.0 * 9.81, 1e-9);
}

// A bar of 1 kg on two points, its centre of mass beyond the second: [B89, Fig. 9]
TEST(ForcesByGuesses, ATippingBarHasItsVanishingContactPredicted) {
  const double inertia = 0.1;
  const Vec2 arm(-0.4, -0.1);
  const MatX A = MatX::Ones(2, 2) + arm * arm.transpose() / inertia;
  const VecX b = VecX::Constant(2, 9.81);
  const ForceAnswer answer = solve_by_guesses({.A = list_entries(A), .b = b, .holonomic = {}});
  EXPECT_EQ(answer.branch, ForceBranch::kPredicted);
  EXPECT_EQ(answer.f[0], 0.0);
  EXPECT_NEAR(answer.f[1], 9.81 / 1.1, 1e-8);
  EXPECT_EQ(answer.excess, 0.0);
}

// What is not a fallback is a solution, with Lemke's accelerations; a fallback keeps conditions (1)
// and (2) and adds energy. All three happen.   [B89, eq. (16)-(25)]
TEST(ForcesByGuesses, AreSolutionsOrSayThatTheyAreNot) {
  std::map<ForceBranch, int> count;
  for (int k = 0; k < 400; ++k) {
    Draw draw(5, static_cast<std::uint64_t>(k));
    const int n = draw.integer(1, 8);
    const int freedom = draw.integer(1, n + 2);
    MatX J(n, freedom);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < freedom; ++j) J(i, j) = draw.uniform(-1.0, 1.0);
    }
    VecX pull(freedom);
    for (int j = 0; j < freedom; ++j) pull[j] = draw.uniform(-1.0, 1.0);
    const MatX A = J * J.transpose();
    const VecX b = -(J * pull);
    const ForceAnswer answer = solve_by_guesses({.A = list_entries(A), .b = b, .holonomic = {}});
    ++count[answer.branch];
    const LcpSolution exact = solve_lemke({A, -b});
    ASSERT_EQ(exact.status, SolveStatus::kSolved) << k;
    const VecX a = A * answer.f - b;
    EXPECT_GE(answer.f.minCoeff(), -1e-8) << k;
    EXPECT_GE(a.minCoeff(), -1e-8) << k;
    if (answer.branch == ForceBranch::kFallback) {
      EXPECT_GT(answer.excess, 0.0) << k;
    } else {
      EXPECT_NEAR(answer.f.dot(a), 0.0, 1e-7) << k;
      EXPECT_LE((a - (A * exact.z - b)).cwiseAbs().maxCoeff(), 1e-6) << k;
    }
  }
  EXPECT_EQ(count[ForceBranch::kFailed], 0);
  EXPECT_GT(count[ForceBranch::kNoneVanishes], 20);
  EXPECT_GT(count[ForceBranch::kPredicted], 20);
  EXPECT_GT(count[ForceBranch::kFallback], 0);
}

// A contact under a body that a rod holds: the rod may pull, the contact may not.   [B89, §7]
TEST(ForcesByGuesses, HolonomicForcesHaveEitherSign) {
  MatX A(2, 2);
  A << 1.0, -0.5, -0.5, 1.0;
  VecX b(2);
  b << 1.0, -2.0;
  const ForceAnswer answer =
      solve_by_guesses({.A = list_entries(A), .b = b, .holonomic = {false, true}});
  ASSERT_NE(answer.branch, ForceBranch::kFailed);
  EXPECT_NEAR((A * answer.f - b)[1], 0.0, 1e-9);
  EXPECT_LT(answer.f[1], 0.0);
  EXPECT_NEAR(answer.f[0] * (A * answer.f - b)[0], 0.0, 1e-9);
}

// Two rows that want different things of the same force, and one that agrees with the first.
TEST(Compromise, LeastSumNamesTheRowAtFaultAndLeastSquaresSharesIt) {
  const MatX A = MatX::Ones(3, 3);
  VecX b(3);
  b << 1.0, 2.0, 1.0;
  const Compromise sum =
      solve_least_sum({.A = list_entries(A), .b = b, .holonomic = {true, true, true}});
  EXPECT_NEAR(sum.misfit[0], 0.0, 1e-9);
  EXPECT_NEAR(sum.misfit[1], -1.0, 1e-9);
  EXPECT_NEAR(sum.misfit[2], 0.0, 1e-9);
  const Compromise squares = solve_least_squares(A, b);
  EXPECT_NEAR(squares.misfit[0], 1.0 / 3.0, 1e-12);
  EXPECT_NEAR(squares.misfit[1], -2.0 / 3.0, 1e-12);
  for (const double f : squares.f) EXPECT_NEAR(f, 4.0 / 9.0, 1e-12);
}

// [B89, eq. (37)] with a contact that must hold all the same.
TEST(Compromise, KeepsContactsApart) {
  MatX A(3, 3);
  A << 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0;
  VecX b(3);
  b << 1.0, 3.0, 2.0;
  const Compromise sum =
      solve_least_sum({.A = list_entries(A), .b = b, .holonomic = {true, true, false}});
  EXPECT_NEAR(sum.misfit.head(2).cwiseAbs().sum(), 2.0, 1e-9);
  EXPECT_GE(sum.misfit[2], -1e-9);
  EXPECT_GE(sum.f[2], 0.0);
}

}  // namespace
}  // namespace tenpin::complementarity
