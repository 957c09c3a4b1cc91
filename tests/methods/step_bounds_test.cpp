// Steps of first order, and of trees, are bounded by their own error and taken again where it is
// larger: coins on their rims, joints that hit their stops.
#include "methods/time_stepping/step_bounds.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;
using time_stepping::allow_gain;
using time_stepping::EnergyScale;
using time_stepping::OwnError;

constexpr double kRadius = 0.1;  // m   of the coins

std::string coin(double degrees, const std::string& spin) {
  return "tenpin: 1\nname: coin\nmaterials: {m: {friction: 0.3, restitution: 0}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
         "  - {name: coin, material: m, mass: 1, position: [0, 0, 0.15], orientation: {axis: [1, "
         "0, "
         "0], degrees: " +
         std::to_string(degrees) + "}, velocity: [0.5, 0.2, 0], angular_velocity: " + spin +
         ", shapes: [{cylinder: {radius: 0.1, length: 0.01}}]}\n";
}

std::vector<std::string> make_coins() {
  return {coin(40.0, "[1, 2, 12]"), coin(70.0, "[8, -3, 4]"), coin(15.0, "[0, 5, 20]")};
}

constexpr std::array<const char*, 3> kFirstOrder = {
    "method: {time-stepping: {order: 1, solver: cone}}\n",
    "method: {time-stepping: {order: 1, solver: lemke}}\n",
    "method: {time-stepping: {formulation: velocity}}\n",
};

// J   Runs, and returns the largest gain of a step, over the kinetic energy around it; steps that
// gain less than a lift by 1e-5 of `weight` times metre, J, gain nothing.
double find_largest_gain(double until, double weight, SceneRun* run) {
  double worst = 0.0;
  double before = std::numeric_limits<double>::infinity();
  double kinetic_before = 0.0;
  run->watch = [&](const StepReport& report, auto, const auto&) {
    const double gain = report.ledger.total() - before - 1e-5 * weight;
    worst = std::max(worst, gain / std::max(kinetic_before, report.ledger.kinetic));
    before = report.ledger.total();
    kinetic_before = report.ledger.kinetic;
  };
  EXPECT_EQ(run->run_until(until), AdvanceStatus::kReachedEnd) << run->last.message;
  return worst;
}

// The printed scheme gains up to 100 % in a step at a rim.
TEST(StepBounds, CoinsGainNothingAtFirstOrder) {
  for (const char* method : kFirstOrder) {
    for (const std::string& scene : make_coins()) {
      SceneRun run(scene + method);
      EXPECT_LE(find_largest_gain(1.0, 9.81 * kRadius, &run), 5e-3) << method << scene;
    }
  }
}

// A rim that turns within a step sinks in by more than 1 % of the thin side.
TEST(StepBounds, CoinsDoNotSinkInAtFirstOrder) {
  for (const char* method : kFirstOrder) {
    for (const std::string& scene : make_coins()) {
      SceneRun run(scene + method);
      ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
      EXPECT_LE(run.worst_penetration, 0.01 * 0.005) << method << scene;
    }
  }
}

// A scene that asks for the printed scheme gets it, energy gains included.
TEST(StepBounds, PrintedSchemeIsLeftAlone) {
  SceneRun run(make_coins()[1] +
               "method: {time-stepping: {formulation: velocity, projection: false}}\n");
  int retries = 0;
  run.watch = [&](const StepReport& report, auto, const auto&) {
    retries += report.retries;
  };
  (void)run.run_until(1.0);
  EXPECT_EQ(retries, 0);
}

// Bodies without shapes had no size, so that their stops allowed no rounding: steps were taken
// again without end, or failed.
TEST(StepBounds, BodiesWithoutShapesRestOnTheirStops) {
  const std::string scene =
      "tenpin: 1\nbodies:\n  - {name: cart, mass: 4, joint: {slider: {axis: [0, 0, 1], at: 0, "
      "limits: [0, 1]}}, inertia: [0.01, 0.01, 0.01]}\n  - {name: arm, mass: 1, parent: cart, "
      "joint: {hinge: {axis: [0, 1, 0], at: 0.2}}, center_of_mass: [0.3, 0, 0], inertia: [0.01, "
      "0.01, 0.01]}\n";
  for (const char* method : {"{order: 1}", "{order: 2}", "{solver: lemke}"}) {
    SceneRun run(scene + "method: {time-stepping: " + method + "}\n");
    int retries = 0;
    run.watch = [&](const StepReport& report, std::span<const contact::ContactRecord>,
                    const dynamics::State&) {
      retries += report.retries;
    };
    EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << method << run.last.message;
    EXPECT_EQ(retries, 0) << method;
    EXPECT_LE(run.worst_penetration, 5e-5) << method;  // order 1: its own error, h^2
  }
}

// A disc on a ball joint and a dumbbell that slides on it: at the stop of the joint, a step of
// second order gained 7 %.
TEST(StepBounds, TreesGainNothingAtTheirStops) {
  const std::string scene =
      "tenpin: 1\nname: stop\nmaterials: {m: {friction: 0.3, restitution: 0}}\nbodies:\n"
      "  - {name: disc, material: m, mass: 0.11935942165408327, joint: {ball: {anchor: [0, 0, "
      "0.04949424994451754], limit: 0.4747891519309807}}, position: [0, 0, 1], orientation: "
      "[0.07501232765882403, -0.42756003064176673, 0.6605787478990777, -0.6125367651993663], "
      "shapes: [{cylinder: {radius: 0.04941504800602072, length: 0.005597788182145331, axis: "
      "y}}]}\n"
      "  - {name: slider, parent: disc, material: m, mass: 0.2506123871213042, position: [0, 0, "
      "-0.09866618280743301], joint: {slider: {axis: [-0.8793263918030232, -0.35776240204207915, "
      "-0.314310611280876], rate: -0.18320707635140052}}, shapes: [{capsule: {radius: "
      "0.004941504800602073, length: 0.04941504800602072, axis: x}}, {sphere: {radius: "
      "0.01976601920240829}, position: [0.02470752400301036, 0, 0]}, {sphere: {radius: "
      "0.01976601920240829}, position: [-0.02470752400301036, 0, 0]}]}\n";
  for (const char* solver : {"cone", "lemke"}) {
    SceneRun run(scene + "method: {time-stepping: {order: 2, solver: " + solver + "}}\n");
    EXPECT_LE(find_largest_gain(0.3, 9.81 * 0.02, &run), 5e-3) << solver;
  }
}

TEST(StepBounds, ShorterPartsMayGainLess) {
  const EnergyScale scale{.kinetic = 1.0, .weight = 0.0, .rounding = 0.0};
  const double whole = allow_gain(scale, 1.0, OwnError::kBounded);
  const double quarter = allow_gain(scale, 0.25, OwnError::kBounded);
  EXPECT_LT(quarter, whole);
  EXPECT_GT(4.0 * quarter, whole);
  EXPECT_GT(allow_gain(scale, 0.25, OwnError::kAccepted), whole);
}

// The shortest parts of a step share what one of them may gain.
TEST(StepBounds, PartsShareTheirGain) {
  const EnergyScale scale{.kinetic = 2.0, .weight = 1.0, .rounding = 1e-9};
  const double most = allow_gain(scale, 1.0, OwnError::kAccepted);
  const std::array<int, 2> both = {0, 2};
  const std::array<int, 1> one = {2};
  time_stepping::GainBudget budget;
  EXPECT_LT(budget.calc_excess(both, 0.7 * most, scale), 0.0);
  budget.discard();  // the attempt failed
  EXPECT_LT(budget.calc_excess(both, 0.6 * most, scale), 0.0);
  budget.accept();
  EXPECT_LT(budget.calc_excess(one, 0.3 * most, scale), 0.0);
  budget.accept();
  EXPECT_GT(budget.calc_excess(one, 0.3 * most, scale), 0.0);
  budget.discard();
  EXPECT_LT(budget.calc_excess(std::array<int, 1>{1}, 0.9 * most, scale), 0.0);
  budget.discard();
  budget.restart();
  EXPECT_LT(budget.calc_excess(both, 0.9 * most, scale), 0.0);
}

}  // namespace
}  // namespace tenpin::methods
