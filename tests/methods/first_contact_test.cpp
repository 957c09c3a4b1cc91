// What a new user meets first: scenes as they are written from the documentation, each of which
// once held a surprise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "base/text.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

// A door that leans on its stop has nothing left to solve but rounding.
TEST(FirstContact, DoorWithDryFrictionStaysAtItsStop) {
  for (const std::string solver : {"cone", "lemke"}) {
    SceneRun run(
        "tenpin: 1\nname: door\nbodies:\n"
        "  - {name: door, mass: 20, joint: {hinge: {axis: [0, 0, 1], rate: -2, at: 1.2,"
        " limits: [0, 1.6], friction: 0.5}},"
        " shapes: [{box: {size: [0.8, 0.04, 2]}, position: [0.4, 0, 0]}]}\n"
        "method: {time-stepping: {solver: " +
        solver + "}}\n");
    ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd) << solver << run.last.message;
    EXPECT_LE(std::fabs(run.built.state.q[0]), 1e-9) << solver;
    EXPECT_LE(std::fabs(run.built.state.v[0]), 1e-9) << solver;
    EXPECT_TRUE(run.last.certificate.passed) << solver;
  }
}

// The velocity formulation stops a contact as soon as the step would close it. Gravity may close
// the last bit of the gap: that is an impact all the same, and keeps its restitution.
TEST(FirstContact, BallBouncesWhereverTheStepMeetsTheFloor) {
  constexpr double kRestitution = 0.8;
  constexpr double kStep = 1.0 / 240.0;  // s
  for (int k = 0; k < 200; ++k) {
    // Just above the floor by a part of a step's way: the step in which it meets differs.
    const double height = 0.02 + 1e-4 * k;
    SceneRun run("tenpin: 1\nname: ball\nmaterials: {rubber: {friction: 0.5, restitution: " +
                 to_text(kRestitution) +
                 "}}\nbodies:\n"
                 "  - {name: floor, fixed: true, material: rubber, shapes: [{plane: {}}]}\n"
                 "  - {name: ball, mass: 0.2, material: rubber, velocity: [0, 0, -4], position: "
                 "[0, 0, " +
                 to_text(0.05 + height) +
                 "], shapes: [{sphere: {radius: 0.05}}]}\n"
                 "method: {time-stepping: {formulation: velocity}}\n");
    double highest = -4.0;
    run.watch = [&](const StepReport&, std::span<const contact::ContactRecord>,
                    const dynamics::State& state) {
      highest = std::max(highest, state.v[2]);
    };
    ASSERT_EQ(run.run_until(12 * kStep), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_GE(highest, kRestitution * 4.0 - 1e-9) << height;
  }
}

// A corner that bears nothing has not left: it touches.
TEST(FirstContact, ContactWithoutForceTouches) {
  for (const std::string method :
       {"time-stepping: {}", "time-stepping: {order: 1}", "time-stepping: {solver: lemke}",
        "time-stepping: {formulation: velocity}", "analytic: {}"}) {
    SceneRun run(
        "tenpin: 1\nname: ball\ngravity: [0, 0, 0]\nbodies:\n"
        "  - {name: floor, fixed: true, shapes: [{plane: {}}]}\n"
        "  - {name: ball, mass: 1, position: [0, 0, 0.1], shapes: [{sphere: {radius: 0.1}}]}\n"
        "method: {" +
        method + "}\n");
    int touching = 0;
    run.watch = [&](const StepReport&, std::span<const contact::ContactRecord> contacts,
                    const dynamics::State&) {
      for (const contact::ContactRecord& c : contacts) {
        EXPECT_EQ(c.mode, contact::Mode::kTouching) << method;
        ++touching;
      }
    };
    ASSERT_EQ(run.run_until(0.02), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_GT(touching, 0) << method;
  }
}

// Under `impulse`, a hand that is moved lifts a block between two fingers. The work that the hand
// does through its fingers' joints in each impact is in the ledger.
TEST(FirstContact, AMovedHandLiftsABlockUnderImpulse) {
  const std::string finger =
      ", material: pad, mass: 0.2, shapes: [{box: {size: [0.02, 0.04, 0.1]}}]}\n";
  SceneRun run(
      "tenpin: 1\nname: hand\nmaterials: {pad: {friction: 0.6}}\nbodies:\n"
      "  - {name: hand, motion: {velocity: [0, 0, 0.1]}, position: [0, 0, 0.3]}\n"
      "  - {name: left, parent: hand, position: [-0.06, 0, -0.1], joint: {slider: {axis: [1, 0, "
      "0], motor: {force: 20}}}" +
      finger +
      "  - {name: right, parent: hand, position: [0.06, 0, -0.1], joint: {slider: {axis: [-1, 0, "
      "0], motor: {force: 20}}}" +
      finger +
      "  - {name: block, material: pad, mass: 1, position: [0, 0, 0.2], velocity: [0, 0, 0.1],"
      " shapes: [{box: {size: [0.1, 0.1, 0.06]}}]}\nmethod: {impulse: {}}\n");
  ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << run.last.message;
  // Between two impacts the block falls a little, which friction does not undo: it creeps.
  EXPECT_NEAR(run.position("block").z(), 0.25, 5e-3);
  EXPECT_LE(run.worst_closure, 1e-9);
  // The hand lifts all three bodies.
  EXPECT_NEAR(run.work[contact::Ledger::kPrescribed], 1.4 * 9.81 * 0.05, 0.05);
}

// Without friction, a contact that slides is sliding under every method.
TEST(FirstContact, APuckOnIceSlides) {
  for (const std::string method :
       {"time-stepping: {}", "time-stepping: {order: 1}", "analytic: {}"}) {
    SceneRun run(
        "tenpin: 1\nname: ice\nmaterials: {ice: {friction: 0}}\nbodies:\n"
        "  - {name: ice, fixed: true, material: ice, shapes: [{plane: {}}]}\n"
        "  - {name: puck, material: ice, mass: 1, position: [0, 0, 0.05], velocity: [1, 0, 0],"
        " shapes: [{cylinder: {radius: 0.2, length: 0.1}}]}\n"
        "method: {" +
        method + "}\n");
    int count = 0;
    run.watch = [&](const StepReport&, std::span<const contact::ContactRecord> contacts,
                    const dynamics::State&) {
      for (const contact::ContactRecord& r : contacts) {
        ++count;
        EXPECT_EQ(r.mode, contact::Mode::kSliding) << method;
      }
    };
    ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_GT(count, 0) << method;
  }
}

}  // namespace
}  // namespace tenpin::methods
