// Fixed tendons and their actuators against MuJoCo: the power of all forces along the one motion
// that the equalities leave.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

#include "scene/import/import.h"

namespace tenpin::scene {
namespace {

const std::string kFile = TENPIN_SOURCE_DIR "/tests/scene/import/models/tendons/tendons.xml";

const JointProperties& joint(const Scene& scene, const std::string& body) {
  const auto found = std::find_if(scene.bodies.begin(), scene.bodies.end(), [&](const Body& b) {
    return b.name == body;
  });
  EXPECT_NE(found, scene.bodies.end()) << body;
  return found->properties;
}

double motor_force(const JointProperties& p) {
  return p.motor.stiffness * (p.motor.target - p.at) - p.motor.damping * p.rate;
}

struct Loaded {
  std::unique_ptr<mjModel, void (*)(mjModel*)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data{nullptr, mj_deleteData};
};

Loaded load() {
  char error[1000] = "";
  Loaded result;
  result.model.reset(mj_loadXML(kFile.c_str(), nullptr, error, sizeof error));
  EXPECT_NE(result.model, nullptr) << error;
  result.data.reset(mj_makeData(result.model.get()));
  mj_resetDataKeyframe(result.model.get(), result.data.get(), 0);
  mj_forward(result.model.get(), result.data.get());
  return result;
}

// Where lead moves by 1, second moves by -1.5 and third by -0.75.
constexpr std::array<double, 3> kMotion = {1.0, -1.5, -0.75};

TEST(MjcfTendons, ServosPullTheLeadingJointAsMujocosDo) {
  const Loaded mujoco = load();
  const Scene scene = import_model(kFile);
  double theirs = 0.0;
  for (std::size_t i = 0; i < 3; ++i) theirs += kMotion[i] * mujoco.data->qfrc_actuator[i];
  ASSERT_GT(std::abs(theirs), 1.0);
  const JointProperties& lead = joint(scene, "lead");
  ASSERT_EQ(lead.motor.kind, Motor::Kind::kPosition);
  EXPECT_NEAR(motor_force(lead), theirs, 1e-10 * std::abs(theirs));
}

TEST(MjcfTendons, SpringsAndDampersPullAsMujocosDo) {
  const Loaded mujoco = load();
  const Scene scene = import_model(kFile);
  double theirs = 0.0;
  for (std::size_t i = 0; i < 3; ++i) theirs += kMotion[i] * mujoco.data->qfrc_passive[i];
  const JointProperties& p = joint(scene, "lead");
  const double ours = p.stiffness * (p.rest - p.at) - p.damping * p.rate;
  ASSERT_GT(std::abs(theirs), 1.0);
  EXPECT_NEAR(ours, theirs, 1e-10 * std::abs(theirs));
}

// length = 0.5 q1 + 2 q2 - q3 in MuJoCo's coordinates; by the equalities it is
// 0.05 + 2 (-0.2 + 0.05 - 1.5 x) - 0.5 (0.05 - 1.5 x) + 0.5 x = -0.275 - 1.75 x, x = q1 - 0.1.
TEST(MjcfTendons, LimitsAndFrictionActOnTheLeadingJoint) {
  const JointProperties p = joint(import_model(kFile), "lead");
  EXPECT_NEAR(p.lower, (2.0 + 0.275) / -1.75, 1e-14);
  EXPECT_NEAR(p.upper, (-0.5 + 0.275) / -1.75, 1e-14);
  EXPECT_NEAR(p.friction, 0.6 * 1.75, 1e-14);
}

TEST(MjcfTendons, ForcesActOnJointsThatMoveIndependently) {
  const Loaded mujoco = load();
  const Scene scene = import_model(kFile);
  EXPECT_EQ(joint(scene, "left").motor.kind, Motor::Kind::kForce);
  EXPECT_NEAR(joint(scene, "left").motor.target, mujoco.data->qfrc_actuator[3], 1e-12);
  EXPECT_NEAR(joint(scene, "right").motor.target, mujoco.data->qfrc_actuator[4], 1e-12);
  EXPECT_EQ(joint(scene, "left").motor.target, 6.0);
}

std::string notes_of(const std::string& inside) {
  const Scene scene =
      import_text("<mujoco>\n" + inside + "\n</mujoco>", TENPIN_SOURCE_DIR "/tests/m.xml");
  std::string all;
  for (const std::string& note : scene.notes) all += note + "\n";
  return all;
}

TEST(MjcfTendons, WhatCannotBeUsedIsSaid) {
  const std::string bodies =
      "<worldbody><body><joint name='a'/><geom size='1'/></body>"
      "<body><joint name='b'/><geom size='1'/></body></worldbody>\n"
      "<tendon><fixed name='t' damping='1'><joint joint='a' coef='1'/><joint joint='b' coef='1'/>"
      "</fixed>\n<spatial name='s'><site site='x'/><site site='y'/></spatial></tendon>\n"
      "<actuator><position tendon='t'/></actuator>";
  const std::string notes = notes_of(bodies);
  EXPECT_NE(notes.find("m.xml:3: changes the motion: limits, springs and friction of <fixed> not "
                       "used"),
            std::string::npos)
      << notes;
  EXPECT_NE(notes.find("m.xml:4: changes the motion: spatial tendons are not modelled"),
            std::string::npos)
      << notes;
  EXPECT_NE(notes.find("m.xml:5: changes the motion: <position> not used: a servo of a tendon"),
            std::string::npos)
      << notes;
}

// MuJoCo 2.2 has no dampratio. Of the inertia M that the joint moves, armature included, with gear
// 3: kv = 0.5 * 2 sqrt(50 M / 9) in the actuator, and so 9 kv on the joint.
TEST(MjcfActuators, DampratioIsThePartOfCriticalDamping) {
  const Scene scene = import_text(
      "<mujoco><default><position kv='7'/></default><worldbody><body name='b'>"
      "<joint name='j' axis='0 1 0' armature='0.1'/>"
      "<inertial pos='0.2 0 0' mass='1.5' diaginertia='1 0.045 1'/>"
      "<body pos='0.5 0 0'><inertial pos='0.1 0 0' mass='0.5' diaginertia='1 0.02 "
      "1'/></body></body>"
      "</worldbody><actuator><position joint='j' kp='50' dampratio='0.5' gear='3'/></actuator>"
      "</mujoco>",
      "m.xml");
  const double inertia = 0.1 + 0.045 + 1.5 * 0.04 + 0.02 + 0.5 * 0.36;
  EXPECT_NEAR(joint(scene, "b").motor.damping, 9.0 * 0.5 * 2.0 * std::sqrt(50.0 * inertia / 9.0),
              1e-12);
  EXPECT_EQ(joint(scene, "b").motor.stiffness, 450.0);
}

}  // namespace
}  // namespace tenpin::scene
