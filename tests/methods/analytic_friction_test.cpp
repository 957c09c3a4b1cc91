// Friction at the level of accelerations, against closed-form mechanics and exact events.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/text.h"
#include "math/trig.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::Mode;
using test::SceneRun;

constexpr double kG = 9.81;
constexpr double kExact = 1e-8;  // what an event-driven method must reach

std::string rough(double mu, double e) {
  return "tenpin: 1\nmaterials: {m: {friction: " + to_text(mu) + ", restitution: " + to_text(e) +
         "}}\nbodies:\n";
}

const std::string kFloor =
    "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n";
const std::string kMethod = "method: {analytic: {}}\n";

// Exact limits of Stewart and Trinkle's example for two heights.   [ST00, §4.1]
struct RodCase {
  double y0;
  double t_impact, t_slide, t_slap, t_rest, x_end;
};
constexpr RodCase kRods[] = {
    {1.0, 0.38581775171314875, 0.41911325441902, 0.547318419669034, 0.5663427542305334,
     -0.2273599826983706},
    {0.99, 0.3827868722225611, 0.42313391912242004, 0.5486010511260357, 0.5636444231346941,
     -0.2281985387325369},
};

TEST(AnalyticRod, GoesThroughItsEventsAsItMust) {
  for (const RodCase& rod : kRods) {
    SceneRun run(rough(0.6, 0.0) + kFloor +
                 "  - {name: rod, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, material: m,"
                 " mass: 1, inertia: 0.002, position: [0, 0, " +
                 to_text(rod.y0) +
                 "], orientation: {axis: [0, -1, 0], degrees: 30}, angular_velocity: [0, -4, 0],"
                 " shapes: [{capsule: {radius: 0.05, length: 0.5, axis: x}}]}\n" +
                 kMethod);
    std::vector<double> impacts;
    double slides = -1.0, before = 0.0, rest = -1.0;
    run.watch = [&](const StepReport& report, auto contacts, const dynamics::State& state) {
      const bool instant = report.t == before;
      if (instant && report.ledger.work[contact::Ledger::kNormal] < -1e-3) {
        impacts.push_back(report.t);
      }
      for (const contact::ContactRecord& r : contacts) {
        if (slides < 0.0 && impacts.size() == 1 && !instant && r.mode == Mode::kSliding) {
          slides = before;
        }
      }
      if (rest < 0.0 && impacts.size() == 2 && state.v.norm() < 1e-9) rest = report.t;
      before = report.t;
    };
    ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
    ASSERT_EQ(impacts.size(), 2U);
    EXPECT_NEAR(impacts[0], rod.t_impact, kExact);
    EXPECT_NEAR(slides, rod.t_slide, kExact);
    EXPECT_NEAR(impacts[1], rod.t_slap, kExact);
    EXPECT_NEAR(rest, rod.t_rest, kExact);
    EXPECT_NEAR(run.position("rod").x(), rod.x_end, kExact);
    EXPECT_LE(run.worst_penetration, 1e-9);
    run.expect_ledger_closes();
  }
}

// A rod that slides where Painlevé's paradox holds and is pressed: no force exists, so an impulse
// stops the slip, and the verdict names it.
TEST(AnalyticRod, WithoutForceAnImpulseResolvesIt) {
  // theta = 100 degrees, tip in contact and slipping to the right without rotation.
  const auto [s, c] = sin_cos(100.0 * kPi / 180.0);
  const double z = 0.05 + 0.25 * s;
  SceneRun run(rough(0.9, 0.0) + kFloor +
               "  - {name: rod, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, material: m,"
               " mass: 1, inertia: 0.002, position: [" +
               to_text(-0.25 * c) + ", 0, " + to_text(z) +
               "], orientation: {axis: [0, -1, 0], degrees: 100}, velocity: [2, 0, 0],"
               " shapes: [{capsule: {radius: 0.05, length: 0.5, axis: x}}]}\n" +
               kMethod);
  bool defied = false;
  double slip_after = 1.0;
  run.watch = [&](const StepReport&, auto contacts, const dynamics::State&) {
    for (const contact::ContactRecord& r : contacts) {
      if (!r.no_acceleration_solution) continue;
      defied = true;
      slip_after = r.slip.norm();
    }
  };
  ASSERT_EQ(run.run_until(0.01), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_TRUE(defied);
  EXPECT_LE(slip_after, 1e-9);
  EXPECT_LE(run.work[contact::Ledger::kNormal] + run.work[contact::Ledger::kFriction], 0.0);
  run.expect_ledger_closes();
}

TEST(AnalyticFriction, BallSlidesThenRolls) {
  const double v0 = 3.0, mu = 0.2;
  SceneRun run(rough(mu, 0.0) + kFloor +
               "  - {name: ball, material: m, mass: 1, position: [0, 0, 0.1], velocity: [3, 0, 0],"
               " shapes: [{sphere: {radius: 0.1}}]}\n" +
               kMethod);
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
  const double t_roll = 2.0 / 7.0 * v0 / (mu * kG);
  const double x = v0 * t_roll - 0.5 * mu * kG * t_roll * t_roll + 5.0 / 7.0 * v0 * (1.0 - t_roll);
  EXPECT_NEAR(run.position("ball").x(), x, kExact);
  EXPECT_NEAR(run.twist("ball").w.y() * 0.1, 5.0 / 7.0 * v0, kExact);
  run.expect_ledger_closes();
}

// Backspin of v0 = (2/5) r w0 stops it dead.
TEST(AnalyticFriction, BackspinStopsTheBallDead) {
  SceneRun run(rough(0.3, 0.0) + kFloor +
               "  - {name: ball, material: m, mass: 1, position: [0, 0, 0.1], velocity: [2, 0, 0],"
               " angular_velocity: [0, -50, 0], shapes: [{sphere: {radius: 0.1}}]}\n" +
               kMethod);
  ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE(run.twist("ball").v.norm(), kExact);
  EXPECT_LE(0.1 * run.twist("ball").w.norm(), kExact);
}

TEST(AnalyticFriction, BlockOnARampAcceleratesOrHolds) {
  const auto [s, c] = sin_cos(kPi / 12.0);
  const auto ramp = [](double mu) {
    return rough(mu, 0.0) +
           "  - {name: ramp, fixed: true, material: m, orientation: {axis: [0, 1, 0], degrees: 15},"
           " shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
           "  - {name: block, material: m, mass: 2, orientation: {axis: [0, 1, 0], degrees: 15},"
           " position: [0.025881904510252074, 0, 0.09659258262890683],"
           " shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n" +
           kMethod;
  };
  SceneRun slides(ramp(0.25));
  ASSERT_EQ(slides.run_until(1.0), AdvanceStatus::kReachedEnd) << slides.last.message;
  EXPECT_NEAR(slides.twist("block").v.norm(), kG * (s - 0.25 * c), kExact);
  EXPECT_NEAR(kG * (s - 0.25 * c), 0.1700817434817887, 1e-12);
  slides.expect_ledger_closes();
  SceneRun holds(ramp(1.01 * s / c));
  const Vec3 start = holds.position("block");
  ASSERT_EQ(holds.run_until(1.0), AdvanceStatus::kReachedEnd) << holds.last.message;
  EXPECT_LE((holds.position("block") - start).norm(), 1e-12);
}

// (2/7) of the platter's rate, on a circle.
TEST(AnalyticFriction, BallOnATurntableGoesInACircle) {
  SceneRun run(rough(1.0, 0.0) +
               "  - {name: platter, motion: {angular_velocity: [0, 0, 4]}, material: m,"
               " shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
               "  - {name: ball, material: m, mass: 1, position: [0.3, 0, 0.1],"
               " velocity: [0, 0.2, 0], angular_velocity: [10, 0, 0],"
               " shapes: [{sphere: {radius: 0.1}}]}\n" +
               kMethod);
  ASSERT_EQ(run.run_until(3.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(run.position("ball").x(), -0.04284309970553324, kExact);
  EXPECT_NEAR(run.position("ball").y(), -0.04953477446439474, kExact);
  run.expect_ledger_closes();
}

// A hoop on its two rims: half of what it would do sliding.
TEST(AnalyticFriction, HoopRollsDownARamp) {
  const auto [s, c] = sin_cos(kPi / 6.0);
  SceneRun run(rough(1.0, 0.0) + "  - {name: ramp, fixed: true, material: m, shapes: [{plane: " +
               "{normal: [" + to_text(s) + ", 0, " + to_text(c) +
               "]}}]}\n  - {name: hoop, material: m, mass: 2, inertia: [0.02, 0.02, 0.02],"
               " position: [" +
               to_text(0.1 * s) + ", 0, " + to_text(0.1 * c) +
               "], shapes: [{cylinder: {radius: 0.1, length: 0.2, axis: y}}]}\n" + kMethod);
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(run.twist("hoop").v.norm(), 2.4524999999999997, kExact);
  run.expect_ledger_closes();
}

// A block of 0.2 m by 0.8 m rocks from half its critical angle to its other corner.
TEST(AnalyticFriction, BlockRocksFromCornerToCorner) {
  const double theta = 0.12248933156343209;
  const double R = std::sqrt(0.17);
  const double alpha = arc_tangent(0.25, 1.0);
  const auto [s, c] = sin_cos(alpha - theta);
  SceneRun run(rough(5.0, 0.0) + kFloor +
               "  - {name: block, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, material: m,"
               " mass: 1, inertia: " +
               to_text(R * R / 3.0) + ", position: [" + to_text(-R * s) + ", 0, " + to_text(R * c) +
               "], orientation: {axis: [0, 1, 0], radians: " + to_text(theta) +
               "}, shapes: [{box: {size: [0.2, 0.2, 0.8]}}]}\n" + kMethod);
  double t = -1.0, w_before = 0.0, w_after = 0.0, before = 0.0, w = 0.0;
  run.watch = [&](const StepReport& report, auto, const dynamics::State& state) {
    if (t < 0.0 && report.t == before) {
      t = report.t;
      w_before = w;
      w_after = state.v[2];
    }
    before = report.t;
    w = state.v[2];
  };
  ASSERT_EQ(run.run_until(0.4), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(t, 0.3123085751125844, kExact);
  EXPECT_NEAR(std::fabs(w_before), 0.8934143073025268, kExact);
  EXPECT_NEAR(std::fabs(w_after), 0.8145836331287745, kExact);
}

TEST(AnalyticFriction, BallHitsTheFloorAslant) {
  for (const double mu : {0.1, 1.0}) {
    SceneRun run(rough(mu, 0.5) + kFloor +
                 "  - {name: ball, material: m, mass: 1, position: [0, 0, 0.1],"
                 " velocity: [1, 0, -1], shapes: [{sphere: {radius: 0.1}}]}\n" +
                 kMethod);
    ASSERT_EQ(run.run_until(1e-6), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_NEAR(run.twist("ball").v.x(), mu < 0.5 ? 0.85 : 5.0 / 7.0, kExact);
    EXPECT_NEAR(run.twist("ball").v.z(), 0.5 - kG * 1e-6, kExact);
  }
}

// Four corners at once: friction is against the slip, whatever its heading. A cone of sixteen
// directions would turn it.
TEST(AnalyticFriction, BoxThatLandsFlatKeepsItsHeading) {
  for (const double heading : {0.1, 0.2, 1.0}) {
    const auto [s, c] = sin_cos(heading);
    SceneRun run(rough(0.3, 0.0) + kFloor +
                 "  - {name: box, material: m, mass: 1, position: [0, 0, 0.05], shapes: [{box: "
                 "{size: [0.4, 0.4, 0.1]}}], velocity: [" +
                 to_text(3.0 * c) + ", " + to_text(3.0 * s) + ", -1]}\n" + kMethod);
    ASSERT_EQ(run.run_until(1e-9), AdvanceStatus::kReachedEnd) << run.last.message;
    const Vec3 v = run.twist("box").v;
    EXPECT_LT(std::fabs(c * v.y() - s * v.x()), 1e-10);
    EXPECT_NEAR(c * v.x() + s * v.y(), 3.0 - 0.3, 1e-8);  // mu times the normal impulse
  }
}

std::string leaning_tower(int boxes, double shift, const std::string& more) {
  std::string text;
  for (int k = 0; k < boxes; ++k) {
    text += "  - {name: b" + std::to_string(k) + ", material: m, mass: 4, position: [" +
            to_text(shift * k) + ", 0, " + to_text(0.05 + 0.1 * k) +
            "], shapes: [{box: {size: [0.2, 0.1, 0.1]}}]" + more + "}\n";
  }
  return text;
}

// What lands on what it stands on leaves with the same velocity, however many there are.
TEST(AnalyticCollision, SmoothTowerBouncesAsOne) {
  for (const int boxes : {10, 50}) {
    SceneRun run(rough(0.0, 0.5) + kFloor + leaning_tower(boxes, 0.0, ", velocity: [0, 0, -1]") +
                 "method: {analytic: {collisions: simultaneous}}\n");
    ASSERT_EQ(run.run_until(1e-9), AdvanceStatus::kReachedEnd) << run.last.message;
    for (int k = 0; k < boxes; ++k) {
      EXPECT_NEAR(run.twist("b" + std::to_string(k)).v.z(), 0.5, kExact);
    }
  }
}

// Hundreds of contacts, of which some part: as a dense problem it would need gigabytes.
TEST(AnalyticFriction, LeaningTowerFallsWithCertifiedForces) {
  SceneRun run(rough(0.5, 0.0) + kFloor + leaning_tower(140, 0.03, "") + kMethod);
  ASSERT_EQ(run.run_until(1e-6), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LT(run.worst_residual, 1e-9);
  // It begins to turn about the last edge that bears it.
  EXPECT_GT(run.twist("b139").v.x(), 0.0);
  EXPECT_LT(run.twist("b139").v.z(), 0.0);
}

// Forces at its foot are five hundred times those of one box: what they miss must be taken out to
// the last digits, or directions of slips are sought in noise.
TEST(AnalyticFriction, SlipsOfALeaningTowerAreFoundBesideLargeForces) {
  SceneRun run(rough(0.5, 0.0) + kFloor + leaning_tower(100, 0.03, "") + kMethod);
  ASSERT_EQ(run.run_until(1e-12), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LT(run.worst_residual, 1e-11);
}

// What slips on top leaves the box below to be decided, not guessed, and three corners could bear
// it: the fourth shall have a twentieth of the average at least.
TEST(AnalyticForces, CornersThatOthersHoldBearTheirShare) {
  SceneRun run(rough(0.5, 0.0) + kFloor +
               "  - {name: table, material: m, mass: 4, position: [0, 0, 0.05],"
               " shapes: [{box: {size: [0.4, 0.4, 0.1]}}]}\n"
               "  - {name: slider, material: m, mass: 1, position: [0, 0, 0.15],"
               " velocity: [0, 0.3, 0], shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}\n" +
               kMethod);
  std::vector<double> corners;
  run.watch = [&](const StepReport&, auto contacts, const dynamics::State&) {
    corners.clear();
    for (const contact::ContactRecord& r : contacts) {
      if (r.body_a == run.body("floor")) corners.push_back(r.normal_impulse);
    }
  };
  ASSERT_EQ(run.run_until(1e-4), AdvanceStatus::kReachedEnd) << run.last.message;
  ASSERT_EQ(corners.size(), 4U);
  const double sum = corners[0] + corners[1] + corners[2] + corners[3];
  for (const double impulse : corners) EXPECT_GT(impulse, 0.99 * 0.05 * sum / 4.0);
}

// Forces at its top are nothing beside those at its foot: a contact taken for one that presses,
// though it parts, would end the step as soon as it begins.
TEST(AnalyticForces, SmoothLeaningTowerPartsWhereItMust) {
  SceneRun run(rough(0.0, 0.0) + kFloor + leaning_tower(110, 0.03, "") + kMethod);
  ASSERT_EQ(run.run_until(1e-9), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LT(run.worst_residual, 1e-11);
  EXPECT_EQ(run.last.step, 1);
}

// On a slope, so that slips turn as they end: the last of them is done at once, which the event
// tolerance bounds.
TEST(AnalyticFriction, SlipsThatTurnEndWithinTheTolerance) {
  const auto slide = [](const std::string& tolerance) {
    SceneRun run(rough(0.3, 0.0) + kFloor +
                 "  - {name: rod, material: m, mass: 1, position: [2, 0, 0.05],"
                 " velocity: [-0.5, 0.8, 0], angular_velocity: [0, 0, 7],"
                 " shapes: [{capsule: {radius: 0.05, length: 0.4, axis: x}}]}\n"
                 "  - {name: box, material: m, mass: 1, position: [0, 0, 0.05],"
                 " velocity: [0.5, 0.8, 0], angular_velocity: [0, 0, 7],"
                 " shapes: [{box: {size: [0.4, 0.2, 0.1]}}]}\n"
                 "gravity: [1.7, 0, -9.65]\nmethod: {analytic: {event_tolerance: " +
                 tolerance + "}}\n");
    EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_EQ(run.twist("box").v.norm(), 0.0);
    run.expect_ledger_closes();
    return run.built.state.q;
  };
  const VecX exact = slide("1e-13");
  EXPECT_LE((slide("1e-9") - exact).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE((slide("1e-11") - exact).cwiseAbs().maxCoeff(), 1e-11);
}

// One end of a rod comes to rest on a board that slides on: what stops it presses the board, and
// the board rubs more.
TEST(AnalyticFriction, WhatStopsASlipRubsElsewhere) {
  const auto slide = [](const std::string& tolerance) {
    SceneRun run(
        "tenpin: 1\nmaterials: {m: {friction: 0.3, restitution: 0},"
        " ice: {friction: 0.05, restitution: 0}}\nbodies:\n"
        "  - {name: floor, fixed: true, material: ice, shapes: [{plane: {}}]}\n"
        "  - {name: board, material: m, mass: 1, position: [0, 0, 0.05], velocity: [1, 0.3, 0],"
        " shapes: [{box: {size: [2, 2, 0.1]}}]}\n"
        "  - {name: rod, material: m, mass: 1, position: [0, 0, 0.15], velocity: [0.2, 0.9, 0],"
        " angular_velocity: [0, 0, 5],"
        " shapes: [{capsule: {radius: 0.05, length: 0.4, axis: x}}]}\n"
        "method: {analytic: {event_tolerance: " +
        tolerance + "}}\n");
    EXPECT_EQ(run.run_until(0.4), AdvanceStatus::kReachedEnd) << run.last.message;
    return run.built.state.v;
  };
  EXPECT_LE((slide("1e-9") - slide("1e-12")).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(AnalyticFlight, BodyTumblesAsJacobiSays) {
  SceneRun run(
      "tenpin: 1\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: body, mass: 1, inertia: [1, 2, 3], angular_velocity: [1.2, 0, 1],"
      " shapes: [{sphere: {radius: 0.1}}]}\n" +
      kMethod);
  ASSERT_EQ(run.run_until(10.0), AdvanceStatus::kReachedEnd) << run.last.message;
  const Vec3 w = run.pose("body").R.transpose() * run.twist("body").w;
  EXPECT_NEAR(w.x(), -0.692499933538053, kExact);
  EXPECT_NEAR(w.y(), 0.9800223681374786, kExact);
  EXPECT_NEAR(w.z(), 0.8245314139861922, kExact);
}

}  // namespace
}  // namespace tenpin::methods
