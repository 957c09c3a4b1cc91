// Reactions of joints against exact forces and against the momentum of what hangs from them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "simulation/scenes.h"

namespace tenpin {
namespace {

constexpr double kGravity = 9.81;  // m/s^2

const Reaction& joint_of(const Simulation& sim, const std::string& name) {
  for (const Reaction& r : sim.reactions()) {
    if (r.kind == Reaction::Kind::kJoint && r.index == sim.body(name).index) return r;
  }
  ADD_FAILURE() << "no reaction of " << name;
  static const Reaction none;
  return none;
}

class EveryMethodReacts : public testing::TestWithParam<std::string> {};

// A pendulum of mass m and length l to its centre: the rod pulls with m (g cos + l rate^2) along
// itself, and across with what the inertia leaves of the weight.
TEST_P(EveryMethodReacts, PendulumHasItsExactRodForce) {
  const double m = 2.0;
  const double l = 0.7;
  const double spin_inertia = 0.4 * m * 0.01;
  SceneBuilder builder;
  choose_method(GetParam(), &builder);
  builder.body("bob")
      .mass(m)
      .position({0.0, 0.0, -l})
      .sphere(0.1)
      .hinge({.axis = Vec3(0.0, 1.0, 0.0), .anchor = Vec3(0.0, 0.0, l), .at = 1.0, .rate = 0.5});
  Simulation sim(builder.build());
  for (int i = 0; i < 40; ++i) {
    const double q0 = sim.q()[0];
    const double v0 = sim.v()[0];
    ASSERT_TRUE(sim.step().ok());
    const double h = sim.report().duration;
    ASSERT_GT(h, 0.0);
    const double angle = 0.5 * (q0 + sim.q()[0]) + h / 8.0 * (v0 - sim.v()[0]);
    const double rate = 1.5 * (sim.q()[0] - q0) / h - 0.25 * (v0 + sim.v()[0]);
    const Vec3 along(std::sin(angle), 0.0, std::cos(angle));  // from the bob to the pivot
    const Vec3 across(std::cos(angle), 0.0, -std::sin(angle));
    const double pull = m * (kGravity * std::cos(angle) + l * rate * rate);
    const double turn = -m * kGravity * l * std::sin(angle) / (m * l * l + spin_inertia);
    // Angle turns the bob towards -x: its acceleration across is -l turn.
    const double shear = -m * l * turn - m * kGravity * std::sin(angle);
    const Reaction& r = joint_of(sim, "bob");
    const double bound = 30.0 * h * h * m * kGravity;  // means over a step, not its middle
    EXPECT_NEAR(r.force.dot(along), pull, bound) << i;
    EXPECT_NEAR(r.force.dot(across), shear, bound) << i;
    EXPECT_NEAR(r.torque.y(), 0.0, bound) << i;  // the hinge turns freely
    EXPECT_LT((r.position - Vec3::Zero()).norm(), 1e-12);
    EXPECT_LT((r.impulse - h * r.force).norm(), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethodReacts,
                         testing::Values("order-1", "order-2", "analytic", "impulse"),
                         name_of_method);

// What carries the whole tree is the change of all momentum less all other impulses, to rounding.
TEST(Reactions, OfTheRootIsTheChangeOfMomentum) {
  SceneBuilder builder;
  builder.method("time-stepping", {{"step", "0.002"}, {"order", "1"}});
  builder.body("floor").fixed().plane(Vec3::UnitZ());
  builder.body("upper")
      .mass(2.0)
      .position({0.0, 0.0, 0.7})
      .capsule(0.05, 0.4)
      .hinge({.axis = Vec3(0.0, 1.0, 0.0), .anchor = Vec3(0.0, 0.0, 0.25), .at = 0.7});
  builder.body("lower")
      .parent("upper")
      .mass(1.0)
      .position({0.0, 0.0, -0.5})
      .capsule(0.05, 0.4)
      .hinge({.axis = Vec3(1.0, 0.0, 0.0), .anchor = Vec3(0.0, 0.0, 0.25), .rate = 2.0});
  Simulation sim(builder.build());
  const auto momentum = [&sim] {
    return Vec3(2.0 * sim.velocity(sim.body("upper")).linear +
                1.0 * sim.velocity(sim.body("lower")).linear);
  };
  bool has_touched = false;
  for (int i = 0; i < 300; ++i) {
    const Vec3 before = momentum();
    ASSERT_TRUE(sim.step().ok());
    Vec3 outside = 3.0 * sim.report().duration * Vec3(0.0, 0.0, -kGravity);
    for (const Contact& c : sim.contacts()) {
      if (c.body_a == c.body_b) continue;
      outside += c.impulse;
      has_touched = has_touched || c.normal_impulse > 0.0;
    }
    const Vec3 wanted = momentum() - before - outside;
    EXPECT_LT((joint_of(sim, "upper").impulse - wanted).norm(), 1e-12);
  }
  EXPECT_TRUE(has_touched);
}

// A motor that holds a bar level gives m g l about the hinge; a stop does as much.
TEST(Reactions, HaveTheTorqueOfMotorsAndStops) {
  for (const bool by_motor : {true, false}) {
    SceneBuilder builder;
    builder.method("time-stepping", {{"step", "0.005"}, {"order", "1"}});
    Joint joint{.axis = Vec3(0.0, 1.0, 0.0), .anchor = Vec3(-0.5, 0.0, 0.0)};
    if (by_motor) {
      joint.motor = Motor{.position = 0.0, .stiffness = 1e6, .damping = 1e3};
    } else {
      joint.limits = {{-1.0, 0.0}};
    }
    builder.body("bar").mass(2.0).position({0.5, 0.0, 0.0}).box({1.0, 0.1, 0.1}).hinge(joint);
    Simulation sim(builder.build());
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(sim.step().ok());
    const Reaction& r = joint_of(sim, "bar");
    EXPECT_NEAR(r.force.z(), 2.0 * kGravity, 1e-3) << by_motor;
    EXPECT_NEAR(r.torque.y(), -2.0 * kGravity * 0.5, 1e-3) << by_motor;
  }
}

// A rod of given length carries a ball: a loop that pulls with its weight.
TEST(Reactions, LoopsCarryTheirLoad) {
  SceneBuilder builder;
  builder.method("time-stepping", {{"step", "0.002"}});
  builder.body("hook").fixed().position({0.0, 0.0, 1.0});
  builder.body("ball").mass(3.0).sphere(0.1).slider({.axis = Vec3(0.0, 0.0, 1.0)});
  builder.set("loops",
              "[{name: rod, distance: {bodies: [hook, ball], anchors: [[0, 0, 0], [0, 0, 0]], "
              "length: 1}}]");
  Simulation sim(builder.build());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(sim.step().ok());
  for (const Reaction& r : sim.reactions()) {
    if (r.kind == Reaction::Kind::kLoop) {
      EXPECT_NEAR(r.force.z(), 3.0 * kGravity, 1e-9);
    } else {
      EXPECT_LT(r.force.norm(), 1e-9);  // the slider has nothing left to carry
    }
  }
  EXPECT_EQ(sim.reactions().size(), 2U);
}

}  // namespace
}  // namespace tenpin
