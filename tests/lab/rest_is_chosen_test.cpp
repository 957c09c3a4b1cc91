// Where a law allows rest and slip, the bodies rest.
#include <gtest/gtest.h>

#include <string>

#include "lab/scene_runs.h"

namespace tenpin::lab {
namespace {

// Two fingers press a block face to face with 20 N each: their friction could carry 24 N, and the
// block weighs 9.81 N. Eight corners share the load in many ways, in some of which it would slip.
scene::Scene make_gripper(const std::string& method, double force) {
  const auto finger = [force](const std::string& name, double side) {
    return "  - {name: " + name + ", mass: 0.2, position: [" + std::to_string(0.06 * side) +
           ", 0, 0],\n     joint: {slider: {axis: [" + std::to_string(-side) +
           ", 0, 0], motor: {force: " + std::to_string(force) +
           "}}},\n     shapes: [{box: {size: [0.02, 0.1, 0.1]}}]}\n";
  };
  return scene::parse_scene("tenpin: 1\nmaterials: {default: {friction: 0.6}}\nbodies:\n" +
                                finger("left", -1.0) + finger("right", 1.0) +
                                "  - {name: load, mass: 1, shapes: [{box: {size: [0.1, 0.06, "
                                "0.06]}}]}\nmethod: {" +
                                method + "}\nuntil: 0.2\n",
                            "gripper.yaml");
}

class EveryOrderRests : public testing::TestWithParam<std::string> {};

TEST_P(EveryOrderRests, InAGripperThatHoldsFaceToFace) {
  const Summary summary = simulate(make_gripper(GetParam(), 20.0), {});
  ASSERT_EQ(summary.status, methods::AdvanceStatus::kReachedEnd) << summary.message;
  EXPECT_TRUE(summary.worst.passed);
  constexpr double kSolved = 1e-9;  // m/s, m   the solver's own error; it slipped by 0.88 m/s
  EXPECT_LT(summary.state.v.lpNorm<Eigen::Infinity>(), kSolved);
  EXPECT_LT(summary.state.q.segment<3>(2).norm(), kSolved);
}

// With 8 N each they carry 9.6 N: not enough, whatever corners do.
TEST_P(EveryOrderRests, UnlessNoForcesHold) {
  const Summary summary = simulate(make_gripper(GetParam(), 8.0), {});
  ASSERT_EQ(summary.status, methods::AdvanceStatus::kReachedEnd) << summary.message;
  EXPECT_LE(summary.state.v[4], -0.2 * (9.81 - 9.6) + 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Orders, EveryOrderRests,
                         testing::Values("time-stepping: {step: 0.005, order: 1}",
                                         "time-stepping: {step: 0.005, order: 2}"),
                         [](const auto& test) {
                           return "order" + std::to_string(test.index + 1);
                         });

}  // namespace
}  // namespace tenpin::lab
