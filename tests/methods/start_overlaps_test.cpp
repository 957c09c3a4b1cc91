// Bodies that overlap at time 0, and joints past their stops.
#include "methods/start_overlaps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/check.h"
#include "dynamics/kinematics.h"
#include "dynamics/loops.h"
#include "methods/separate_bodies.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;
using Overlaps = scene::Start::Overlaps;

constexpr double kG = 9.81;
constexpr double kPlace = 2e-9;  // m   what counts as touching, twice

const std::string kFloor = "  - {name: floor, fixed: true, shapes: [{plane: {}}]}\n";
const std::string kSunkBox =
    "tenpin: 1\nname: sunk\nbodies:\n" + kFloor +
    "  - {name: box, mass: 2, position: [0, 0, 0.098], shapes: [{box: {half: [0.1, 0.1, 0.1]}}]}\n";

std::string by(const std::string& settings) {
  return "method: {time-stepping: {" + settings + "}}\n";
}

// Treats the overlaps of a run that has not begun. The method is made again after that.
StartReport start(SceneRun* run, Overlaps how = Overlaps::kResolve) {
  StartReport report = treat_start_overlaps(how, &run->built.model, &run->built.state);
  run->method = make_method(run->built.model, run->scene.method, 1);
  return report;
}

double calc_deepest(const SceneRun& run) {
  double deepest = 0.0;
  for (const contact::Contact& c : find_overlapping(run.built.model, run.built.state.q)) {
    deepest = std::max(deepest, -c.gap);
  }
  return deepest;
}

TEST(StartOverlaps, ABoxInTheFloorIsLiftedByItsDepth) {
  SceneRun run(kSunkBox + by("order: 1"));
  const StartReport report = start(&run);
  ASSERT_EQ(report.overlaps.size(), 1U);
  EXPECT_NEAR(report.overlaps[0].depth, 0.002, 1e-12);
  EXPECT_EQ(report.overlaps[0].left, 0.0);
  EXPECT_NEAR(report.energy_change, 2.0 * kG * 0.002, 1e-7);
  EXPECT_NEAR(report.largest_motion, 0.002, kPlace);
  EXPECT_LE((run.position("box") - Vec3(0.0, 0.0, 0.1)).norm(), kPlace);
  double highest = 0.0;
  run.watch = [&](const StepReport&, auto, const dynamics::State& state) {
    highest = std::max(highest, state.q[2]);
  };
  ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd);
  EXPECT_LE(highest, 0.1 + 1e-6);  // it jumped by 5 cm
}

// Each moves by its share of the mass, along the line of centres.
TEST(StartOverlaps, TwoBallsPartByTheLeastMotion) {
  SceneRun run(
      "tenpin: 1\nname: balls\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: a, mass: 1, position: [0, 0, 0], shapes: [{sphere: {radius: 0.5}}]}\n"
      "  - {name: b, mass: 3, position: [0.48, 0.64, 0], shapes: [{sphere: {radius: 0.5}}]}\n" +
      by(""));
  const StartReport report = start(&run);
  const Vec3 along(0.6, 0.8, 0.0);
  EXPECT_LE((run.position("a") + 0.15 * along).norm(), kPlace);
  EXPECT_LE((run.position("b") - 0.85 * along).norm(), kPlace);
}

// The conditions of the least motion where the box has come to: M d = J'p with p along the normal
// at the corner, whose lever has changed on the way.
TEST(StartOverlaps, ATiltedBoxTurnsAndRisesAsTheLeastMotionDoes) {
  SceneRun run(
      "tenpin: 1\nname: tilted\nbodies:\n" + kFloor +
      "  - {name: box, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, mass: 2, inertia: 0.1,"
      " position: [0, 0, 0.2], orientation: {axis: [0, -1, 0], degrees: 20},"
      " shapes: [{box: {half: [0.5, 0.1, 0.1]}}]}\n" +
      by(""));
  const StartReport report = start(&run);
  ASSERT_EQ(report.overlaps.size(), 1U);
  EXPECT_GT(report.overlaps[0].depth, 0.05);
  EXPECT_LE(calc_deepest(run), kLeastOverlap);
  const VecX& q = run.built.state.q;  // x, z and the angle from the drawn pose
  const Pose X = run.pose("box");
  const double angle = std::atan2(X.R(2, 0), X.R(0, 0));
  const double turn = angle - 20.0 * M_PI / 180.0;
  const double lever = -0.5 * std::cos(angle) + 0.1 * std::sin(angle);  // m   of the lowest corner
  const double rise = X.p.z() - 0.2;
  EXPECT_NEAR(X.p.x(), 0.0, 1e-7);
  EXPECT_NEAR(0.1 * turn, 2.0 * rise * lever, 1e-6);
  EXPECT_NEAR(-0.5 * std::sin(angle) - 0.1 * std::cos(angle) + X.p.z(), 0.0, kPlace);
  EXPECT_TRUE(q.allFinite());
}

TEST(StartOverlaps, ALinkSwingsAboutItsHinge) {
  SceneRun run(
      "tenpin: 1\nname: link\nbodies:\n" + kFloor +
      "  - {name: arm, joint: {hinge: {axis: [0, -1, 0]}}, mass: 1, inertia: [0.01, 0.1, 0.1],"
      " center_of_mass: [0.5, 0, 0], position: [0, 0, 0.04],"
      " shapes: [{capsule: {radius: 0.05, length: 0.6, axis: x}, position: [0.5, 0, 0]}]}\n" +
      by("order: 1"));
  const StartReport report = start(&run);
  ASSERT_EQ(report.overlaps.size(), 1U);
  EXPECT_LE(calc_deepest(run), kLeastOverlap);
  // The near end of the capsule, 0.2 m from the hinge, comes up to its radius.
  EXPECT_NEAR(run.built.state.q[0], std::asin(0.01 / 0.2), 1e-6);
  ASSERT_EQ(run.run_until(0.2), AdvanceStatus::kReachedEnd);
  EXPECT_LE(run.last.ledger.total(), kG * 0.5 * 0.01 / 0.2 + kG * 0.04 + 1e-6);
}

// A parallelogram whose coupler is in the floor: it swings up, and the loop stays closed.
TEST(StartOverlaps, LoopsStayClosed) {
  const std::string rod =
      ", mass: 1, inertia: [0.01, 0.1, 0.1], shapes: [{capsule: {radius: 0.01, length: 0.38, axis: "
      "z}, position: [0, 0, -0.2]}], center_of_mass: [0, 0, -0.2]}\n";
  SceneRun run(
      "tenpin: 1\nname: swing\nbodies:\n" + kFloor +
      "  - {name: left, joint: {hinge: {axis: [0, 1, 0], at: 0.3}}, position: [0, 0, 0.4]" + rod +
      "  - {name: right, joint: {hinge: {axis: [0, 1, 0], at: 0.3}}, position: [1, 0, 0.4]" + rod +
      "  - {name: coupler, parent: left, joint: {hinge: {axis: [0, 1, 0], at: -0.3}},"
      " position: [0, 0, -0.4], mass: 1, inertia: [0.01, 0.1, 0.1], center_of_mass: [0.5, 0, 0],"
      " shapes: [{capsule: {radius: 0.05, length: 0.98, axis: x}, position: [0.5, 0, 0]}]}\n"
      "loops:\n  - {name: knee, ball: {bodies: [coupler, right], anchors: [[1, 0, 0], [0, 0, "
      "-0.4]]}}\n" +
      by(""));
  const StartReport report = start(&run);
  ASSERT_FALSE(report.overlaps.empty());
  EXPECT_LE(calc_deepest(run), kLeastOverlap);
  std::vector<Pose> X_WB;
  update_poses(run.built.model, run.built.state.q, 0.0, &X_WB);
  dynamics::LoopRows rows;
  rows.update(run.built.model, run.built.model.mechanisms[0], X_WB, run.built.state.q);
  EXPECT_LE(rows.errors().lpNorm<Eigen::Infinity>(), 1e-9);
}

// Nothing separates a peg from a slot that is too narrow: it stays in the middle, and no energy
// comes of it.
TEST(StartOverlaps, APegInATightSlotIsKept) {
  for (const std::string order : {"order: 1", "order: 2"}) {
    SceneRun run(
        "tenpin: 1\nname: peg\nbodies:\n" + kFloor +
        "  - {name: left, fixed: true, position: [-0.199, 0, 0], shapes: [{box: {half: [0.1, 1, "
        "1]}}]}\n"
        "  - {name: right, fixed: true, position: [0.199, 0, 0], shapes: [{box: {half: [0.1, 1, "
        "1]}}]}\n"
        "  - {name: peg, mass: 1, position: [0, 0, 0.1], shapes: [{box: {half: [0.1, 0.1, "
        "0.1]}}]}\n" +
        by(order));
    const StartReport report = start(&run);
    ASSERT_EQ(report.overlaps.size(), 2U);
    for (const StartOverlap& overlap : report.overlaps) {
      EXPECT_NEAR(overlap.left, 0.001, 1e-5);
    }
    EXPECT_LE((run.position("peg") - Vec3(0.0, 0.0, 0.1)).norm(), 1e-5);
    const double energy = kG * run.position("peg").z();
    run.watch = [&](const StepReport& step, auto, const auto&) {
      EXPECT_LE(step.ledger.total(), energy + 1e-7);
    };
    ASSERT_EQ(run.run_until(0.3), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_LE((run.position("peg") - Vec3(0.0, 0.0, 0.1)).norm(), 1e-4);
    EXPECT_NE(describe_outcome(run.built.model, report.overlaps[0], Overlaps::kResolve)
                  .find("no motion takes it out, kept"),
              std::string::npos);
  }
}

TEST(StartOverlaps, WhatIsKeptGivesNoSpeed) {
  for (const std::string settings : {"order: 1", "order: 2", "order: 1, formulation: velocity"}) {
    SceneRun run(kSunkBox + by(settings));
    static_cast<void>(start(&run, Overlaps::kKeep));
    double fastest = 0.0;
    run.watch = [&](const StepReport&, auto, const dynamics::State& state) {
      fastest = std::max(fastest, state.v.head<3>().norm());
    };
    ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd);
    EXPECT_LE(fastest, 1e-6) << settings;
    EXPECT_NEAR(run.position("box").z(), 0.098, 1e-7) << settings;
  }
}

TEST(StartOverlaps, AreRefusedByNameAndDepth) {
  try {
    SceneRun run(kSunkBox + by(""));
    static_cast<void>(start(&run, Overlaps::kRefuse));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("floor and box overlap by 0.002 m"),
              std::string::npos);
  }
}

TEST(StartOverlaps, AJointPastItsStopIsMovedBackOrKept) {
  const std::string scene =
      "tenpin: 1\nname: stop\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: arm, joint: {hinge: {axis: [0, 1, 0], limits: [-0.2, 0.2]}}, mass: 1, "
      "inertia: "
      "0.1}\n" +
      by("order: 1");
  SceneRun resolved(scene);
  resolved.built.state.q[0] = 0.3;  // no scene file may say so, but closing a loop may lead there
  const StartReport report = start(&resolved);
  EXPECT_NEAR(resolved.built.state.q[0], 0.2, kPlace);
  EXPECT_EQ(describe_outcome(resolved.built.model, report.overlaps.at(0), Overlaps::kResolve),
            "the joint of arm is 0.1 rad past its stop: moved back to it");
  SceneRun kept(scene);
  kept.built.state.q[0] = 0.3;
  static_cast<void>(start(&kept, Overlaps::kKeep));
  ASSERT_EQ(kept.run_until(0.1), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(kept.built.state.q[0], 0.3, 1e-9);
  EXPECT_NEAR(kept.built.state.v[0], 0.0, 1e-9);
}

// Four bodies in one place, a metre wide each: all come apart, at rest.
TEST(StartOverlaps, ADeepHeapComesApart) {
  SceneRun run(
      "tenpin: 1\nname: deep\nbodies:\n" + kFloor +
      "  - {name: a, mass: 1, position: [0, 0, 0.5], shapes: [{box: {half: [0.5, 0.5, 0.5]}}]}\n"
      "  - {name: b, mass: 1, position: [0.1, 0.05, 0.6], shapes: [{box: {half: [0.5, 0.5, "
      "0.5]}}]}\n"
      "  - {name: c, mass: 1, position: [-0.1, 0.05, 0.7], shapes: [{cylinder: {radius: 0.5, "
      "length: 1}}]}\n"
      "  - {name: d, mass: 1, position: [-0.1, 0.05, 0.3], shapes: [{sphere: {radius: 0.5}}]}\n" +
      by("order: 1"));
  const StartReport report = start(&run);
  EXPECT_LE(calc_deepest(run), kLeastOverlap);
  EXPECT_LE(report.rounds, 80);
  EXPECT_LE(report.largest_motion, 2.0);
  EXPECT_EQ(run.built.state.v.norm(), 0.0);
}

// A stack whose lowest box is in the floor rises as a whole.
TEST(StartOverlaps, AStackRisesWithItsLowestBox) {
  std::string yaml = "tenpin: 1\nname: stack\nbodies:\n" + kFloor;
  for (int i = 0; i < 8; ++i) {
    yaml += "  - {name: b" + std::to_string(i) + ", mass: 1, position: [0, 0, " +
            std::to_string(0.1 + 0.2 * i - 0.003) +
            "], shapes: [{box: {half: [0.1, 0.1, 0.1]}}]}\n";
  }
  SceneRun run(yaml + by("order: 1"));
  const StartReport report = start(&run);
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(run.position("b" + std::to_string(i)).z(), 0.1 + 0.2 * i, 1e-8) << i;
  }
}

// Fingers that reach into each other and would have to turn by a quarter of a circle to come free.
TEST(StartOverlaps, LinksThatOverlapByDesignAreLeftAlone) {
  const std::string finger =
      ", mass: 1, inertia: 0.1, shapes: [{sphere: {radius: 0.4}, position: [0.5, 0, 0]}]}\n";
  SceneRun run(
      "tenpin: 1\nname: hand\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: palm, mass: 1, inertia: [1, 1, 1]}\n"
      "  - {name: one, parent: palm, joint: {hinge: {axis: [0, 1, 0]}}" +
      finger + "  - {name: two, parent: palm, joint: {hinge: {axis: [0, 1, 0], at: 0.1}}" + finger +
      by("order: 1"));
  const StartReport report = start(&run);
  ASSERT_EQ(report.overlaps.size(), 1U);
  EXPECT_NEAR(report.overlaps[0].left, report.overlaps[0].depth, 1e-12);
  ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd);
  EXPECT_LE(run.last.ledger.kinetic, 1e-9);
}

TEST(StartOverlaps, MethodsThatCannotKeepThemSaySo) {
  SceneRun run(kSunkBox + by(""));
  const StartReport report = start(&run, Overlaps::kKeep);
  EXPECT_NO_THROW(check_kept_overlaps(run.built.model, report, scene::TimeSteppingOptions{}));
  EXPECT_THROW(check_kept_overlaps(run.built.model, report, scene::AnalyticOptions{}), InputError);
  EXPECT_THROW(check_kept_overlaps(run.built.model, report, scene::ImpulseOptions{}), InputError);
}

}  // namespace
}  // namespace tenpin::methods
