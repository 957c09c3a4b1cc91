#include "dynamics/free_flight.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/flight.h"
#include "dynamics/jacobi_rotation.h"
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
      calc_free_rotation({.w_P = Vec3(0.0, 0.0, 1.0)}, Vec3::Constant(0.4), kPi / 2.0).q_WP;
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
  const FreeRotation start{.q_WP = Quat(0.4, 0.5, -0.6, 0.3).normalized(),
                           .w_P = Vec3(1.0e-6, -1.1e-6, 0.6e-6)};
  const FreeRotation once = calc_free_rotation(start, moments, 1.0);
  FreeRotation often = start;
  for (int i = 0; i < 16; ++i) often = calc_free_rotation(often, moments, 1.0 / 16);
  EXPECT_LE((once.q_WP.coeffs() - often.q_WP.coeffs()).lpNorm<Eigen::Infinity>(), 2e-15);
  EXPECT_LE((once.w_P - often.w_P).norm(), 1e-14 * start.w_P.norm());
  EXPECT_GE((once.q_WP.coeffs() - start.q_WP.coeffs()).lpNorm<Eigen::Infinity>(), 1e-7);
}

double distance(const FreeRotation& a, const FreeRotation& b) {
  const double turn = std::min((a.q_WP.coeffs() - b.q_WP.coeffs()).norm(),
                               (a.q_WP.coeffs() + b.q_WP.coeffs()).norm());
  return std::max(2.0 * turn, (a.w_P - b.w_P).norm() / a.w_P.norm());
}

// Jacobi's solution and the splitting are different code for the same motion, on both sides of the
// separatrix, near it, and for all orders of the axes.
TEST(FreeFlight, JacobiAgreesWithTheSplitting) {
  const Quat q = Quat(0.4, 0.5, -0.6, 0.3).normalized();
  for (const Vec3& moments :
       {Vec3(1, 2, 3), Vec3(3, 1, 2), Vec3(2, 3, 1), Vec3(2, 1, 3), Vec3(1, 3, 2), Vec3(3, 2, 1),
        Vec3(0.02, 1, 1.01), Vec3(1, 1.001, 1.9)}) {
    for (const Vec3& w : {Vec3(1.2, 0.3, 1), Vec3(-0.4, 2, 0.3), Vec3(0.1, -0.3, 2),
                          Vec3(2, 1e-3, -1e-3), Vec3(1e-3, 2, 1e-3), Vec3(1e-3, -1e-3, -2),
                          Vec3(0, 1.0, -1.0), Vec3(1.0, 0, 0.5), Vec3(1.0, -0.5, 0)}) {
      const FreeRotation start{.q_WP = q, .w_P = w};
      for (const double h : {0.01, 0.7, -3.0, 7.0}) {
        SCOPED_TRACE(testing::Message()
                     << moments.transpose() << " | " << w.transpose() << " | " << h);
        FreeRotation split = start;
        // Steps of 0.03 rad at most, whose own error is 1e-16.
        for (int i = 0; i < 512; ++i) split = calc_free_rotation(split, moments, h / 512);
        // 19000 turns are rounded, 1e-16 each; near the middle axis errors grow as exp(|w| h), and
        // the spin about a thin axis is that much more sensitive.
        const double growth = std::exp(std::min(12.0, 0.6 * std::fabs(h) * w.norm()));
        const double thin = moments.maxCoeff() / moments.minCoeff();
        EXPECT_LE(distance(split, calc_jacobi_rotation(start, moments, h)),
                  3e-13 * (2.0 + growth) * thin);
      }
    }
  }
}

// Any rate and any time: bounded work, energy and momentum kept. A box at 1e7 rad/s took a second
// per step, the needle never ended.
TEST(FreeFlight, NoRateIsTooFast) {
  const Vec3 moments(0.0167, 0.0433, 0.0333);
  for (const double rate : {1e3, 1e6, 1e7, 1e9, 1e12}) {
    const FreeRotation start{.w_P = rate * Vec3(0.3, 1, 0.2)};
    FreeRotation end = start;
    for (int i = 0; i < 1000; ++i) end = calc_free_rotation(end, moments, 0.01);
    const Vec3 m0 = moments.cwiseProduct(start.w_P);
    const Vec3 m1 = moments.cwiseProduct(end.w_P);
    EXPECT_LE((to_matrix(end.q_WP) * m1 - m0).norm(), 1e-12 * m0.norm()) << rate;
    EXPECT_NEAR(m1.dot(end.w_P) / m0.dot(start.w_P), 1.0, 1e-12) << rate;
  }
}

// One long flight is many short ones: 2000 rad in closed form and by composed steps of 0.02 rad.
TEST(FreeFlight, LongFlightIsManyShortOnes) {
  const Vec3 moments(0.0167, 0.0433, 0.0333);
  const FreeRotation start{.w_P = Vec3(300, 1000, 200)};
  FreeRotation often = start;
  for (int i = 0; i < 100000; ++i) often = calc_free_rotation(often, moments, 2e-5);
  EXPECT_LE(distance(often, calc_free_rotation(start, moments, 2.0)), 1e-10);
}

// A needle keeps its axial spin, however thin it is and whether its width and height differ.
TEST(FreeFlight, NeedlesKeepTheirAxialSpin) {
  for (const double r : {1e-3, 1e-5, 1e-7, 3e-9, 1e-9}) {
    for (const double flat : {1.0, 1.5}) {
      const double y2 = r * r;
      const double z2 = flat * flat * r * r;
      const Model model = one_body(Vec3(y2 + z2, 0.25 + z2, 0.25 + y2) / 3.0);
      const Vec3 w0(0.3, 1.0, 0.2);
      const Spin end = fly(model, w0, 0.01, 1000);
      SCOPED_TRACE(testing::Message() << r << " " << flat);
      const Vec3 w = body_rate(end);
      if (flat == 1.0) {
        EXPECT_NEAR(w.x(), 0.3, 1e-12);
      }
      const Vec3& I = model.bodies[0].moments;
      const double T0 = 0.5 * w0.dot(I.cwiseProduct(w0));
      EXPECT_NEAR(0.5 * w.dot(I.cwiseProduct(w)) / T0, 1.0, 1e-12);
      // A flat needle exchanges some of it with the tumbling. 2T - L^2 / I_z is constant, and as
      // small as the axial energy is; without cancellation it is this.
      const auto calc_excess = [&I](const Vec3& rate) {
        return (I[0] * rate[0] * rate[0] * (I[2] - I[0]) -
                I[1] * rate[1] * rate[1] * (I[1] - I[2])) /
               I[2];
      };
      EXPECT_NEAR(calc_excess(w) / calc_excess(w0), 1.0, 1e-9);
    }
  }
}

// The bound on the spin is never passed, and is reached.
TEST(FreeFlight, LargestSpinIsReached) {
  const Vec3 moments(1, 2, 3);
  for (const Vec3& w : {Vec3(0.1, 2, 0.1), Vec3(1, 0.3, 0.2), Vec3(0.2, 0.3, -1)}) {
    const double bound = calc_largest_spin(moments, w);
    double most = 0.0;
    FreeRotation now{.w_P = w};
    for (int i = 0; i < 20000; ++i) {
      now = calc_free_rotation(now, moments, 0.005);
      most = std::max(most, now.w_P.norm());
    }
    EXPECT_LE(most, bound);
    EXPECT_GE(most, bound * (1.0 - 1e-4));
  }
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
