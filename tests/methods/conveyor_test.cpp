// Surface velocities: a belt takes along what lies on it, and its work is in the ledger.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/check.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::Ledger;
using test::SceneRun;

constexpr double kMu = 0.4;
constexpr double kSpeed = 1.5;                          // m/s   of the belt
constexpr double kGravity = 9.81;                       // m/s^2
constexpr double kReached = kSpeed / (kMu * kGravity);  // s

std::string on_belt(const std::string& body, const std::string& method) {
  return "tenpin: 1\nmaterials: {m: {friction: 0.4}}\nbodies:\n"
         "  - {name: belt, fixed: true, material: m, orientation: {axis: [0, 0, 1], degrees: 90},"
         " shapes: [{box: {size: [10, 1, 0.2]}, position: [0, 0, -0.1], surface_velocity: [1.5, 0,"
         " 0]}]}\n"
         "  - {name: it, material: m, mass: 2, " +
         body + "}\nmethod: {time-stepping: {" + method + "}}\n";
}

const char* const kBox = "position: [0, 0, 0.1], shapes: [{box: {size: [0.2, 0.2, 0.2]}}]";

class Conveyor : public testing::TestWithParam<const char*> {};

// The body is turned, so its belt runs along the world's y.
TEST_P(Conveyor, ABoxReachesTheSpeedOfTheBelt) {
  SceneRun run(on_belt(kBox, GetParam()));
  ASSERT_EQ(run.run_until(0.2), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(run.twist("it").v.y(), kMu * kGravity * 0.2, 1e-7);
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(run.twist("it").v.y(), kSpeed, 1e-7);
  EXPECT_NEAR(run.twist("it").v.x(), 0.0, 1e-7);
  // It slips until v = mu g t and then rides along; a first-order step is late by part of a step.
  const double path = kSpeed * (1.0 - 0.5 * kReached);
  const bool is_second = std::string(GetParam()).find("order: 2") != std::string::npos;
  EXPECT_NEAR(run.position("it").y(), path, is_second ? 1e-5 : 0.004 * kSpeed);
  // The belt works mu m g v t, half of it against friction.
  const double work = 2.0 * kSpeed * kSpeed;
  EXPECT_NEAR(run.work[Ledger::kPrescribed], work, 0.01 * work);
  EXPECT_NEAR(run.work[Ledger::kFriction], -0.5 * work, 0.01 * work);
  run.expect_ledger_closes();
}

TEST_P(Conveyor, ABallRollsAgainstTheBelt) {
  SceneRun run(on_belt("position: [0, 0, 0.1], shapes: [{sphere: {radius: 0.1}}]", GetParam()));
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
  // Spun up without slip at the end: v + r w = belt, and v = 2/5 r w from the impulse.
  EXPECT_NEAR(run.twist("it").v.y(), kSpeed * 2.0 / 7.0, 1e-6);
  EXPECT_NEAR(run.twist("it").w.x(), kSpeed * 5.0 / 7.0 / 0.1, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Orders, Conveyor,
                         testing::Values("step: 0.004, order: 1, solver: cone",
                                         "step: 0.004, order: 1, solver: lemke",
                                         "step: 0.004, order: 1, formulation: velocity",
                                         "step: 0.004, order: 2, solver: cone",
                                         "step: 0.004, order: 2, solver: lemke"));

TEST(Conveyor, SleepersWakeAndOtherMethodsRefuse) {
  SceneRun run(on_belt(kBox, "step: 0.004, order: 2, sleeping: true"));
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(run.twist("it").v.y(), kSpeed, 1e-7);
  for (const std::string method : {"analytic: {}", "impulse: {}"}) {
    std::string text = on_belt(kBox, "");
    text.replace(text.find("time-stepping: {}"), 17, method);
    try {
      const SceneRun refused(text);
      ADD_FAILURE() << method;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("surface velocit"), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace tenpin::methods
