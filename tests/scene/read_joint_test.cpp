#include "scene/read_joint.h"

#include <gtest/gtest.h>

#include <string>

#include "scene/scene_text.h"

namespace tenpin::scene {
namespace {

// A body `arm` with the given keys, hanging from a fixed body `base`.
Scene arm(const std::string& keys) {
  return parse(scene_text("bodies:\n  - {name: base, fixed: true}\n  - {name: arm, parent: base, " +
                          keys + "}\n"));
}

const std::string kBob = ", mass: 2, shapes: [{sphere: {radius: 0.1}}]";

TEST(ReadJoint, AHingeHasAllItsNumbers) {
  const Body body =
      arm("joint: {hinge: {axis: [0, 2, 0], anchor: [1, 2, 3], at: 0.3, rate: -4, limits: [-1.5, "
          "2.5], stiffness: 5, rest: 6, damping: 7, friction: 8, armature: 9}}, position: [0, 0, "
          "1], touches_parent: true" +
          kBob)
          .bodies.at(1);
  EXPECT_EQ(body.joint, JointKind::kHinge);
  EXPECT_EQ(body.parent, 0);
  EXPECT_TRUE(body.touches_parent);
  const JointProperties& p = body.properties;
  EXPECT_EQ(p.axis, Vec3(0, 1, 0));
  EXPECT_EQ(p.anchor, Vec3(1, 2, 3));
  EXPECT_EQ(p.at, 0.3);
  EXPECT_EQ(p.rate, -4);
  EXPECT_EQ(p.lower, -1.5);
  EXPECT_EQ(p.upper, 2.5);
  EXPECT_EQ(p.stiffness, 5);
  EXPECT_EQ(p.rest, 6);
  EXPECT_EQ(p.damping, 7);
  EXPECT_EQ(p.friction, 8);
  EXPECT_EQ(p.armature, 9);
  EXPECT_EQ(p.motor.kind, Motor::Kind::kNone);
}

TEST(ReadJoint, LimitsMayBeOneSided) {
  const JointProperties p =
      arm("joint: {slider: {axis: [1, 0, 0], limits: [none, 2]}}" + kBob).bodies[1].properties;
  EXPECT_EQ(p.lower, -kNoLimit);
  EXPECT_EQ(p.upper, 2.0);
}

TEST(ReadJoint, AStartAtALimitIsWithinIt) {
  EXPECT_EQ(arm("joint: {slider: {axis: [1, 0, 0], limits: [0, 0]}}" + kBob).bodies.size(), 2u);
  EXPECT_EQ(arm("joint: {hinge: {axis: [1, 0, 0], limits: [0, 1], at: 1.0000000005}}" + kBob)
                .bodies.size(),
            2u);
}

TEST(ReadJoint, ABallStartsTurned) {
  const Body body =
      arm("joint: {ball: {anchor: [0, 0, 1], at: {axis: [0, 0, 1], degrees: 180}, rate: [1, 2, 3], "
          "stiffness: 4}}" +
          kBob)
          .bodies[1];
  EXPECT_EQ(body.joint, JointKind::kBall);
  EXPECT_NEAR(body.properties.ball_at.z(), 1.0, 1e-15);
  EXPECT_EQ(body.properties.ball_rate, Vec3(1, 2, 3));
  EXPECT_EQ(body.properties.upper, kNoLimit);
  EXPECT_EQ(body.properties.stiffness, 4);
}

TEST(ReadJoint, MotorsOfEveryKind) {
  const auto motor = [](const std::string& keys) {
    return arm("joint: {hinge: {axis: [1, 0, 0], motor: {" + keys + "}}}" + kBob)
        .bodies[1]
        .properties.motor;
  };
  const Motor torque = motor("torque: 2, amplitude: 3, frequency: 4");
  EXPECT_EQ(torque.kind, Motor::Kind::kForce);
  EXPECT_EQ(torque.target, 2);
  EXPECT_EQ(torque.amplitude, 3);
  EXPECT_EQ(torque.frequency, 4);
  EXPECT_EQ(torque.limit, kNoLimit);
  const Motor velocity = motor("velocity: 3, gain: 10, limit: 50");
  EXPECT_EQ(velocity.kind, Motor::Kind::kVelocity);
  EXPECT_EQ(velocity.damping, 10);
  EXPECT_EQ(velocity.limit, 50);
  const Motor position = motor("position: 0.5, stiffness: 100, damping: 5");
  EXPECT_EQ(position.kind, Motor::Kind::kPosition);
  EXPECT_EQ(position.stiffness, 100);
  EXPECT_EQ(position.damping, 5);
  const Motor force = arm("joint: {slider: {axis: [1, 0, 0], motor: {force: 6}}}" + kBob)
                          .bodies[1]
                          .properties.motor;
  EXPECT_EQ(force.kind, Motor::Kind::kForce);
  EXPECT_EQ(force.target, 6);
}

TEST(ReadJoint, TheParentDefaultsToTheWorld) {
  EXPECT_EQ(parse(ball_text("joint: {hinge: {axis: [1, 0, 0]}}")).bodies[0].parent, kWorld);
  EXPECT_EQ(parse(ball_text("parent: world")).bodies[0].joint, JointKind::kFree);
}

TEST(ReadJoint, BodiesThatFollowTheirParentMayHaveMassOrNone) {
  EXPECT_EQ(arm("fixed: true").bodies[1].mass, 0.0);
  EXPECT_EQ(arm("fixed: true" + kBob).bodies[1].mass, 2.0);
  EXPECT_EQ(arm("motion: {velocity: [1, 0, 0]}" + kBob + ", forces: [{drag: 1}]").bodies[1].mass,
            2.0);
  EXPECT_EQ(arm("joint: {ball: {}}, mass: 0").bodies[1].mass, 0.0);
}

TEST(ReadJoint, AMasslessBodyHasNoCentreOfItsShapes) {
  const Body body =
      arm("joint: {ball: {}}, mass: 0, shapes: [{sphere: {radius: 1}, position: [1, 0, 0]}]")
          .bodies[1];
  EXPECT_EQ(body.center, Vec3::Zero());
  EXPECT_EQ(body.inertia, Mat3::Zero());
}

TEST(ReadJoint, AHingeMayGiveOneMoment) {
  EXPECT_EQ(arm("joint: {hinge: {axis: [1, 0, 0]}}, mass: 1, inertia: 3").bodies[1].inertia,
            Mat3(3 * Mat3::Identity()));
}

TEST(ReadJoint, PlanesMayFollowWhatNoForceMoves) {
  EXPECT_EQ(arm("fixed: true, shapes: [{plane: {}}]").bodies.size(), 2u);
  EXPECT_EQ(arm("motion: {}, shapes: [{plane: {}}]").bodies.size(), 2u);
}

}  // namespace
}  // namespace tenpin::scene
