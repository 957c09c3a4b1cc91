// Events of a scene in the library: told, continued, and combined with controls.
#include <gtest/gtest.h>

#include <string>

#include "simulation/scenes.h"

namespace tenpin {
namespace {

const std::string kArm =
    "tenpin: 1\ngravity: [0, 0, 0]\nbodies:\n"
    "  - name: arm\n    mass: 1\n    inertia: [1, 1, 1]\n"
    "    joint: {hinge: {axis: [0, 0, 1], motor: {torque: 1}}}\n"
    "loops: [{name: latch, distance: {bodies: [arm, world], anchors: [[1, 0, 0], [1, -1, 0]]}}]\n"
    "events:\n"
    "  - {name: freed, when: {quantity: t, above: 0.5}, do: {release: latch}}\n"
    "  - {name: turned, when: {quantity: joints.arm.velocity, above: 0.5}, do: {set: {motor: arm, "
    "target: -1}}}\n"
    "method: {time-stepping: {step: 0.01}}\nuntil: 5\n";

Simulation make_arm() {
  return Simulation(Scene::parse(kArm, "arm.yaml"));
}

TEST(EventsInSimulations, AreToldWithTheirTimes) {
  Simulation sim = make_arm();
  EXPECT_TRUE(sim.fired_events().empty());
  sim.advance_to(2.0);
  const std::vector<FiredEvent> fired = sim.fired_events();
  ASSERT_EQ(fired.size(), 2U);
  EXPECT_EQ(fired[0].name, "freed");
  EXPECT_NEAR(fired[0].time, 0.5, 1e-12);
  EXPECT_EQ(fired[1].name, "turned");
  EXPECT_NEAR(fired[1].time, 1.0, 0.0101);
  EXPECT_NEAR(sim.v()[0], 0.5 - (2.0 - fired[1].time), 1e-3);
}

TEST(EventsInSimulations, SnapshotsClonesAndResetsKnowThem) {
  Simulation sim = make_arm();
  sim.advance_to(0.8);
  const Snapshot middle = sim.save();
  Simulation twin = sim.clone();
  sim.advance_to(2.0);
  const std::uint64_t hash = sim.state_hash();
  twin.advance_to(2.0);
  EXPECT_EQ(twin.state_hash(), hash);
  sim.restore(middle);
  EXPECT_EQ(sim.fired_events().size(), 1U);
  sim.advance_to(2.0);
  EXPECT_EQ(sim.state_hash(), hash);
  sim.reset();
  EXPECT_TRUE(sim.fired_events().empty());
  sim.advance_to(0.4);
  EXPECT_NEAR(sim.v()[0], 0.0, 1e-9);  // the latch holds again
  sim.advance_to(0.8);
  sim.advance_to(2.0);
  EXPECT_EQ(sim.fired_events().size(), 2U);
}

TEST(EventsInSimulations, LaterControlsWin) {
  Simulation sim = make_arm();
  sim.advance_to(1.5);
  ASSERT_EQ(sim.fired_events().size(), 2U);
  const double before = sim.v()[0];
  sim.set_body_force(sim.body("arm"), Vec3::Zero(), {0.0, 0.0, 1.0});  // keeps the event's target
  sim.advance_to(1.7);
  EXPECT_NEAR(sim.v()[0], before, 1e-9);
  sim.set_motor_target(sim.joint("arm"), 2.0);
  sim.advance_to(1.8);
  EXPECT_NEAR(sim.v()[0], before + 0.3, 1e-9);
  sim.reset();
  sim.advance_to(0.7);
  EXPECT_NEAR(sim.v()[0], 0.2, 1e-9);  // the scene's torque
}

TEST(EventsInSimulations, EffortAndForceOfAPair) {
  Simulation sim(Scene::parse(
      "tenpin: 1\ngravity: [0, 0, -10]\nbodies:\n"
      "  - {name: floor, fixed: true, shapes: [{plane: {}}]}\n"
      "  - {name: ball, mass: 2, position: [0, 0, 0.1], shapes: [{sphere: {radius: 0.1}}]}\n"
      "  - {name: arm, mass: 1, inertia: [1, 1, 1], position: [0, 0, 3], joint: {hinge: {axis: "
      "[0, 0, 1], motor: {torque: {points: [[0, 3]]}}}}}\nuntil: 1\n",
      "pair.yaml"));
  sim.advance_to(0.1);
  EXPECT_NEAR(calc_contact_force(sim, sim.body("floor"), sim.body("ball")).z(), 20.0, 1e-5);
  EXPECT_NEAR(calc_contact_force(sim, sim.body("ball"), sim.body("floor")).z(), -20.0, 1e-5);
  EXPECT_NEAR(calc_joint_effort(sim, sim.joint("arm")), 3.0, 1e-9);
}

}  // namespace
}  // namespace tenpin
