// Time stepping of second order: convergence, impacts, rest, ledger, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/check.h"
#include "math/trig.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::Ledger;
using test::SceneRun;

constexpr double kG = 9.81;

std::string stepping(double h, const std::string& options) {
  return "method: {time-stepping: {step: " + std::to_string(h) + ", " + options + "}}\n";
}

// A ball rolls on a turning platter: its centre circles at 2/7 of the platter's rate, round
// (0.125, 0) with radius 0.175.
std::string platter(double h, const std::string& options) {
  return "tenpin: 1\nname: platter\nmaterials: {rubber: {friction: 0.9, restitution: 0}}\nbodies:\n"
         "  - {name: platter, motion: {angular_velocity: [0, 0, 4]}, material: rubber,"
         " shapes: [{plane: {}}]}\n"
         "  - {name: ball, material: rubber, mass: 1, position: [0.3, 0, 0.1],"
         " velocity: [0, 0.2, 0], angular_velocity: [10, 0, 0], shapes: [{sphere: {radius: "
         "0.1}}]}\n" +
         stepping(h, options);
}

TEST(SecondOrder, BallOnAPlatterDoesNotSpiral) {
  for (const char* options : {"order: 2, solver: cone", "order: 2, solver: lemke"}) {
    SceneRun run(platter(1.0 / 240.0, options));
    ASSERT_EQ(run.run_until(2.0 * kPi / (2.0 / 7.0 * 4.0)), AdvanceStatus::kReachedEnd);
    const Vec3 arm = run.position("ball") - Vec3(0.125, 0.0, 0.1);
    EXPECT_NEAR(arm.norm(), 0.175, 2e-7) << options;
    EXPECT_NEAR(arm.y() / 0.175, 0.0, 1e-5 * 2.0 * kPi) << options;
    EXPECT_EQ(run.last.solves, 2);  // the law's, and once more where the first one led to
    run.expect_ledger_closes();
  }
}

// A ball that cannot turn slides on the platter, and its slip turns.
std::string puck(double h, const std::string& options) {
  return "tenpin: 1\nname: puck\nmaterials: {ice: {friction: 0.2, restitution: 0}}\nbodies:\n"
         "  - {name: platter, motion: {angular_velocity: [0, 0, 4]}, material: ice,"
         " shapes: [{plane: {}}]}\n"
         "  - {name: puck, material: ice, mass: 1, inertia: [1e6, 1e6, 1e6],"
         " position: [0.3, 0, 0.1], velocity: [1, 0, 0], shapes: [{sphere: {radius: 0.1}}]}\n" +
         stepping(h, options);
}

Vec3 slide_puck(double h, const std::string& options) {
  SceneRun run(puck(h, options));
  EXPECT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd);
  run.expect_ledger_closes();
  return run.position("puck");
}

TEST(SecondOrder, TurningSlipConvergesWithTheSquareOfTheStep) {
  const Vec3 limit = slide_puck(1.0 / 1600.0, "order: 2, solver: cone");
  const double coarse = (slide_puck(0.02, "order: 2, solver: cone") - limit).norm();
  const double fine = (slide_puck(0.005, "order: 2, solver: cone") - limit).norm();
  EXPECT_GE(std::log2(coarse / fine) / 2.0, 1.9);
  EXPECT_LE(coarse, 0.05 * (slide_puck(0.02, "order: 1, solver: cone") - limit).norm());
}

// In free fall the parabola of the gap is exact, and so are the times and heights of bounces.
TEST(SecondOrder, BouncesReachTheirHeights) {
  for (const double e : {0.8, 1.0}) {
    SceneRun run("tenpin: 1\nname: bounce\nmaterials: {rubber: {friction: 0, restitution: " +
                 std::to_string(e) +
                 "}}\nbodies:\n"
                 "  - {name: floor, fixed: true, material: rubber, shapes: [{plane: {}}]}\n"
                 "  - {name: ball, material: rubber, mass: 1, position: [0, 0, 1.1],"
                 " shapes: [{sphere: {radius: 0.1}}]}\n" +
                 stepping(1.0 / 240.0, "order: 2, solver: lemke, restitution: newton"));
    double energy = kG * 1.1;
    std::int64_t impacts = 0;
    run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
      impacts += report.division.impacts;
      if (report.division.impacts > 0) energy = kG * 0.1 + (energy - kG * 0.1) * e * e;
      EXPECT_NEAR(report.ledger.total(), energy, 1e-12 * kG);
    };
    ASSERT_EQ(run.run_until(2.9), AdvanceStatus::kReachedEnd);
    EXPECT_GE(impacts, 3);
    run.expect_ledger_closes();
  }
}

// Two balls reach the floor within one step, then each other: one after the other, in order.
TEST(SecondOrder, SeveralImpactsOfOneStepComeInTheirOrder) {
  SceneRun run(
      "tenpin: 1\nname: two\ngravity: [0, 0, 0]\nmaterials: {m: {friction: 0, restitution: 1}}\n"
      "bodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
      "  - {name: low, material: m, mass: 1, position: [0, 0, 0.11], velocity: [0, 0, -10],"
      " shapes: [{sphere: {radius: 0.1}}]}\n"
      "  - {name: high, material: m, mass: 1, position: [0, 0, 0.35], velocity: [0, 0, -10],"
      " shapes: [{sphere: {radius: 0.1}}]}\n" +
      stepping(0.01, "order: 2, solver: lemke, restitution: newton"));
  ASSERT_EQ(run.run_until(0.01), AdvanceStatus::kReachedEnd) << run.last.message;
  // Floor at 1 ms, then low goes up and they swap at 3 ms, then low meets the floor again at 5 ms.
  EXPECT_EQ(run.last.division.impacts, 3);
  EXPECT_NEAR(run.twist("high").v.z(), 10.0, 1e-12);
  EXPECT_NEAR(run.twist("low").v.z(), 10.0, 1e-12);
  EXPECT_NEAR(run.position("high").z(), 0.32 + 0.07, 1e-12);
  EXPECT_NEAR(run.position("low").z(), 0.1 + 0.05, 1e-12);
  EXPECT_EQ(run.last.division.late, 0);
}

TEST(SecondOrder, StackRestsExactly) {
  SceneRun run(
      "tenpin: 1\nname: stack\nmaterials: {wood: {friction: 0.5, restitution: 0}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: wood, shapes: [{plane: {}}]}\n"
      "  - {name: box, material: wood, mass: 1, position: [0, 0, 0.1],"
      " shapes: [{box: {size: [0.2, 0.2, 0.2]}}], repeat: {stack: 3, spacing: 0.2}}\n" +
      stepping(0.004, "order: 2, solver: lemke"));
  run.watch = [&](const StepReport& report, auto /*contacts*/, const dynamics::State& state) {
    EXPECT_LE(state.v.lpNorm<Eigen::Infinity>(), 1e-12);
    EXPECT_EQ(report.division.impacts, 0);
  };
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(run.position("box-3").z(), 0.5, 1e-12);
}

std::string hill(double h) {
  return "tenpin: 1\nname: hill\nmaterials: {rubber: {friction: 3, restitution: 0}}\nbodies:\n"
         "  - {name: hill, fixed: true, material: rubber, shapes: [{sphere: {radius: 1}}]}\n"
         "  - {name: ball, material: rubber, mass: 1, position: [0, 0, 1.1], velocity: [0.8, 0.3, "
         "0],"
         " angular_velocity: [-3, 8, 0], shapes: [{sphere: {radius: 0.1}}]}\n" +
         stepping(h, "order: 2, solver: cone");
}

// On curved contacts the scheme makes an energy error of its own: of second order, shown as such
// and not as friction, which does no work on a ball that rolls.
TEST(SecondOrder, LedgerShowsTheSchemesOwnError) {
  std::vector<double> errors;
  for (const double h : {0.01, 0.005}) {
    SceneRun run(hill(h));
    ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd);
    run.expect_ledger_closes();
    EXPECT_LE(run.worst_penetration, 1e-12);
    EXPECT_LE(std::fabs(run.work[Ledger::kFriction]), 1e-9);
    errors.push_back(std::fabs(run.work[Ledger::kScheme] + run.work[Ledger::kProjection]));
  }
  EXPECT_GT(errors[1], 1e-8);
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.4);
}

const char* const kRod =
    "tenpin: 1\nname: rod\nmaterials: {wood: {friction: 0.6, restitution: 0}}\nbodies:\n"
    "  - {name: table, fixed: true, material: wood, shapes: [{plane: {}}]}\n"
    "  - {name: rod, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, material: wood, mass: 1,"
    " inertia: 0.002, position: [0, 0, 1], orientation: {axis: [0, -1, 0], degrees: 30},"
    " angular_velocity: [0, -4, 0], shapes: [{capsule: {radius: 0.05, length: 0.5, axis: x}}]}\n";

// [ST00, §5]: the limit of the rod's motion is known, and this step is sixteen times the paper's.
TEST(SecondOrder, RodEndsWhereTheLimitDoes) {
  constexpr double kLimit = -0.2273599826983706;
  SceneRun coarse(kRod + stepping(0.04, "order: 2, solver: lemke"));
  ASSERT_EQ(coarse.run_until(1.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(coarse.position("rod").x(), kLimit, 5e-3);
  SceneRun fine(kRod + stepping(0.0025, "order: 2, solver: lemke"));
  ASSERT_EQ(fine.run_until(1.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(fine.position("rod").x(), kLimit, 1e-4);
  fine.expect_ledger_closes();
}

// Everything that the next step needs is in the state.
TEST(SecondOrder, RunThatIsTakenUpGoesOnBitByBit) {
  const std::string scene = kRod + stepping(0.0025, "order: 2, solver: lemke");
  SceneRun whole(scene);
  ASSERT_EQ(whole.run_until(0.7), AdvanceStatus::kReachedEnd);
  SceneRun first(scene);
  ASSERT_EQ(first.run_until(0.45), AdvanceStatus::kReachedEnd);
  SceneRun second(scene);
  second.built.state = first.built.state;
  ASSERT_EQ(second.run_until(0.7), AdvanceStatus::kReachedEnd);
  EXPECT_EQ(whole.built.state.q, second.built.state.q);
  EXPECT_EQ(whole.built.state.v, second.built.state.v);
}

// Newton's law with friction can gain energy: a leaning rod that bounces off its tip. It is caught.
TEST(SecondOrder, GuardKeepsImpactsFromGainingEnergy) {
  std::int64_t guarded = 0;
  for (int i = 0; i < 60; ++i) {
    const double degrees = 20.0 + i;
    SceneRun run(
        "tenpin: 1\nname: lean\nmaterials: {m: {friction: 1, restitution: 0.95}}\nbodies:\n"
        "  - {name: table, fixed: true, material: m, shapes: [{plane: {}}]}\n"
        "  - {name: rod, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, material: m, mass: 1,"
        " inertia: 0.02, position: [0, 0, 0.4], orientation: {axis: [0, -1, 0], degrees: " +
        std::to_string(degrees) +
        "}, velocity: [-2, 0, -1], shapes: [{capsule: {radius: 0.02, length: 0.6, axis: x}}]}\n" +
        stepping(0.005, "order: 2, solver: lemke, restitution: newton"));
    double before = 1e300;
    run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
      guarded += report.guarded;
      const double own =
          report.ledger.work[Ledger::kScheme] + report.ledger.work[Ledger::kProjection];
      EXPECT_LE(report.ledger.total(), before + std::max(own, 0.0) + 1e-12);
      before = report.ledger.total();
    };
    ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << degrees;
  }
  EXPECT_GT(guarded, 0);
}

std::string pendulum(double h, const std::string& limits) {
  const std::string link =
      ", material: m, mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.001, 0.0833, 0.0833],"
      " shapes: [{capsule: {radius: 0.01, length: 0.96, axis: x}, position: [0.5, 0, 0]}]}\n";
  return "tenpin: 1\nname: pendulum\nmaterials: {m: {friction: 0.3, restitution: 0}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
         "  - {name: support, fixed: true, position: [0, 0, 1.9]}\n"
         "  - {name: upper, parent: support, joint: {hinge: {axis: [0, -1, 0], at: -0.5" +
         limits + "}}" + link +
         "  - {name: lower, parent: upper, position: [1, 0, 0],"
         " joint: {hinge: {axis: [0, -1, 0], at: -0.5}}" +
         link + stepping(h, "order: 2, solver: lemke");
}

// Contacts on links, impacts and rest; the same motion whatever the step.
TEST(SecondOrder, DoublePendulumFallsOnTheFloorAndRests) {
  std::vector<Vec3> ends;
  for (const double h : {0.004, 0.002, 0.001}) {
    SceneRun run(pendulum(h, ""));
    ASSERT_EQ(run.run_until(3.0), AdvanceStatus::kReachedEnd) << run.last.message;
    ends.push_back(run.position("lower"));
    EXPECT_LE(run.built.state.v.norm(), 1e-9) << h;
    EXPECT_LE(run.worst_penetration, 1e-9) << h;
    run.expect_ledger_closes();
  }
  EXPECT_LE((ends[1] - ends[2]).norm(), 0.4 * (ends[0] - ends[2]).norm());
}

// A stop is a contact: reached at the time that the exact swing says, and held without overlap.
TEST(SecondOrder, JointStopsWhereItsLimitIs) {
  SceneRun run(pendulum(0.005, ", limits: [-1.2, 0.3]"));
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE(run.worst_penetration, 1e-9);
  run.expect_ledger_closes();
}

TEST(SecondOrder, WhatItCannotDoIsRefusedByName) {
  const auto refusal = [](const std::string& options) -> std::string {
    try {
      const SceneRun run(platter(0.01, options));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("order: 2, formulation: velocity").find("formulation"), std::string::npos);
  EXPECT_NE(refusal("order: 2, lever: printed").find("printed lever"), std::string::npos);
  EXPECT_NE(refusal("order: 2, active_set: all").find("active_set"), std::string::npos);
  EXPECT_NE(refusal("order: 2, solver: cone, contact: {compliance: 0.1}").find("compliant"),
            std::string::npos);
  EXPECT_EQ(refusal("order: 2"), "");
}

}  // namespace
}  // namespace tenpin::methods
