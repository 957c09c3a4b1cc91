#include "complementarity/proximal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "complementarity/draw.h"

namespace tenpin::complementarity {
namespace {

// Accelerations J M^-1 J' f - J a >= 0 of n contacts of a body with few freedoms: forces always
// exist, but where rounding moves them out of reach of each other an exact solver finds a ray.
Lcp draw_resting(std::uint64_t seed, int n, int freedoms) {
  Draw draw(seed);
  MatX J(n, freedoms);
  VecX inverse_mass(freedoms), pull(freedoms);
  for (double& x : J.reshaped()) x = draw.uniform(-1.0, 1.0);
  for (double& x : inverse_mass) x = std::pow(10.0, draw.uniform(-3.0, 3.0));
  for (double& x : pull) x = draw.uniform(0.0, 10.0);
  return {.R = J * inverse_mass.asDiagonal() * J.transpose(), .u = J * pull};
}

TEST(Proximal, SolvesRestingContactsThatRoundingLeftWithoutAnAnswer) {
  int rays = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Lcp lcp = draw_resting(seed, 12 + static_cast<int>(seed % 9), 9);
    LcpSolution solution = solve_lemke(lcp, {});
    if (solution.status == SolveStatus::kSolved) continue;
    ++rays;
    EXPECT_TRUE(solve_proximal(lcp, {}, &solution)) << seed;
    EXPECT_EQ(solution.status, SolveStatus::kSolved);
    EXPECT_TRUE(certify(lcp, solution.z).passes(1e-12)) << seed;
  }
  EXPECT_GT(rays, 0);  // or this test says nothing
}

TEST(Proximal, LeavesARayAloneThatTellsTheTruth) {
  const Lcp lcp{.R = (MatX(2, 2) << 1.0, -1.0, -1.0, 1.0).finished(), .u = VecX::Constant(2, -1.0)};
  LcpSolution solution = solve_lemke(lcp, {});
  ASSERT_EQ(solution.status, SolveStatus::kRayTermination);
  EXPECT_FALSE(solve_proximal(lcp, {}, &solution));
  EXPECT_EQ(solution.status, SolveStatus::kRayTermination);
}

}  // namespace
}  // namespace tenpin::complementarity
