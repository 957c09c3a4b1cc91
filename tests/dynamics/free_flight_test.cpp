#include "dynamics/free_flight.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/flight.h"
#include "dynamics/kinematics.h"
#include "dynamics/mass_matrix.h"
#include "math/rotation.h"
#include "math/trig.h"

namespace tenpin::dynamics {
namespace {

// One free body with given principal moments, along its own axes.
Model one_body(const Vec3& moments) {
  Model model;
  Body body;
  body.mass = 1.0;
  body.moments = moments;
  body.inertia = moments.asDiagonal();
  model.bodies.push_back(body);
  assign_coordinates(&model);
  return model;
}

struct Spin {
  VecX q = (VecX(7) << 0, 0, 0, 1, 0, 0, 0).finished();
  VecX v = VecX::Zero(6);
};

Spin fly(const Model& model, const Vec3& w0, double h, int steps) {
  Spin spin;
  spin.v.tail<3>() = w0;
  Spin next = spin;
  Flight flight(model);
  for (int i = 0; i < steps; ++i) {
    flight.drift({spin.q, spin.v, 0.0}, h, {false}, &next.q, &next.v);
    std::swap(spin, next);
  }
  return spin;
}

Vec3 momentum(const Model& model, const Spin& spin) {
  const Mat3 R = to_matrix(Quat(spin.q[3], spin.q[4], spin.q[5], spin.q[6]));
  return R * model.bodies[0].moments.asDiagonal() * R.transpose() * spin.v.tail<3>();
}

Vec3 body_rate(const Spin& spin) {
  return to_matrix(Quat(spin.q[3], spin.q[4], spin.q[5], spin.q[6])).transpose() * spin.v.tail<3>();
}

// Peers lose 17 to 75 % of the energy here.
TEST(FreeFlight, AsymmetricBodyKeepsEnergyAndMomentumFor100Seconds) {
  const Model model = one_body({1.0, 2.0, 3.0});
  for (const Vec3& w0 : {Vec3(1.2, 0.0, 1.0), Vec3(0.001, 1.0, 0.001), Vec3(2.0, 20.0, 1.0)}) {
    const Vec3 m0 = Vec3(1.0, 2.0, 3.0).cwiseProduct(w0);
    const double T0 = 0.5 * m0.dot(w0);
    const Spin end = fly(model, w0, 1.0 / 240.0, 24000);
    const Vec3 L = momentum(model, end);
    const double T = 0.5 * L.dot(end.v.tail<3>());
    EXPECT_LE(std::fabs(T - T0) / T0, 1e-10);
    EXPECT_LE((L - m0).norm() / m0.norm(), 1e-10);
  }
}

// Jacobi's solution for I = (1, 2, 3), w0 = (1.2, 0, 1): period and values from elliptic functions.
TEST(FreeFlight, AsymmetricBodyFollowsJacobi) {
  const Model model = one_body({1.0, 2.0, 3.0});
  const Vec3 w0(1.2, 0.0, 1.0);
  const double kTolerance = 1e-10;  // the reference itself is good to 4e-12
  const Vec3 at_1(0.712579906349219, 0.965520521308241, 0.8302148563138465);
  const Vec3 at_10(-0.692499933538053, 0.9800223681374786, 0.8245314139861922);
  EXPECT_LT((body_rate(fly(model, w0, 1.0 / 240.0, 240)) - at_1).norm(), kTolerance);
  EXPECT_LT((body_rate(fly(model, w0, 1.0 / 240.0, 2400)) - at_10).norm(), kTolerance);
  const double period = 7.349965453423184;
  EXPECT_LT((body_rate(fly(model, w0, period / 1764.0, 1764)) - w0).norm(), kTolerance);
}

// A symmetric top precesses in the body at (C - A)/A w3, in space at |L|/A.
TEST(FreeFlight, SymmetricTopPrecesses) {
  const Model model = one_body({1.0, 1.0, 2.0});
  const Vec3 w0(0.3, 0.0, 5.0);
  const double t = 1.7;
  const auto [s, c] = sin_cos(5.0 * t);
  const Spin end = fly(model, w0, t / 400.0, 400);
  EXPECT_LT((body_rate(end) - Vec3(0.3 * c, 0.3 * s, 5.0)).norm(), 1e-10);
}

TEST(FreeFlight, SphereTurnsWithoutError) {
  const Quat q =
      calc_free_rotation(Quat::Identity(), Vec3::Constant(0.4), Vec3(0.0, 0.0, 0.4), kPi / 2.0);
  EXPECT_LT((to_matrix(q) * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
}

// However fast the body and however long the step, it is cut into pieces that are small enough.
TEST(FreeFlight, FastSpinIsSubdivided) {
  const Model model = one_body({1.0, 2.0, 3.0});
  const Vec3 w0(200.0, 300.0, -100.0);
  const Vec3 m0 = Vec3(1.0, 2.0, 3.0).cwiseProduct(w0);
  const Spin end = fly(model, w0, 0.1, 10);
  const double T = 0.5 * momentum(model, end).dot(end.v.tail<3>());
  EXPECT_LE(std::fabs(T / (0.5 * m0.dot(w0)) - 1.0), 1e-10);
}

// A slow turn takes the short way, and arrives where many shorter ones do.
TEST(FreeFlight, SlowTurnIsExactInOneStep) {
  const Vec3 moments(1, 2, 3);
  const Vec3 L(1.0e-6, -2.1e-6, 1.9e-6);
  const Quat start = Quat(0.4, 0.5, -0.6, 0.3).normalized();
  const Quat once = calc_free_rotation(start, moments, L, 1.0);
  Quat often = start;
  for (int i = 0; i < 16; ++i) often = calc_free_rotation(often, moments, L, 1.0 / 16);
  EXPECT_LE((once.coeffs() - often.coeffs()).lpNorm<Eigen::Infinity>(), 2e-15);
  EXPECT_GE((once.coeffs() - start.coeffs()).lpNorm<Eigen::Infinity>(), 1e-7);
}

TEST(FreeFlight, GoesBackWhenTimeDoes) {
  const Model model = one_body({1.0, 2.0, 3.0});
  Spin there = fly(model, {1.2, 0.5, 1.0}, 0.01, 1);
  Spin back = there;
  Flight(model).drift({there.q, there.v, 0.0}, -0.01, {false}, &back.q, &back.v);
  EXPECT_LT((back.v.tail<3>() - Vec3(1.2, 0.5, 1.0)).norm(), 1e-14);
}

}  // namespace
}  // namespace tenpin::dynamics
