// What happens in a bowl, under every method: shapes come to rest in it, and a ball rolls round.
#include <gtest/gtest.h>

#include <string>

#include "base/check.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::Ledger;
using test::SceneRun;

std::string in_bowl(const std::string& body, const std::string& method,
                    const std::string& material = "friction: 1, restitution: 0") {
  return "tenpin: 1\nname: bowl\nmaterials: {m: {" + material +
         "}}\nbodies:\n"
         "  - {name: bowl, fixed: true, material: m, shapes: [{bowl: {radius: 1}}]}\n"
         "  - {name: it, material: m, mass: 1, " +
         body + "}\nmethod: {" + method + "}\n";
}

// Rolls without slipping, 0.6 rad beside the bottom.
const char* const kRolling =
    "position: [0.50817822605553184, 0, -0.74280205341871053], velocity: [0, 1, 0],"
    " angular_velocity: [-8.2533561490967829, 0, -5.6464247339503537],"
    " shapes: [{sphere: {radius: 0.1}}]";

Vec3 roll(const std::string& method, double until) {
  SceneRun run(in_bowl(kRolling, method));
  EXPECT_EQ(run.run_until(until), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE(run.worst_penetration, 1e-9);
  run.expect_ledger_closes();
  return run.position("it");
}

// The event-driven method shares no step with the other: both must find the same motion.
TEST(Bowl, RollingBallMovesAlikeByStepsAndByEvents) {
  const Vec3 exact = roll("analytic: {}", 3.0);
  const std::string fine = "time-stepping: {step: 0.0025, order: 2, solver: cone}";
  const std::string coarse = "time-stepping: {step: 0.01, order: 2, solver: cone}";
  const double error = (roll(fine, 3.0) - exact).norm();
  EXPECT_LE(error, 1e-4);
  EXPECT_GE((roll(coarse, 3.0) - exact).norm() / error, 14.0);  // 16 for the second order
}

// A ball that rolls loses nothing; what the scheme errs by goes to and fro.
TEST(Bowl, RollingBallKeepsItsEnergy) {
  for (const char* solver : {"cone", "lemke"}) {
    SceneRun run(in_bowl(kRolling, std::string("time-stepping: {step: 0.004166666666666667, order: "
                                               "2, solver: ") +
                                       solver + "}"));
    double start = 0.0;
    run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
      if (start == 0.0) start = report.ledger.total();
      EXPECT_NEAR(report.ledger.total(), start, 1e-5);
    };
    ASSERT_EQ(run.run_until(5.0), AdvanceStatus::kReachedEnd);
    EXPECT_NEAR(run.work[Ledger::kFriction], 0.0, 1e-9);
  }
}

// Corners, rims and caps: each shape slides and rolls down, none goes through the wall or gains
// energy, and what does not roll comes to rest on all its points.
TEST(Bowl, EveryShapeIsHeld) {
  struct Thing {
    const char* shape;
    bool rolls;
  };
  for (const Thing& thing :
       {Thing{"sphere: {radius: 0.2}", true}, Thing{"box: {size: [0.4, 0.3, 0.2]}", false},
        Thing{"capsule: {radius: 0.1, length: 0.4, axis: x}", true},
        Thing{"cylinder: {radius: 0.3, length: 0.1}", true},  // round its rim

        Thing{"cylinder: {radius: 0.1, length: 0.5, axis: y}", true},
        Thing{"polyhedron: {points: [[0.3, 0, -0.1], [-0.2, 0.2, -0.1], [-0.2, -0.2, -0.1],"
              " [0, 0, 0.2]]}",
              false}}) {
    for (const char* order : {"1, formulation: position", "2"}) {
      SceneRun run(
          in_bowl(std::string("position: [0.3, 0.1, -0.4], inertia: [0.02, 0.02, 0.02],"
                              " shapes: [{") +
                      thing.shape + "}]",
                  std::string("time-stepping: {step: 0.005, solver: cone, order: ") + order + "}",
                  "friction: 0.4, restitution: 0"));
      double start = -1e300;
      run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
        if (start < -1e299) start = report.ledger.total();
        EXPECT_LE(report.ledger.total(), start + 1e-9);
      };
      ASSERT_EQ(run.run_until(6.0), AdvanceStatus::kReachedEnd) << thing.shape << run.last.message;
      EXPECT_LE(run.worst_residual, 1e-6) << thing.shape << order;
      EXPECT_LE(run.position("it").norm(), 1.0) << thing.shape << order;
      if (!thing.rolls) {
        EXPECT_LE(run.built.state.v.norm(), 1e-6) << thing.shape << order;
      }
      run.expect_ledger_closes();
    }
  }
}

// A dish that turns carries the ball with it.
TEST(Bowl, PrescribedMotionMovesIt) {
  SceneRun run(
      "tenpin: 1\nname: bowl\nmaterials: {m: {friction: 1, restitution: 0}}\nbodies:\n"
      "  - {name: bowl, motion: {angular_velocity: [0, 0, 3]}, material: m,"
      " shapes: [{bowl: {radius: 1}}]}\n"
      "  - {name: it, material: m, mass: 1, position: [0.3, 0, -0.84852813742385702],"
      " shapes: [{sphere: {radius: 0.1}}]}\n"
      "method: {time-stepping: {step: 0.005, order: 2, solver: cone}}\n");
  ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_GT(run.work[Ledger::kPrescribed], 1e-3);
  EXPECT_EQ(run.work[Ledger::kApplied], 0.0);
  EXPECT_LE(run.worst_penetration, 1e-9);
  run.expect_ledger_closes();
}

TEST(Bowl, PenaltyHoldsABall) {
  SceneRun run(in_bowl("position: [0.2, 0, -0.87], shapes: [{sphere: {radius: 0.1}}]",
                       "penalty: {}", "friction: 0, restitution: 0"));
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
  EXPECT_LE(run.worst_penetration, 1e-2);
}

TEST(Bowl, ImpulseRefusesItByName) {
  try {
    const SceneRun run(in_bowl(kRolling, "impulse: {}"));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the bowl of bowl"), std::string::npos);
  }
}

}  // namespace
}  // namespace tenpin::methods
