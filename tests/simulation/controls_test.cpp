// Controls act as if the scene's file said so, in every method and at any time.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "simulation/scenes.h"

namespace tenpin {
namespace {

std::uint64_t run(Simulation* sim, int steps) {
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = sim->step();
    EXPECT_TRUE(report.ok()) << report.message;
  }
  return sim->state_hash();
}

// What a scene may say, each by itself.
struct Values {
  Vec3 gravity = {0.0, 0.0, -9.81};
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();
  double joint_force = 0.0;
  double motor_target = 0.1;
  Vec3 belt = Vec3::Zero();
  double friction = 0.3;
  double restitution = 0.2;
};

Scene make_scene(const std::string& method, const Values& values) {
  SceneBuilder builder;
  choose_method(method, &builder);
  const bool is_smooth = method == "penalty";
  builder.gravity(values.gravity);
  builder.material("ivory", is_smooth ? 0.0 : 0.4, 0.5)
      .material("felt", is_smooth ? 0.0 : 0.4, 0.2);
  builder.pair("ivory", "felt", is_smooth ? 0.0 : values.friction, values.restitution);
  builder.body("table").fixed().material("felt").plane(Vec3::UnitZ());
  BodyBuilder& ball = builder.body("ball");
  ball.mass(1.0)
      .material("ivory")
      .position({0.0, 0.0, 0.1005})
      .velocity({0.5, 0.1, 0.0})
      .sphere(0.1);
  if (!values.force.isZero() || !values.torque.isZero()) ball.force(values.force, values.torque);
  builder.body("belt")
      .material("felt")
      .position({5.0, 0.0, 0.1})
      .motion(values.belt)
      .box({1.0, 1.0, 0.1});
  builder.body("rider").mass(1.0).material("ivory").position({5.0, 0.0, 0.2505}).sphere(0.1);
  if (is_smooth) return builder.build();
  builder.body("post").fixed().position({0.0, 3.0, 1.0});
  const Joint joint{
      .axis = Vec3(0.0, 1.0, 0.0), .anchor = Vec3(0.0, 0.0, 0.5), .at = 0.4, .damping = 0.01};
  Joint pushed = joint;
  if (values.joint_force != 0.0) pushed.motor = Motor{.force = values.joint_force};
  Joint driven = joint;
  driven.motor = Motor{.position = values.motor_target, .stiffness = 20.0, .damping = 0.5};
  builder.body("pushed")
      .parent("post")
      .mass(0.5)
      .position({0.0, 0.0, -0.5})
      .sphere(0.05)
      .hinge(pushed);
  builder.body("driven")
      .parent("post")
      .mass(0.5)
      .position({1.0, 0.0, -0.5})
      .sphere(0.05)
      .hinge(driven);
  return builder.build();
}

struct Case {
  std::string name;
  std::function<void(Simulation*)> set;
  std::function<void(Values*)> say;
  bool needs_joints = false;
  bool needs_friction = false;
};

std::vector<Case> all_cases() {
  return {
      {.name = "gravity",
       .set =
           [](Simulation* sim) {
             sim->set_gravity({1.0, 0.0, -5.0});
           },
       .say =
           [](Values* v) {
             v->gravity = {1.0, 0.0, -5.0};
           }},
      {.name = "body force",
       .set =
           [](Simulation* sim) {
             sim->set_body_force(sim->body("ball"), {3.0, -1.0, 4.0});
           },
       .say =
           [](Values* v) {
             v->force = {3.0, -1.0, 4.0};
           }},
      {.name = "force on the velocities of a free body",
       .set =
           [](Simulation* sim) {
             VecX force = VecX::Zero(6);
             force.head<3>() << 3.0, -1.0, 4.0;
             sim->set_joint_force(sim->joint("ball"), force);
           },
       .say =
           [](Values* v) {
             v->force = {3.0, -1.0, 4.0};
           }},
      {.name = "body torque",
       .set =
           [](Simulation* sim) {
             sim->set_body_force(sim->body("ball"), Vec3::Zero(), {0.1, 0.2, -0.3});
           },
       .say =
           [](Values* v) {
             v->torque = {0.1, 0.2, -0.3};
           }},
      {.name = "joint force",
       .set =
           [](Simulation* sim) {
             sim->set_joint_force(sim->joint("pushed"), 1.5);
           },
       .say =
           [](Values* v) {
             v->joint_force = 1.5;
           },
       .needs_joints = true},
      {.name = "motor target",
       .set =
           [](Simulation* sim) {
             sim->set_motor_target(sim->joint("driven"), -0.7);
           },
       .say =
           [](Values* v) {
             v->motor_target = -0.7;
           },
       .needs_joints = true},
      {.name = "prescribed motion",
       .set =
           [](Simulation* sim) {
             sim->set_motion(sim->body("belt"), {.velocity = {0.4, 0.0, 0.0}});
           },
       .say =
           [](Values* v) {
             v->belt = {0.4, 0.0, 0.0};
           },
       .needs_friction = true},
      {.name = "material pair",
       .set =
           [](Simulation* sim) {
             sim->set_material_pair("felt", "ivory", 0.05, 0.9);
           },
       .say =
           [](Values* v) {
             v->friction = 0.05;
             v->restitution = 0.9;
           },
       .needs_friction = true},
  };
}

bool applies(const Case& c, const std::string& method) {
  return method != "penalty" || (!c.needs_joints && !c.needs_friction);
}

class EveryMethodObeys : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethodObeys, AtTheStartAsIfTheFileSaidSo) {
  const std::string method = GetParam();
  for (const Case& c : all_cases()) {
    if (!applies(c, method)) continue;
    Simulation controlled(make_scene(method, {}));
    c.set(&controlled);
    Values values;
    c.say(&values);
    Simulation said(make_scene(method, values));
    Simulation plain(make_scene(method, {}));
    const std::uint64_t wanted = run(&said, 20);
    EXPECT_EQ(run(&controlled, 20), wanted) << c.name;
    EXPECT_NE(run(&plain, 20), wanted) << c.name;
  }
}

// A method that was made after the change knows nothing of before.
TEST_P(EveryMethodObeys, LaterAsAMethodThatIsMadeWithIt) {
  const std::string method = GetParam();
  for (const Case& c : all_cases()) {
    if (!applies(c, method)) continue;
    Simulation sim(make_scene(method, {}));
    run(&sim, 15);
    const Snapshot before = sim.save();
    c.set(&sim);
    Simulation fresh = sim.clone();
    EXPECT_EQ(run(&sim, 15), run(&fresh, 15)) << c.name;
    // Going back takes the control back, too.
    sim.restore(before);
    Simulation never(make_scene(method, {}));
    run(&never, 15);
    EXPECT_EQ(run(&sim, 10), run(&never, 10)) << c.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethodObeys,
                         testing::Values("order-1", "order-2", "analytic", "impulse", "penalty"),
                         name_of_method);

// A body with velocity and turn set by hand does not jump when its motion changes.
TEST(Controls, PrescribedMotionGoesOnFromWhereItIs) {
  SceneBuilder builder;
  builder.method("time-stepping", {{"step", "0.01"}});
  builder.body("arm")
      .position({1.0, 0.0, 0.0})
      .motion({0.0, 0.0, 0.2}, {0.0, 0.0, 1.0})
      .box({1.0, 0.1, 0.1});
  Simulation sim(builder.build());
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(sim.step().ok());
  const BodyId arm = sim.body("arm");
  const Transform before = sim.pose(arm);
  sim.set_motion(arm, {.velocity = {0.5, 0.0, 0.0}, .angular_velocity = {0.3, 0.0, -2.0}});
  EXPECT_LT((sim.pose(arm).matrix() - before.matrix()).norm(), 1e-14);
  EXPECT_LT((sim.velocity(arm).linear - Vec3(0.5, 0.0, 0.0)).norm(), 1e-14);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(sim.step().ok());
  EXPECT_LT((sim.pose(arm).translation() - before.translation() - Vec3(0.05, 0.0, 0.0)).norm(),
            1e-14);
}

// A joint force beside a motor adds to it: with the motor's own torque cancelled the bob falls
// freely, as a bob without any motor does.
TEST(Controls, JointForceAddsToAMotor) {
  const auto make = [](bool with_motor) {
    SceneBuilder builder;
    builder.method("time-stepping", {{"step", "0.005"}, {"order", "1"}});
    Joint joint{.axis = Vec3(0.0, 1.0, 0.0), .anchor = Vec3(0.0, 0.0, 0.5), .at = 0.4};
    if (with_motor) joint.motor = Motor{.force = 2.0};
    builder.body("bob").mass(0.5).sphere(0.05).hinge(joint);
    return builder.build();
  };
  Simulation driven(make(true));
  Simulation free(make(false));
  driven.set_joint_force(driven.joint("bob"), -2.0);
  run(&driven, 50);
  run(&free, 50);
  EXPECT_NEAR(driven.q()[0], free.q()[0], 1e-12);
}

class Sleeping : public testing::TestWithParam<std::string> {
 protected:
  // 1 kg on a table with friction 0.5: it holds against 4.905 N.
  static Simulation make_sleeper(const std::string& order) {
    SceneBuilder builder;
    builder.method("time-stepping", {{"step", "0.01"}, {"order", order}, {"sleeping", "true"}});
    builder.body("table").fixed().plane(Vec3::UnitZ());
    builder.body("box").mass(1.0).position({0.0, 0.0, 0.1}).box({0.2, 0.2, 0.2});
    Simulation sim(builder.build());
    for (int i = 0; i < 60; ++i) EXPECT_TRUE(sim.step().ok());
    EXPECT_EQ(sim.report().num_asleep, 1);
    return sim;
  }
};

TEST_P(Sleeping, AForceThatFrictionCannotHoldWakesTheBody) {
  Simulation sim = make_sleeper(GetParam());
  const BodyId box = sim.body("box");
  sim.set_body_force(box, {6.0, 0.0, 0.0});
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(sim.step().ok());
  EXPECT_EQ(sim.report().num_asleep, 0);
  EXPECT_NEAR(sim.velocity(box).linear.x(), (6.0 - 0.5 * 9.81) * 0.5, 1e-3);
}

TEST_P(Sleeping, AForceThatFrictionHoldsShowsInItsImpulses) {
  Simulation sim = make_sleeper(GetParam());
  sim.set_body_force(sim.body("box"), {3.0, 0.0, 0.0});
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(sim.step().certified());
  EXPECT_NEAR(sim.pose(sim.body("box")).translation().x(), 0.0, 1e-9);
  Vec3 sum = Vec3::Zero();
  for (const Contact& c : sim.contacts()) sum += c.force;
  EXPECT_NEAR(sum.x(), -3.0, 1e-4);
  EXPECT_NEAR(sum.z(), 9.81, 1e-4);
}

TEST_P(Sleeping, WakesWhenGravityTurns) {
  Simulation sim = make_sleeper(GetParam());
  sim.set_gravity({9.81, 0.0, -9.81});
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(sim.step().ok());
  EXPECT_NEAR(sim.velocity(sim.body("box")).linear.x(), 0.5 * 9.81 * 0.5, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Orders, Sleeping, testing::Values("1", "2"));

TEST(Controls, WhatAMethodCannotDoIsRefusedAndNothingChanges) {
  Simulation sim(make_scene("penalty", {}));
  Simulation other = sim.clone();
  EXPECT_THROW(sim.set_material_pair("felt", "ivory", 0.5, 0.0), InputError);
  EXPECT_EQ(run(&sim, 10), run(&other, 10));
  sim.joint_forces()[4] = std::nan("");
  EXPECT_THROW(sim.step(), InputError);
  EXPECT_EQ(sim.joint_forces()[4], 0.0);
  EXPECT_EQ(run(&sim, 10), run(&other, 10));
}

}  // namespace
}  // namespace tenpin
