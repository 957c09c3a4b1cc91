// Time stepping with the round friction cone.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/check.h"
#include "math/trig.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

constexpr double kG = 9.81;

std::string slide(double degrees, const std::string& solver) {
  const auto [s, c] = sin_cos(degrees * kPi / 180.0);
  return "tenpin: 1\nname: slide\nmaterials: {wood: {friction: 0.3, restitution: 0}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: wood, shapes: [{plane: {}}]}\n"
         "  - {name: block, material: wood, mass: 2, position: [0, 0, 0.05], velocity: [" +
         std::to_string(2.0 * c) + ", " + std::to_string(2.0 * s) +
         ", 0], shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}\n"
         "method: {time-stepping: {step: 0.004166666666666667, order: 1, solver: " +
         solver + "}}\n";
}

// A polyhedral cone bends the path of a sliding block; the round one does not.
TEST(RoundCone, BlockSlidesStraightInEveryDirection) {
  for (const double degrees : {0.0, 11.0, 22.5, 30.0, 77.0}) {
    SceneRun run(slide(degrees, "cone"));
    const Vec3 before = run.twist("block").v.normalized();
    ASSERT_EQ(run.run_until(0.4), AdvanceStatus::kReachedEnd) << run.last.message;
    const Vec3 after = run.twist("block").v;
    EXPECT_LE(before.cross(after).norm() / after.norm(), 1e-9) << degrees;
    EXPECT_NEAR(after.norm(), 2.0 - 0.3 * kG * 0.4, 1e-6) << degrees;
    run.expect_ledger_closes();
  }
}

// Friction is the point of the ellipse that dissipates most, not the one against the slip.
TEST(RoundCone, GrainTurnsFrictionAsTheEllipseSays) {
  constexpr double kStep = 0.004;
  for (const double across : {0.4, 0.02, 0.0}) {
    SceneRun run(
        "tenpin: 1\nname: grain\nmaterials:\n"
        "  ice: {friction: {along: 0.1, across: " +
        std::to_string(across) +
        ", axis: [1, 0, 0]}}\nbodies:\n"
        "  - {name: floor, fixed: true, material: ice, shapes: [{plane: {}}]}\n"
        "  - {name: block, material: ice, mass: 2, position: [0, 0, 0.05], velocity: [1, 1, 0],"
        " shapes: [{box: {size: [0.4, 0.4, 0.1]}}]}\n"
        "method: {time-stepping: {step: 0.004, order: 1, solver: cone}}\n");
    const Vec3 before = run.twist("block").v;
    ASSERT_EQ(run.run_until(kStep), AdvanceStatus::kReachedEnd) << run.last.message;
    const Vec3 after = run.twist("block").v;
    const double along = 0.1;
    const double size = std::hypot(along * after.x(), across * after.y());
    const Vec2 expected =
        -kG * kStep / size * Vec2(along * along * after.x(), across * across * after.y());
    EXPECT_LE(((after - before).head<2>() - expected).norm(), 1e-9) << across;
    EXPECT_LE(run.last.certificate.residual, 1e-8) << across;
  }
}

TEST(RoundCone, BlockStopsAndStays) {
  SceneRun run(slide(22.5, "cone"));
  ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
  const Vec3 at = run.position("block");
  ASSERT_EQ(run.run_until(6.0), AdvanceStatus::kReachedEnd);
  EXPECT_LE((run.position("block") - at).norm(), 1e-9);
}

// Forty contacts, redundant: where pivoting needs luck.
TEST(RoundCone, TowerOfTenRestsInAllFormulations) {
  for (const char* formulation : {"position", "velocity", "nonlinear"}) {
    SceneRun run(
        std::string(
            "tenpin: 1\nname: tower\nmaterials: {wood: {friction: 0.5, restitution: 0}}\nbodies:\n"
            "  - {name: floor, fixed: true, material: wood, shapes: [{plane: {}}]}\n"
            "  - {name: box, material: wood, mass: 1, position: [0, 0, 0.1],"
            " shapes: [{box: {size: [0.2, 0.2, 0.2]}}], repeat: {stack: 10, spacing: 0.2}}\n"
            "method: {time-stepping: {step: 0.004166666666666667, solver: cone, formulation: ") +
        formulation + "}}\n");
    const Vec3 top = run.position("box-10");
    ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_LE((run.position("box-10") - top).norm(), 1e-6) << formulation;
    EXPECT_LE(run.worst_penetration, 1e-6) << formulation;
    run.expect_ledger_closes();
  }
}

TEST(RoundCone, NewtonsRestitutionBouncesTheBall) {
  SceneRun run(
      "tenpin: 1\nname: bounce\nmaterials: {rubber: {friction: 0.5, restitution: 0.8}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: rubber, shapes: [{plane: {}}]}\n"
      "  - {name: ball, material: rubber, mass: 1, position: [0, 0, 0.1], velocity: [0, 0, -3],"
      " shapes: [{sphere: {radius: 0.1}}]}\n"
      "method: {time-stepping: {step: 0.001, order: 1, solver: cone, restitution: newton}}\n");
  ASSERT_EQ(run.run_until(0.001), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(run.twist("ball").v.z(), 0.8 * 3.0, 1e-9);
}

// At rest the spring carries m g: a ball of mobility 1/m sinks in by e g h^2, and says that rigid
// contacts would be another matter.
TEST(Compliance, BallSinksInAsTheSpringSays) {
  constexpr double kStep = 0.004;
  SceneRun run(
      "tenpin: 1\nname: rest\nmaterials: {m: {friction: 0.5, restitution: 0}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
      "  - {name: ball, material: m, mass: 3, position: [0, 0, 0.1],"
      " shapes: [{sphere: {radius: 0.1}}]}\n"
      "method: {time-stepping: {step: 0.004, solver: cone, contact: {compliance: 0.05}}}\n");
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
  const double expected = 0.05 * kG * kStep * kStep;
  EXPECT_NEAR(0.1 - run.position("ball").z(), expected, 1e-6 * expected);
  EXPECT_LE(run.last.certificate.residual, 1e-6);
  EXPECT_GT(run.last.certificate.rigid_residual, 1e-3);
  run.expect_ledger_closes();
}

// N/m of the materials, one after the other where both give way.
TEST(Compliance, SpringsAreAsStiffAsTheMaterialsSay) {
  for (const auto& [floor, stiffness] : {std::pair("rigid", 4e4), std::pair("soft", 1e4)}) {
    SceneRun run(
        std::string("tenpin: 1\nname: rest\nmaterials:\n"
                    "  ball: {friction: 0.5, restitution: 0, stiffness: 4e4}\n"
                    "  soft: {friction: 0.5, restitution: 0, stiffness: 13333.333333333334}\n"
                    "  rigid: {friction: 0.5, restitution: 0}\nbodies:\n"
                    "  - {name: floor, fixed: true, material: ") +
        floor +
        ", shapes: [{plane: {}}]}\n"
        "  - {name: ball, material: ball, mass: 3, position: [0, 0, 0.1],"
        " shapes: [{sphere: {radius: 0.1}}]}\n"
        "  - {name: hard, material: rigid, mass: 3, position: [1, 0, 0.1],"
        " shapes: [{sphere: {radius: 0.1}}]}\n"
        "method: {time-stepping: {step: 0.004, solver: cone, contact: springs}}\n");
    ASSERT_EQ(run.run_until(5.0), AdvanceStatus::kReachedEnd) << run.last.message;
    const double expected = 3.0 * kG / stiffness;
    EXPECT_NEAR(0.1 - run.position("ball").z(), expected, 1e-6 * expected) << floor;
    const double of_hard = std::string(floor) == "rigid" ? 0.0 : 3.0 * kG / 13333.333333333334;
    EXPECT_NEAR(0.1 - run.position("hard").z(), of_hard, 1e-9) << floor;
    run.expect_ledger_closes();
  }
}

// The spring along the surface remembers: nothing creeps down a ramp that friction can hold.
TEST(Compliance, BlockOnARampDoesNotCreep) {
  SceneRun run(
      "tenpin: 1\nname: ramp\ngravity: [2.5390, 0, -9.4757]\n"
      "materials: {m: {friction: 0.271, restitution: 0}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
      "  - {name: block, material: m, mass: 1, position: [0, 0, 0.1],"
      " shapes: [{box: {size: [0.3, 0.3, 0.2]}}]}\n"
      "method: {time-stepping: {step: 0.004, solver: cone, contact: {compliance: 0.03}}}\n");
  ASSERT_EQ(run.run_until(3.0), AdvanceStatus::kReachedEnd) << run.last.message;
  const Vec3 at = run.position("block");
  ASSERT_EQ(run.run_until(10.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE((run.position("block") - at).norm(), 1e-7);
}

// A heap that pivoting would never get through.
TEST(Compliance, HeapOfBallsIsCertifiedAtEveryStep) {
  SceneRun run(
      "tenpin: 1\nname: heap\nseed: 3\nmaterials: {m: {friction: 0.4, restitution: 0}}\nbodies:\n"
      "  - {name: bin, fixed: true, material: m, shapes: [{plane: {}},"
      " {plane: {normal: [1, 0, 0], offset: -0.25}}, {plane: {normal: [-1, 0, 0], offset: -0.25}},"
      " {plane: {normal: [0, 1, 0], offset: -0.25}}, {plane: {normal: [0, -1, 0], offset: "
      "-0.25}}]}\n"
      "  - {name: ball, material: m, mass: 1, position: [-0.16, -0.16, 0.1],"
      " shapes: [{sphere: {radius: 0.05}}],"
      " repeat: {grid: [4, 4, 6], spacing: 0.105, jitter: 0.002}}\n"
      "method: {time-stepping: {step: 0.004, solver: cone, contact: {compliance: 0.03}}}\n");
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE(run.worst_residual, 1e-6);
  EXPECT_GT(run.last.num_active, 150);
  EXPECT_LT(run.work[contact::Ledger::kFriction], 0.0);
  run.expect_ledger_closes();
}

std::string pyramid(const std::string& model) {
  std::string text =
      "tenpin: 1\nname: pyramid\nmaterials: {m: {friction: 0.5, restitution: 0}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n";
  constexpr int kRows = 6;
  for (int row = 0; row < kRows; ++row) {
    const int count = kRows - row;
    text +=
        "  - {name: row" + std::to_string(row) + ", material: m, mass: 1, position: [" +
        std::to_string(-0.11 * (count - 1)) + ", 0, " + std::to_string(0.1 + 0.2 * row) +
        "], shapes: [{box: {size: [0.2, 0.2, 0.2]}}], repeat: {stack: " + std::to_string(count) +
        ", spacing: [0.22, 0, 0]}}\n";
  }
  return text +
         "method: {time-stepping: {step: 0.004166666666666667, solver: cone, contact: " + model +
         "}}\n";
}

// Rounding decides which features of equal boxes meet. A contact that is called otherwise than in
// the step before keeps its memory all the same, or the pyramid would never come to rest.
TEST(Compliance, PyramidOfBoxesComesToRest) {
  SceneRun run(pyramid("{compliance: 0.03}"));
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
  const VecX q = run.built.state.q;
  ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE((run.built.state.q - q).lpNorm<Eigen::Infinity>(), 1e-7);
  EXPECT_LE(run.built.state.v.lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_LE(run.worst_residual, 1e-6);
}

// All that touches takes part from the first step on, and what rests costs a few systems at most.
TEST(RoundCone, PyramidOfBoxesRestsAtOnce) {
  SceneRun run(pyramid("rigid"));
  ASSERT_EQ(run.run_until(0.004), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_EQ(run.last.num_active, 144);
  EXPECT_EQ(run.last.solves, 1);
  ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE(run.last.pivots, 5);
  EXPECT_LE(run.built.state.v.lpNorm<Eigen::Infinity>(), 1e-8);
}

TEST(Compliance, NeedsTheRoundConeAndTheGap) {
  for (const char* options : {"solver: lemke", "solver: cone, formulation: velocity"}) {
    EXPECT_THROW(SceneRun(std::string("tenpin: 1\nname: no\nbodies: []\nmethod: {time-stepping: {"
                                      "contact: {compliance: 0.03}, ") +
                          options + "}}\n"),
                 InputError)
        << options;
  }
}

}  // namespace
}  // namespace tenpin::methods
