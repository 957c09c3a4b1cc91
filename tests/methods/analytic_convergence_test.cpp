// Time-stepping converges to the motion of the analytical method at first order in its step.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "base/text.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

const std::string kFloor =
    "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n";

// The slope of log(error) over log(step) by least squares.
double calc_order(const std::string& scene, double t) {
  SceneRun exact(scene + "method: {analytic: {}}\n");
  EXPECT_EQ(exact.run_until(t), AdvanceStatus::kReachedEnd) << exact.last.message;
  constexpr std::array kSteps = {0.004, 0.002, 0.001, 0.0005, 0.00025};
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (const double h : kSteps) {
    SceneRun run(scene + "method: {time-stepping: {step: " + to_text(h) + "}}\n");
    EXPECT_EQ(run.run_until(t), AdvanceStatus::kReachedEnd) << run.last.message;
    const double x = std::log2(h);
    const double y = std::log2((run.built.state.q - exact.built.state.q).norm());
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  const double n = kSteps.size();
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

constexpr double kFirst = 0.25;  // events fall anywhere in a step, which makes errors irregular

TEST(AnalyticConvergence, OfTheRodBeforeItSlapsDown) {
  const std::string rod =
      "tenpin: 1\nmaterials: {m: {friction: 0.6, restitution: 0}}\nbodies:\n" + kFloor +
      "  - {name: rod, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, material: m, mass: 1,"
      " inertia: 0.002, position: [0, 0, 1], orientation: {axis: [0, -1, 0], degrees: 30},"
      " angular_velocity: [0, -4, 0],"
      " shapes: [{capsule: {radius: 0.05, length: 0.5, axis: x}}]}\n";
  EXPECT_NEAR(calc_order(rod, 0.5), 1.0, kFirst);
}

TEST(AnalyticConvergence, OfBricksThatOverbalance) {
  const std::string bricks =
      "tenpin: 1\nmaterials: {m: {friction: 0, restitution: 0}}\nbodies:\n" + kFloor +
      "  - {name: brick, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, material: m, mass: 1,"
      " position: [0, 0, 0.05], shapes: [{box: {size: [0.4, 0.2, 0.1]}}],"
      " repeat: {stack: 5, spacing: [0.1, 0, 0.1]}}\n";
  EXPECT_NEAR(calc_order(bricks, 0.2), 1.0, kFirst);
}

}  // namespace
}  // namespace tenpin::methods
