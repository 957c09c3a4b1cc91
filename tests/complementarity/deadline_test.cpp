// Solvers end when their deadline is over, with a status and not in the middle of something.
#include "base/deadline.h"

#include <gtest/gtest.h>

#include <atomic>

#include "complementarity/cone/cone_solver.h"
#include "complementarity/cone/proximal_point.h"
#include "complementarity/cone_scenes.h"
#include "complementarity/draw.h"
#include "complementarity/friction_lcp.h"
#include "complementarity/lemke.h"

namespace tenpin::complementarity {
namespace {

TEST(Deadline, IsOverByTimeOrFlag) {
  Deadline deadline;
  EXPECT_FALSE(deadline.is_over());
  deadline.set_time(Deadline::Clock::now() + std::chrono::hours(1));
  EXPECT_FALSE(deadline.is_over());
  deadline.set_time(Deadline::Clock::now() - std::chrono::hours(1));
  EXPECT_TRUE(deadline.is_late());
  deadline.set_time(Deadline::Clock::time_point::max());
  std::atomic<int> flag = 0;
  deadline.set_flag(&flag);
  EXPECT_FALSE(deadline.is_over());
  flag = 15;
  EXPECT_TRUE(deadline.is_stopped());
  EXPECT_TRUE(is_over(&deadline));
  EXPECT_FALSE(is_over(nullptr));
}

TEST(Deadline, EndsLemke) {
  Draw draw(3);
  const Lcp lcp = make_heap_lcp(20, &draw);
  ASSERT_EQ(solve_lemke(lcp).status, SolveStatus::kSolved);
  std::atomic<int> flag = 1;
  Deadline deadline;
  deadline.set_flag(&flag);
  const LcpSolution cut = solve_lemke(lcp, {.deadline = &deadline});
  EXPECT_EQ(cut.status, SolveStatus::kIterationLimit);
  EXPECT_LE(cut.pivots, 1);
  flag = 0;
  const LcpSolution whole = solve_lemke(lcp, {.deadline = &deadline});
  EXPECT_EQ(whole.status, SolveStatus::kSolved);
  EXPECT_EQ(whole.z, solve_lemke(lcp).z) << "a deadline that is not over changes no bit";
}

TEST(Deadline, EndsTheSolversOfTheRoundCone) {
  Draw draw(4);
  const cone::ConeProblem problem = cone::make_random_heap(20, 60, 2.0, 0.8, &draw);
  std::atomic<int> flag = 0;
  Deadline deadline;
  deadline.set_flag(&flag);
  for (const cone::ConeMethod method :
       {cone::ConeMethod::kCascade, cone::ConeMethod::kNewton, cone::ConeMethod::kInteriorPoint}) {
    cone::ConeOptions options{.tolerance = 1e-9, .method = method, .deadline = &deadline};
    flag = 0;
    cone::ConeSolution whole;
    cone::ConeSolver(options).solve(problem, &whole);
    ASSERT_GT(whole.effort.newton + whole.effort.interior_point, 0) << "needs no linear system";
    flag = 1;
    cone::ConeSolution cut;
    cone::ConeSolver(options).solve(problem, &cut);
    EXPECT_EQ(cut.status, SolveStatus::kIterationLimit);
    EXPECT_EQ(cut.effort.newton + cut.effort.interior_point, 0);
    solve_by_proximal_steps(problem, {}, options, &cut);
    EXPECT_EQ(cut.effort.newton + cut.effort.interior_point, 0);
  }
}

}  // namespace
}  // namespace tenpin::complementarity
