#include "dynamics/flight.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/trig.h"
#include "random_tree.h"

namespace tenpin::dynamics {
namespace {

struct Energy {
  double kinetic, potential;
  double total() const { return kinetic + potential; }
};

Energy energy(const Model& model, const VecX& q, const VecX& v) {
  std::vector<Pose> X_WB;
  std::vector<Twist> V_WB;
  update_poses(model, q, 0.0, &X_WB);
  update_twists(model, X_WB, v, 0.0, &V_WB);
  return {calc_kinetic_energy(model, X_WB, V_WB, v), calc_potential_energy(model, X_WB, q)};
}

// Flies the first mechanism for a number of steps.
State fly(const Model& model, State state, double h, int steps) {
  Flight flight(model);
  VecX q = state.q;
  VecX v = state.v;
  for (int i = 0; i < steps; ++i) {
    Flight::Work work;
    EXPECT_TRUE(flight.fly(0, {state.q, state.v, i * h}, h, &q, &v, &work));
    state.q = q;
    state.v = v;
  }
  return state;
}

// A swinging chain of ten bars, let go level.
TEST(Flight, ChainOfTenKeepsItsEnergyForTenSeconds) {
  const Model model = bar_chain(10, 1.0, 0.1);
  State state;
  state.q = VecX::Zero(10);
  state.q[0] = 0.3;
  state.v = VecX::Zero(10);
  const double before = energy(model, state.q, state.v).total();
  const State end = fly(model, state, 1.0 / 240.0, 2400);
  const double swing = 10.0 * 9.81 * 1.0;  // J   weight times length
  EXPECT_LE(std::fabs(energy(model, end.q, end.v).total() - before), 1e-9 * swing);
}

// A rod of 1 m, let go at 60 degrees: the period by elliptic functions.
TEST(Flight, RodSwingsWithThePeriodOfElliptic) {
  const Model model = bar_chain(1, 2.0, 1.0);
  State state;
  state.q = VecX::Constant(1, -kPi / 2.0 + kPi / 3.0);
  state.v = VecX::Zero(1);
  const double period = 1.757814804674;
  const State end = fly(model, state, period / 400.0, 400);
  // Near the turning point the angle does not tell the time, the rate does: w = -alpha dt.
  const double alpha = 1.5 * 9.81 * std::sqrt(3.0) / 2.0;
  EXPECT_LE(std::fabs(end.v[0]) / alpha, 1e-9);
  EXPECT_NEAR(end.q[0], state.q[0], 1e-12);
}

TEST(Flight, DriftOfRandomTreesKeepsKineticEnergyAndReportsThePotential) {
  Dice dice(5);
  for (int trial = 0; trial < 20; ++trial) {
    const Model model = random_tree(6, &dice);
    const State state = random_state(model, &dice);
    Flight flight(model);
    VecX q, v;
    Flight::Work work;
    const std::vector<bool> nobody(model.mechanisms.size());
    ASSERT_TRUE(flight.drift({state.q, state.v, 0.0}, 0.01, nobody, &q, &v, &work));
    const Energy before = energy(model, state.q, state.v);
    const Energy after = energy(model, q, v);
    EXPECT_NEAR(after.kinetic, before.kinetic, 1e-11 * before.kinetic);
    EXPECT_NEAR(work.potential, before.potential - after.potential, 1e-11 * before.kinetic);
  }
}

// The work of gravity and springs is the energy that they lose, whether they act or not.
TEST(Flight, BooksTheWorkOfSpringsInAllJoints) {
  Dice dice(16);
  for (int trial = 0; trial < 10; ++trial) {
    Model model = random_tree(4, &dice);
    for (Body& body : model.bodies) {
      const JointType type = body.joint.type;
      const bool bends =
          type == JointType::kHinge || type == JointType::kSlider || type == JointType::kBall;
      if (bends) body.joint.forces.stiffness = 5.0;
    }
    const State state = random_state(model, &dice);
    const Energy before = energy(model, state.q, state.v);
    Flight flight(model);
    for (const bool flies : {false, true}) {
      VecX q = state.q;
      VecX v = state.v;
      Flight::Work work;
      ASSERT_TRUE(flies ? flight.fly(0, {state.q, state.v, 0.0}, 0.01, &q, &v, &work)
                        : flight.drift(0, {state.q, state.v, 0.0}, 0.01, &q, &v, &work));
      EXPECT_NEAR(work.potential, before.potential - energy(model, q, v).potential,
                  1e-10 * before.kinetic);
    }
  }
}

// The force of a spring in a ball joint jumps when the joint passes half a turn; its energy does
// not.
TEST(Flight, DriftBooksSpringsThatPassHalfATurn) {
  Dice dice(15);
  int num_passed = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Model model = random_tree(4, &dice);
    for (Body& body : model.bodies) {
      if (body.joint.type == JointType::kBall) body.joint.forces.stiffness = 5.0;
    }
    State state = random_state(model, &dice);
    state.v *= 10.0;
    Flight flight(model);
    VecX q, v;
    Flight::Work work;
    const std::vector<bool> none(model.mechanisms.size());
    ASSERT_TRUE(flight.drift({state.q, state.v, 0.0}, 0.05, none, &q, &v, &work));
    for (const Body& body : model.bodies) {
      const int iq = body.joint.q_begin;
      if (body.joint.type == JointType::kBall && q[iq] * state.q[iq] < 0.0) ++num_passed;
    }
    EXPECT_NEAR(work.potential,
                energy(model, state.q, state.v).potential - energy(model, q, v).potential,
                1e-10 * energy(model, q, v).kinetic);
  }
  EXPECT_GE(num_passed, 3);
}

// Angular momentum of a free-floating tree about its centre of mass, without forces.
TEST(Flight, FloatingTreeKeepsMomentum) {
  Dice dice(6);
  Model model = random_tree(7, &dice);
  while (model.bodies[0].joint.type != JointType::kFree) model = random_tree(7, &dice);
  const State state = random_state(model, &dice);
  const auto momenta = [&](const VecX& q, const VecX& v) {
    std::vector<Pose> X_WB;
    std::vector<Twist> V_WB;
    update_poses(model, q, 0.0, &X_WB);
    update_twists(model, X_WB, v, 0.0, &V_WB);
    Vec6 sum = Vec6::Zero();
    for (int i = 0; i < model.num_bodies(); ++i) {
      const Vec3 p = model.bodies[i].mass * V_WB[i].v;
      sum.head<3>() += p;
      sum.tail<3>() +=
          calc_world_inertia(model.bodies[i], X_WB[i]) * V_WB[i].w + X_WB[i].p.cross(p);
    }
    return sum;
  };
  Flight flight(model);
  VecX q, v;
  ASSERT_TRUE(flight.drift({state.q, state.v, 0.0}, 0.1, {false}, &q, &v));
  const Vec6 before = momenta(state.q, state.v);
  EXPECT_LE((momenta(q, v) - before).norm(), 1e-11 * before.norm());
}

// Spring, damper and motor do the work that the flight reports.
TEST(Flight, BooksTheWorkOfJointForces) {
  Model model = bar_chain(3, 1.0, 0.3);
  model.bodies[1].joint.forces = {.stiffness = 20.0, .rest = 0.4, .damping = 0.1};
  model.bodies[2].joint.forces.motor = {.kind = Motor::Kind::kPosition,
                                        .target = 0.3,
                                        .amplitude = 0.2,
                                        .frequency = 2.0,
                                        .stiffness = 10.0,
                                        .damping = 0.2};
  State state;
  state.q = VecX::Constant(3, 0.1);
  state.v = VecX::Constant(3, 1.0);
  Flight flight(model);
  VecX q = state.q;
  VecX v = state.v;
  Flight::Work work;
  ASSERT_TRUE(flight.fly(0, {state.q, state.v, 0.3}, 0.02, &q, &v, &work));
  const Energy before = energy(model, state.q, state.v);
  const Energy after = energy(model, q, v);
  EXPECT_NEAR(work.potential, before.potential - after.potential, 1e-12);
  EXPECT_NEAR(work.applied, after.total() - before.total(), 1e-12);
  EXPECT_NE(work.applied, 0.0);
}

// Three bars and the ground: the fourth hinge is a loop of five rows, three of them redundant.
Model four_bar(bool as_hinge) {
  Model model = bar_chain(3, 1.0, 1.0);
  Loop loop;
  loop.kind = as_hinge ? Loop::Kind::kHinge : Loop::Kind::kBall;
  loop.body_a = kWorld;
  loop.body_b = 2;
  loop.p_A = {1.7, 0.0, 0.0};  // no change point: no pose where the bars lie on one line
  loop.p_B = {0.5, 0.0, 0.0};
  loop.R_A = loop.R_B = model.bodies[0].joint.X_PJ.R;
  loop.R_B.setIdentity();  // the bar's own z is the hinge's axis already
  model.loops.push_back(loop);
  assign_coordinates(&model);
  return model;
}

TEST(Loops, FourBarClosesKeepsEnergyAndCountsRedundantRows) {
  for (const bool as_hinge : {true, false}) {
    const Model model = four_bar(as_hinge);
    State state;
    state.q = (VecX(3) << 1.2, -1.0, -1.2).finished();
    EXPECT_LE(close_loops(model, model.mechanisms[0], 0.0, &state.q), 1e-14);
    std::vector<Pose> X_WB;
    update_poses(model, state.q, 0.0, &X_WB);
    MechanismInverse inverse;
    inverse.update(model, model.mechanisms[0], X_WB, state.q, VecX::Zero(3));
    EXPECT_EQ(inverse.loops().size(), as_hinge ? 5 : 3);
    EXPECT_EQ(inverse.num_redundant(), as_hinge ? 3 : 1);
    state.v = VecX::Constant(3, 1.0);
    inverse.close_rates(inverse.loops().jacobian() * state.v, state.v);
    EXPECT_LE((inverse.loops().jacobian() * state.v).norm(), 1e-14);

    const double before = energy(model, state.q, state.v).total();
    const State end = fly(model, state, 1.0 / 240.0, 2400);
    EXPECT_NEAR(energy(model, end.q, end.v).total(), before, 1e-9 * 30.0);
    update_poses(model, end.q, 0.0, &X_WB);
    inverse.update(model, model.mechanisms[0], X_WB, end.q, VecX::Zero(3));
    EXPECT_LE(inverse.loops().errors().lpNorm<Eigen::Infinity>(), 1e-9);
  }
}

TEST(Loops, TooShortALoopKeepsItsResidual) {
  Model model = four_bar(true);
  model.loops[0].p_A = {5.0, 0.0, 0.0};
  VecX q = (VecX(3) << 0.5, -0.5, -0.5).finished();
  const double residual = close_loops(model, model.mechanisms[0], 0.0, &q);
  EXPECT_GE(residual, 2.0 - 1e-9);  // what three bars of 1 m lack
  EXPECT_LE(residual, 2.1);
}

}  // namespace
}  // namespace tenpin::dynamics
