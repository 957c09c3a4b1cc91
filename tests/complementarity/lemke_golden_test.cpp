// LCPs of real steps of the rod and of the balls, n = 4 to 70, with the solutions of an
// independent implementation.   [ST00, §4]
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "complementarity/lemke.h"

namespace tenpin::complementarity {
namespace {

constexpr double kResidualTolerance = 1e-10;  // of the data's own statement
constexpr double kEffectTolerance = 1e-9;     // the same, for velocities

VecX read_vector(const nlohmann::json& values) {
  VecX vector(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) vector[static_cast<int>(i)] = values[i];
  return vector;
}

Lcp read_lcp(const nlohmann::json& values) {
  Lcp lcp{MatX(), read_vector(values.at("q"))};
  lcp.R.resize(lcp.size(), lcp.size());
  for (int i = 0; i < lcp.size(); ++i) {
    lcp.R.row(i) = read_vector(values.at("M").at(static_cast<std::size_t>(i))).transpose();
  }
  return lcp;
}

// Redundant contacts have several z but one effect R z on the velocities of the contacts; the
// rows of lambda are not velocities, but what each contact has left of its friction.
TEST(LemkeGolden, SolvesEveryStepWithTheSameEffect) {
  std::ifstream file(std::string(TENPIN_SOURCE_DIR) +
                     "/tests/complementarity/data/lcp_friction.json");
  const nlohmann::json golden = nlohmann::json::parse(file);
  ASSERT_GE(golden.at("cases").size(), 10U);
  Lemke lemke;
  LcpSolution solution;
  for (const nlohmann::json& step : golden.at("cases")) {
    const Lcp lcp = read_lcp(step);
    const VecX z = read_vector(step.at("z"));
    lemke.solve(lcp, &solution);
    const std::string name = step.at("name");
    ASSERT_EQ(solution.status, SolveStatus::kSolved) << name;
    const LcpResidual residual = certify(lcp, solution.z);
    EXPECT_LE(residual.natural, kResidualTolerance * residual.scale) << name;
    EXPECT_TRUE(certify(lcp, z).passes(kResidualTolerance)) << name;
    const VecX difference = lcp.R * (solution.z - z);
    EXPECT_LE(difference.cwiseAbs().maxCoeff(), kEffectTolerance * residual.scale) << name;
    EXPECT_FALSE(lemke.tried_again()) << name;
  }
}

}  // namespace
}  // namespace tenpin::complementarity
