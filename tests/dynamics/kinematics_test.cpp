#include "dynamics/kinematics.h"

#include <gtest/gtest.h>

#include "dynamics/flight.h"
#include "dynamics/forces.h"
#include "dynamics/mass_matrix.h"
#include "math/rotation.h"

namespace tenpin::dynamics {
namespace {

// A free body, a planar one in a tilted plane, and a turning, swinging, sliding platter.
Model three_bodies() {
  Model model;
  model.gravity = {0.0, 0.0, -9.81};
  Body free;
  free.mass = 2.0;
  free.moments = {0.1, 0.2, 0.25};
  free.q_BP = exp_map({0.3, -0.2, 0.5});
  const Mat3 R = to_matrix(free.q_BP);
  free.inertia = R * free.moments.asDiagonal() * R.transpose();
  model.bodies.push_back(free);

  Body planar;
  planar.joint.type = JointType::kPlanar;
  planar.joint.q_begin = 7;
  planar.joint.v_begin = 6;
  planar.joint.X_PJ = {.R = to_matrix(exp_map({0.4, 0.1, 0.0})), .p = {0.0, 0.0, 1.0}};
  planar.joint.X_MB.R = to_matrix(exp_map({0.0, 0.7, 0.2}));
  planar.mass = 3.0;
  planar.moments = {0.3, 0.3, 0.3};
  planar.inertia = planar.moments.asDiagonal();
  model.bodies.push_back(planar);

  Body platter;
  platter.joint.type = JointType::kPrescribed;
  platter.joint.X_PJ = {.R = to_matrix(exp_map({0.2, 0.0, 0.0})), .p = {1.0, 2.0, 3.0}};
  platter.motion = {.velocity = {0.1, 0.0, -0.2},
                    .angular_velocity = {0.0, 0.3, 4.0},
                    .pivot = {0.5, 1.5, 3.0},
                    .amplitude = {0.0, 0.05, 0.01},
                    .frequency = 2.0};
  model.bodies.push_back(platter);
  assign_coordinates(&model);
  return model;
}

VecX some_q() {
  const Quat quaternion = exp_map({0.1, 0.9, -0.4});
  VecX q(10);
  q << 0.1, -0.2, 0.3, quaternion.w(), quaternion.x(), quaternion.y(), quaternion.z(), 1.0, 2.0,
      0.6;
  return q;
}

VecX some_v() {
  return (VecX(9) << 1.0, -2.0, 0.5, 0.3, 0.8, -1.1, 0.4, -0.7, 2.0).finished();
}

void drift(const Model& model, double h, VecX* q_end, VecX* v_end) {
  const VecX q = some_q();
  const VecX v = some_v();
  Flight(model).drift({q, v, 0.0}, h, {false, false}, q_end, v_end);
}

std::vector<Pose> poses(const Model& model, const VecX& q, double t) {
  std::vector<Pose> X_WB;
  update_poses(model, q, t, &X_WB);
  return X_WB;
}

std::vector<Twist> twists(const Model& model, const std::vector<Pose>& X_WB, const VecX& v,
                          double t) {
  std::vector<Twist> V_WB;
  update_twists(model, X_WB, v, t, &V_WB);
  return V_WB;
}

// Twists are the rates of poses: checked by central differences along the drift.
TEST(Kinematics, TwistIsRateOfPose) {
  const Model model = three_bodies();
  const double t = 0.37;
  const double dt = 1e-5;
  VecX q_plus, q_minus, v;
  drift(model, dt, &q_plus, &v);
  drift(model, -dt, &q_minus, &v);
  for (int i = 0; i < model.num_bodies(); ++i) {
    const std::vector<Pose> X_WB = poses(model, some_q(), t);
    const Pose now = X_WB[i];
    const Pose plus = poses(model, q_plus, t + dt)[i];
    const Pose minus = poses(model, q_minus, t - dt)[i];
    const Twist twist = twists(model, X_WB, some_v(), t)[i];
    const Vec3 v_rate = (plus.p - minus.p) / (2.0 * dt);
    const Mat3 w_rate = (plus.R - minus.R) / (2.0 * dt) * now.R.transpose();
    EXPECT_LT((v_rate - twist.v).norm(), 1e-7) << i;
    EXPECT_LT((w_rate - skew(twist.w)).norm(), 1e-7) << i;
  }
}

TEST(MassMatrix, SolveUndoesMultiply) {
  const Model model = three_bodies();
  std::vector<Pose> X_WB;
  update_poses(model, some_q(), 0.0, &X_WB);
  MassMatrix M;
  M.update(model, X_WB, some_q(), VecX::Zero(9));
  VecX p(9), v(9);
  M.multiply_loose(model, some_v(), p);
  M.solve(model, p, v);
  EXPECT_LT((v - some_v()).norm(), 1e-14);
  EXPECT_NEAR(calc_kinetic_energy(model, X_WB, twists(model, X_WB, some_v(), 0.0), some_v()),
              0.5 * p.dot(some_v()), 1e-14);
}

TEST(Drift, KeepsKineticEnergy) {
  const Model model = three_bodies();
  std::vector<Pose> before, after;
  VecX q, v;
  drift(model, 0.01, &q, &v);
  update_poses(model, some_q(), 0.0, &before);
  update_poses(model, q, 0.01, &after);
  EXPECT_NEAR(calc_kinetic_energy(model, after, twists(model, after, v, 0.0), v),
              calc_kinetic_energy(model, before, twists(model, before, some_v(), 0.0), some_v()),
              1e-14);
}

// The work of gravity is what the potential loses.
TEST(Forces, GravityIsMinusGradientOfPotential) {
  const Model model = three_bodies();
  const double dt = 1e-4;
  VecX q_plus, q_minus, v, f(9);
  drift(model, dt, &q_plus, &v);
  drift(model, -dt, &q_minus, &v);
  std::vector<Pose> plus, minus;
  update_poses(model, q_plus, 0.0, &plus);
  update_poses(model, q_minus, 0.0, &minus);
  std::vector<Wrench> scratch;
  calc_gravity(model, poses(model, some_q(), 0.0), &scratch, f);
  const double rate =
      (calc_potential_energy(model, plus, q_plus) - calc_potential_energy(model, minus, q_minus)) /
      (2.0 * dt);
  EXPECT_NEAR(rate, -f.dot(some_v()), 1e-9);
}

// No coefficient is too large for the step: resistance never turns a velocity round.
TEST(Forces, ResistanceIsStable) {
  Model model = three_bodies();
  AppliedForce& applied = model.bodies[0].applied;
  applied.viscous = applied.viscous_spin = applied.drag = 1e6;
  const std::vector<Pose> X_WB = poses(model, some_q(), 0.0);
  const std::vector<Twist> V = twists(model, X_WB, some_v(), 0.0);
  std::vector<Wrench> scratch;
  VecX f(9);
  const double h = 0.01;
  calc_applied(model, X_WB, V, {.t = 0.0, .h = h}, &scratch, f);
  const Vec3 v_after = some_v().head<3>() + h * f.head<3>() / model.bodies[0].mass;
  EXPECT_GE(v_after.dot(some_v().head<3>()), 0.0);
  EXPECT_LT(v_after.norm(), 1e-3);
}

// More bodies than a thread takes at a time, of which some hang from one that another thread moves.
TEST(Kinematics, ThreadsMoveEveryBodyAlike) {
  constexpr int kNumBodies = 1200;
  Model model;
  for (int i = 0; i < kNumBodies; ++i) {
    Body body;
    body.mass = 1.0;
    body.moments = Vec3::Ones();
    body.inertia = Mat3::Identity();
    if (i >= kNumBodies / 2) {
      body.joint.type = JointType::kHinge;
      body.joint.parent = i % 3 == 0 ? i - 1 : i - kNumBodies / 2;
      body.joint.X_MB.p = {0.0, 0.1, 0.0};
    }
    model.bodies.push_back(body);
  }
  assign_coordinates(&model);
  VecX q(model.nq);
  for (int k = 0; k < model.nq; ++k) q[k] = 0.01 * (k % 97);
  const VecX v = VecX::LinSpaced(model.nv, -1.0, 2.0);
  const VecX v_dot = VecX::LinSpaced(model.nv, 3.0, -1.0);
  std::vector<Pose> X[2];
  std::vector<Twist> V[2];
  std::vector<Twist> A[2];
  const Workers workers(3);
  for (int k = 0; k < 2; ++k) {
    const Workers* const who = k == 0 ? nullptr : &workers;
    update_poses(model, q, 0.0, &X[k], who);
    update_twists(model, X[k], v, 0.0, &V[k], who);
    update_accelerations(model, {X[k], V[k], v, v_dot, 0.0}, &A[k], who);
  }
  for (int i = 0; i < kNumBodies; ++i) {
    ASSERT_EQ(X[0][i].p, X[1][i].p) << i;
    ASSERT_EQ(X[0][i].R, X[1][i].R) << i;
    ASSERT_EQ(V[0][i].v, V[1][i].v) << i;
    ASSERT_EQ(A[0][i].v, A[1][i].v) << i;
    ASSERT_EQ(A[0][i].w, A[1][i].w) << i;
  }
}

}  // namespace
}  // namespace tenpin::dynamics
