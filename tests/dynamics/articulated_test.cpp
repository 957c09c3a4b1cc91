#include "dynamics/articulated.h"

#include <gtest/gtest.h>

#include "dynamics/forces.h"
#include "dynamics/mass_matrix.h"
#include "math/trig.h"
#include "random_tree.h"

namespace tenpin::dynamics {
namespace {

struct Moving {
  Moving(const Model& model, const State& state, const VecX& v_dot) {
    update_poses(model, state.q, 0.0, &X_WB);
    update_twists(model, X_WB, state.v, 0.0, &V_WB);
    update_accelerations(model, {X_WB, V_WB, state.v, v_dot, 0.0}, &A_WB);
  }
  std::vector<Pose> X_WB;
  std::vector<Twist> V_WB;
  std::vector<Twist> A_WB;
};

VecX inverse_dynamics(const Model& model, const State& state, const VecX& v_dot) {
  const Moving motion(model, state, v_dot);
  VecX f = VecX::Zero(model.nv);
  std::vector<Wrench> scratch;
  for (const Mechanism& m : model.mechanisms) {
    add_inverse_dynamics(model, m, {motion.X_WB, motion.V_WB, motion.A_WB}, v_dot, &scratch, f);
  }
  return f;
}

// RNEA says what forces an acceleration needs, CRBA and ABA what acceleration forces make.
TEST(Articulated, ThreeAlgorithmsAgreeOnRandomTrees) {
  Dice dice(1);
  for (const int n : {1, 2, 3, 5, 10, 20, 50, 100, 200}) {
    for (int trial = 0; trial < (n < 50 ? 20 : 3); ++trial) {
      const Model model = random_tree(n, &dice);
      const State state = random_state(model, &dice);
      const VecX v_dot = random_state(model, &dice).v;
      const VecX f = inverse_dynamics(model, state, v_dot);
      const VecX bias = inverse_dynamics(model, state, VecX::Zero(model.nv));
      const Moving motion(model, state, v_dot);
      const Mechanism& mechanism = model.mechanisms.front();

      MatX M(model.nv, model.nv);
      calc_mass_matrix(model, mechanism, motion.X_WB, M);
      const double scale = f.lpNorm<Eigen::Infinity>();
      EXPECT_LE((M * v_dot + bias - f).lpNorm<Eigen::Infinity>(), 1e-12 * scale) << n;

      ArticulatedInertia trees;
      trees.update(model, mechanism, motion.X_WB, VecX::Zero(model.nv));
      VecX found(model.nv);
      const VecX driving = f - bias;
      trees.solve(driving.data(), found.data());
      EXPECT_LE((M * found - driving).lpNorm<Eigen::Infinity>(), 1e-12 * scale) << n;
      EXPECT_LE((found - v_dot).norm(), 1e-9 * v_dot.norm()) << n;
    }
  }
}

// Kinetic energy is 1/2 v'Mv and its gradient in v the momentum.
TEST(Articulated, MassMatrixIsThatOfTheKineticEnergy) {
  Dice dice(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Model model = random_tree(8, &dice);
    const State state = random_state(model, &dice);
    const Moving motion(model, state, VecX::Zero(model.nv));
    MatX M(model.nv, model.nv);
    calc_mass_matrix(model, model.mechanisms.front(), motion.X_WB, M);
    const double T = calc_kinetic_energy(model, motion.X_WB, motion.V_WB, state.v);
    EXPECT_NEAR(0.5 * state.v.dot(M * state.v) / T, 1.0, 1e-13);
  }
}

// Accelerations are the rates of twists along a motion with constant v_dot.
TEST(Kinematics, AccelerationIsRateOfTwist) {
  Dice dice(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Model model = random_tree(6, &dice);
    const State state = random_state(model, &dice);
    const VecX v_dot = random_state(model, &dice).v;
    const double dt = 1e-5;
    const auto twists_at = [&](double s) {
      State moved = state;
      displace(model, state.q, s * state.v + 0.5 * s * s * v_dot, moved.q);
      moved.v = state.v + s * v_dot;
      return Moving(model, moved, v_dot).V_WB;
    };
    const std::vector<Twist> plus = twists_at(dt);
    const std::vector<Twist> minus = twists_at(-dt);
    const Moving now(model, state, v_dot);
    for (int i = 0; i < model.num_bodies(); ++i) {
      const double size = 1.0 + now.A_WB[i].v.norm();
      EXPECT_LT((now.A_WB[i].v - (plus[i].v - minus[i].v) / (2.0 * dt)).norm(), 1e-6 * size);
      EXPECT_LT((now.A_WB[i].w - (plus[i].w - minus[i].w) / (2.0 * dt)).norm(), 1e-6 * size);
    }
  }
}

// The O(n) collision matrix against J M^-1 J' with the dense M.   [M11, §4]
TEST(Articulated, MobilityOfABodyIsItsBlockOfTheDenseInverse) {
  Dice dice(4);
  for (int trial = 0; trial < 30; ++trial) {
    const Model model = random_tree(12, &dice);
    const State state = random_state(model, &dice);
    const Moving motion(model, state, VecX::Zero(model.nv));
    const Mechanism& mechanism = model.mechanisms.front();
    MatX M(model.nv, model.nv);
    calc_mass_matrix(model, mechanism, motion.X_WB, M);
    ArticulatedInertia trees;
    trees.update(model, mechanism, motion.X_WB, VecX::Zero(model.nv));
    const int body = dice.below(12);
    MatX J = MatX::Zero(6, model.nv);
    for (int k = 0; k < 6; ++k) {
      VecX row = VecX::Zero(model.nv);
      const Vec3 zero = Vec3::Zero();
      const Vec3 unit = Vec3::Unit(k % 3);
      add_jacobian_row(model, motion.X_WB, body,
                       {motion.X_WB[body].p, k < 3 ? unit : zero, k < 3 ? zero : unit}, row.data());
      J.row(k) = row;
    }
    MatX L(model.nv, 6);
    for (int k = 0; k < 6; ++k) {
      const VecX row = J.row(k);
      trees.solve(row.data(), L.col(k).data());
    }
    EXPECT_LE((M * L - J.transpose()).norm(), 1e-11 * J.norm());
    EXPECT_LE((trees.calc_mobility(body) - J * L).norm(), 1e-12 * (J * L).norm());
  }
}

// [M11, §2]: M and J of the double pendulum as printed, bars of length r and mass m.
TEST(Articulated, DoublePendulumIsMorgans) {
  const double m = 1.3;
  const double r = 0.7;
  const Model model = bar_chain(2, m, r);
  for (const auto& [q1, q2] : {std::pair(-1.0, -0.7), std::pair(0.3, 2.0), std::pair(-1.7, 1.0)}) {
    State state;
    state.q = (VecX(2) << q1, q2).finished();
    state.v = VecX::Zero(2);
    const Moving motion(model, state, state.v);
    MatX M(2, 2);
    calc_mass_matrix(model, model.mechanisms.front(), motion.X_WB, M);
    const double c2 = sin_cos(q2).cos;
    MatX printed(2, 2);
    printed << c2 + 5.0 / 3.0, 0.5 * c2 + 1.0 / 3.0, 0.5 * c2 + 1.0 / 3.0, 1.0 / 3.0;
    printed *= m * r * r;
    EXPECT_LE((M - printed).norm(), 1e-14 * printed.norm());

    const auto [s1, c1] = sin_cos(q1);
    const auto [s12, c12] = sin_cos(q1 + q2);
    MatX J_printed(2, 2);
    J_printed << -s1 - s12, -s12, c1 + c12, c12;
    J_printed *= r;
    const Vec3 tip = motion.X_WB[1] * Vec3(0.5 * r, 0.0, 0.0);
    EXPECT_LE((tip - r * Vec3(c1 + c12, 0.0, s1 + s12)).norm(), 1e-14);
    MatX J(2, 2);
    for (int k = 0; k < 2; ++k) {
      VecX row = VecX::Zero(2);
      add_jacobian_row(model, motion.X_WB, 1,
                       {tip, k == 0 ? Vec3::UnitX() : Vec3::UnitZ(), Vec3::Zero()}, row.data());
      J.row(k) = row;
    }
    EXPECT_LE((J - J_printed).norm(), 1e-14 * J_printed.norm());
  }
}

// No recursion: ten thousand links in a row.
TEST(Articulated, LongChainNeedsNoStack) {
  const Model model = bar_chain(10000, 1.0, 0.01);
  State state;
  state.q = VecX::Constant(model.nq, 1e-3);
  state.v = VecX::Constant(model.nv, 1e-3);
  const Moving motion(model, state, state.v);
  ArticulatedInertia trees;
  trees.update(model, model.mechanisms.front(), motion.X_WB, VecX::Zero(model.nv));
  const VecX v_dot = VecX::Constant(model.nv, 0.5);
  const VecX f =
      inverse_dynamics(model, state, v_dot) - inverse_dynamics(model, state, VecX::Zero(model.nv));
  VecX found(model.nv);
  trees.solve(f.data(), found.data());
  // The chain is ill-conditioned, not the solve: what it found needs the same forces.
  const VecX needs =
      inverse_dynamics(model, state, found) - inverse_dynamics(model, state, VecX::Zero(model.nv));
  EXPECT_LE((needs - f).lpNorm<Eigen::Infinity>(), 1e-9 * f.lpNorm<Eigen::Infinity>());
}

}  // namespace
}  // namespace tenpin::dynamics
