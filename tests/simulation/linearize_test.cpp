// Derivatives of the next state against formulas and against central differences of whole steps.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <Eigen/QR>

#include "simulation/scenes.h"

namespace tenpin {
namespace {

constexpr double kStep = 0.005;  // s

// Differences of whole steps carry the solver's tolerance over eps: 1e-12 / 1e-5, times the masses
// and arms here, and the square of eps.
constexpr double kDifferences = 2e-5;
// Of the largest entry: a step stops after two or three passes, each of which takes its error down
// some 50 times here; the derivative is that of a step with all passes.
constexpr double kPasses = 2e-4;

double calc_tolerance(const MatX& M) {
  return kDifferences + kPasses * M.lpNorm<Eigen::Infinity>();
}

void use_order_2(SceneBuilder* builder) {
  builder->method("time-stepping", {{"step", "0.005"}, {"order", "2"}, {"tolerance", "1e-11"}});
}

// Takes from displacements what opens or closes contacts: bodies that overlap have no next step, so
// whole steps tell the derivative along the contacts alone.
MatX make_projection(const Simulation& sim) {
  const Eigen::Index nv = sim.v().size();
  const ContactRows rows = calc_contact_rows(sim, 1e-8);
  MatX N(rows.contacts.size(), nv);
  for (Eigen::Index k = 0; k < N.rows(); ++k) N.row(k) = rows.J.row(3 * k);
  const MatX L = calc_mass_matrix(sim).inverse() * N.transpose();
  MatX P = MatX::Identity(2 * nv, 2 * nv);
  if (N.rows() > 0) {
    P.topLeftCorner(nv, nv) -= L * Eigen::CompleteOrthogonalDecomposition<MatX>(N * L).solve(N);
  }
  return P;
}

// Both derivatives of the next step of `sim`, and how far they are from each other.
void expect_same(const Simulation& sim) {
  const Linearization through = linearize(sim);
  ASSERT_TRUE(through.through_contacts) << through.why_differences;
  EXPECT_TRUE(through.is_smooth()) << through.kinks.front();
  const Linearization whole = linearize(sim, {.eps = 1e-5, .by_differences = true});
  EXPECT_FALSE(whole.through_contacts);
  EXPECT_EQ(through.duration, whole.duration);
  const MatX A = through.A * make_projection(sim);
  EXPECT_LT((A - whole.A).lpNorm<Eigen::Infinity>(), calc_tolerance(whole.A))
      << "through contacts\n"
      << A << "\nby differences\n"
      << whole.A;
  EXPECT_LT((through.B - whole.B).lpNorm<Eigen::Infinity>(), calc_tolerance(whole.B))
      << "through contacts\n"
      << through.B << "\nby differences\n"
      << whole.B;
}

// A pendulum that hangs down: theta'' = -(m g l / I) theta + f / I.
TEST(Linearize, HangingPendulumIsTheExactFlow) {
  SceneBuilder builder;
  builder.method("time-stepping", {{"step", "0.01"}});
  builder.body("bob")
      .mass(2.0)
      .position({0.0, 0.0, -0.5})
      .sphere(0.1)
      .hinge({.axis = Vec3(0.0, 1.0, 0.0), .anchor = Vec3(0.0, 0.0, 0.5)});
  const Simulation sim(builder.build());
  const double inertia = 2.0 * 0.25 + 0.4 * 2.0 * 0.01;
  const double omega = std::sqrt(2.0 * 9.81 * 0.5 / inertia);
  for (const bool by_differences : {false, true}) {
    const Linearization step = linearize(sim, {.by_differences = by_differences});
    EXPECT_EQ(step.through_contacts, !by_differences);
    EXPECT_EQ(step.duration, 0.01);
    EXPECT_NEAR(step.A(0, 0), std::cos(omega * 0.01), 1e-8);
    EXPECT_NEAR(step.A(0, 1), std::sin(omega * 0.01) / omega, 1e-8);
    EXPECT_NEAR(step.A(1, 0), -omega * std::sin(omega * 0.01), 1e-7);
    EXPECT_NEAR(step.B(1, 0), std::sin(omega * 0.01) / omega / inertia, 1e-8);
    EXPECT_TRUE(step.is_smooth());
  }
}

// A ball that rolls straight on: what disturbs it across its contact is taken out, and of velocity
// and spin along the table only their rolling part is left.
TEST(Linearize, RollingBallKeepsTheRollingPart) {
  SceneBuilder builder;
  use_order_2(&builder);
  builder.body("table").fixed().plane(Vec3::UnitZ());
  builder.body("ball")
      .mass(1.0)
      .position({0.0, 0.0, 0.1})
      .velocity({0.3, 0.0, 0.0}, {0.0, 3.0, 0.0})
      .sphere(0.1);
  const Simulation sim(builder.build());
  const Linearization step = linearize(sim);
  ASSERT_TRUE(step.through_contacts) << step.why_differences;
  const auto v = [](int k) {
    return 6 + k;
  };
  // Momentum about the contact is kept: 5/7 of what the velocity brings, 2/7 of the spin.
  EXPECT_NEAR(step.A(v(0), v(0)), 5.0 / 7.0, 1e-8);
  EXPECT_NEAR(step.A(v(0), v(4)), 0.1 * 2.0 / 7.0, 1e-8);
  EXPECT_NEAR(step.A(v(4), v(0)), 5.0 / 7.0 / 0.1, 1e-7);
  EXPECT_NEAR(step.A(v(2), v(2)), 0.0, 1e-8);
  EXPECT_NEAR(step.A(2, 2), 0.0, 1e-8);  // the gap closes
  EXPECT_NEAR(step.A(0, 0), 1.0, 1e-8);
  EXPECT_NEAR(step.B(v(0), 0), kStep * 5.0 / 7.0, 1e-8);
  EXPECT_NEAR(step.B(v(2), 2), 0.0, 1e-8);
  expect_same(sim);
}

TEST(Linearize, BallThatSlidesAndTurnsItsSlip) {
  SceneBuilder builder;
  use_order_2(&builder);
  builder.body("table").fixed().plane(Vec3::UnitZ());
  builder.body("ball")
      .mass(1.0)
      .position({0.0, 0.0, 0.1})
      .velocity({2.0, 0.4, 0.0}, {3.0, -2.0, 1.0})
      .sphere(0.1);
  Simulation sim(builder.build());
  sim.step();
  expect_same(sim);
}

TEST(Linearize, BallOnASphere) {
  SceneBuilder builder;
  use_order_2(&builder);
  builder.body("hill").fixed().sphere(1.0);
  builder.body("ball")
      .mass(1.0)
      .position({1.1 * std::sin(0.3), 0.0, 1.1 * std::cos(0.3)})
      .sphere(0.1);
  Simulation sim(builder.build());
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(sim.step().ok());
  expect_same(sim);
}

Simulation make_box(double speed) {
  SceneBuilder builder;
  use_order_2(&builder);
  builder.body("table").fixed().plane(Vec3::UnitZ());
  builder.body("box")
      .mass(2.0)
      .position({0.0, 0.0, 0.1})
      .velocity({speed, 0.0, 0.0})
      .box({0.4, 0.3, 0.2});
  Simulation sim(builder.build());
  sim.set_body_force(sim.body("box"), {1.0, 0.0, 0.0});
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(sim.step().ok());
  return sim;
}

// Four corners: impulses are not unique, the motion is.
TEST(Linearize, BoxThatSlidesOnFourCorners) {
  expect_same(make_box(1.0));
}

// A box that friction holds. Whole steps tell the velocities alone: beside this state they are
// taken in two halves, by the energy bound, which takes a velocity along the table half as far.
TEST(Linearize, BoxAtRestStaysAtRest) {
  const Simulation sim = make_box(0.0);
  const Linearization through = linearize(sim);
  ASSERT_TRUE(through.through_contacts) << through.why_differences;
  EXPECT_TRUE(through.is_smooth());
  EXPECT_LT(through.A.bottomRows(6).norm(), 1e-6);
  EXPECT_LT(through.B.norm(), 1e-6);
  EXPECT_NEAR(through.A(0, 6), 0.5 * kStep, 1e-9);  // half a drift, and it stands
  const Linearization whole = linearize(sim, {.eps = 1e-5, .by_differences = true});
  EXPECT_LT(whole.A.bottomRows(6).norm(), 1e-4);
}

// Faces that lie edge on edge: features change their names with the smallest motion.
TEST(Linearize, BoxOnABoxStaysAtRest) {
  SceneBuilder builder;
  use_order_2(&builder);
  builder.body("table").fixed().plane(Vec3::UnitZ());
  builder.body("low").mass(2.0).position({0.0, 0.0, 0.1}).box({0.2, 0.2, 0.2});
  builder.body("high").mass(1.0).position({0.0, 0.0, 0.3}).box({0.2, 0.2, 0.2});
  Simulation sim(builder.build());
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(sim.step().ok());
  const Linearization step = linearize(sim);
  ASSERT_TRUE(step.through_contacts) << step.why_differences;
  // Corners of the two faces take turns, so differences err by eps over the arms, 1e-5.
  constexpr double kCorners = 1e-4;
  EXPECT_LT(step.A.bottomRows(12).norm(), kCorners);
  EXPECT_LT(step.B.norm(), kCorners);
  EXPECT_NEAR(step.A(0, 12), 0.5 * kStep, 1e-6);
  EXPECT_LT(linearize(sim, {.eps = 1e-9}).A.bottomRows(12).norm(), 1e-2 * kCorners);
}

// A tree with a foot on the ground and a joint at its stop.
TEST(Linearize, LegThatPushesTheGround) {
  SceneBuilder builder;
  use_order_2(&builder);
  builder.body("table").fixed().plane(Vec3::UnitZ());
  builder.body("hip")
      .mass(2.0)
      .position({0.0, 0.0, 0.55})
      .box({0.1, 0.1, 0.1})
      .slider({.axis = Vec3(0.0, 0.0, 1.0), .damping = 3.0});
  builder.body("thigh")
      .parent("hip")
      .mass(0.5)
      .position({0.0, 0.0, -0.125})
      .capsule(0.02, 0.2)
      .hinge({.axis = Vec3(0.0, 1.0, 0.0), .anchor = Vec3(0.0, 0.0, 0.125), .at = 0.5});
  builder.body("shank")
      .parent("thigh")
      .mass(0.3)
      .position({0.0, 0.0, -0.25})
      .sphere(0.03, {0.0, 0.0, -0.125})
      .hinge({.axis = Vec3(0.0, 1.0, 0.0), .anchor = Vec3(0.0, 0.0, 0.125), .at = -1.0});
  Simulation sim(builder.build());
  for (int k = 0; k < 400 && sim.report().num_contacts == 0; ++k) {
    sim.set_joint_force(sim.joint("thigh"), -3.0);
    sim.set_joint_force(sim.joint("shank"), 6.0);
    ASSERT_TRUE(sim.step().ok());
  }
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(sim.step().ok());
  ASSERT_GT(sim.contacts().size(), 0U);
  expect_same(sim);
}

TEST(Linearize, JointAtItsStop) {
  SceneBuilder builder;
  use_order_2(&builder);
  builder.body("arm")
      .mass(1.0)
      .position({0.5, 0.0, 0.0})
      .box({1.0, 0.1, 0.1})
      .hinge({.axis = Vec3(0.0, 1.0, 0.0),
              .anchor = Vec3(-0.5, 0.0, 0.0),
              .at = 0.2,
              .limits = std::array<double, 2>{-0.2, 0.2}});
  Simulation sim(builder.build());
  ASSERT_TRUE(sim.step().ok());
  expect_same(sim);
  EXPECT_LT(linearize(sim).A.norm(), 1e-7);  // nothing that disturbs it is left
}

TEST(Linearize, SaysWhereTheStepHasAKink) {
  SceneBuilder builder;
  use_order_2(&builder);
  builder.material("wood", 0.5);
  builder.body("table").fixed().material("wood").plane(Vec3::UnitZ());
  builder.body("ball").mass(1.0).material("wood").position({0.0, 0.0, 0.1}).sphere(0.1);
  builder.body("puck")
      .mass(1.0)
      .material("wood")
      .position({1.0, 0.0, 0.1})
      .sphere(0.1)
      .planar(Vec3::UnitX(), Vec3::UnitZ());
  Simulation sim(builder.build());
  EXPECT_TRUE(linearize(sim).is_smooth());
  const BodyId ball = sim.body("ball");
  sim.set_body_force(ball, {0.0, 0.0, 9.81});  // nothing is left to press
  Linearization step = linearize(sim);
  ASSERT_EQ(step.kinks.size(), 1U);
  EXPECT_NE(step.kinks[0].find("table and ball"), std::string::npos) << step.kinks[0];
  // Friction at its limit: a ball slips from 7/2 mu m g on.
  sim.set_body_force(ball, {3.5 * 0.5 * 9.81, 0.0, 0.0});
  step = linearize(sim);
  ASSERT_EQ(step.kinks.size(), 1U);
  EXPECT_NE(step.kinks[0].find("edge of sliding"), std::string::npos) << step.kinks[0];
  sim.set_body_force(ball, {3.4 * 0.5 * 9.81, 0.0, 0.0});
  EXPECT_TRUE(linearize(sim).is_smooth());
  // A box on a ramp that is barely too steep, in its first step.
  const Simulation slow =
      Simulation::load(std::string(TENPIN_SOURCE_DIR) + "/scenes/slow-slide.yaml");
  step = linearize(slow);
  ASSERT_FALSE(step.is_smooth());
  EXPECT_EQ(step.kinks[0], "floor and box hardly slide");
}

TEST(Linearize, ImpactsAndOtherMethodsAreTakenAsAWhole) {
  SceneBuilder falling;
  use_order_2(&falling);
  falling.body("table").fixed().plane(Vec3::UnitZ());
  falling.body("ball").mass(1.0).position({0.0, 0.0, 0.102}).velocity({0.0, 0.0, -1.0}).sphere(0.1);
  const Linearization impact = linearize(Simulation(falling.build()));
  EXPECT_FALSE(impact.through_contacts);
  EXPECT_EQ(impact.why_differences, "an impact falls into the step");
  EXPECT_NEAR(impact.A(2, 2), 0.0, 1e-6);

  SceneBuilder builder;
  builder.method("analytic");
  builder.body("table").fixed().plane(Vec3::UnitZ());
  builder.body("ball")
      .mass(1.0)
      .position({0.0, 0.0, 0.1})
      .velocity({0.3, 0.0, 0.0}, {0.0, 3.0, 0.0})
      .sphere(0.1);
  const Linearization flow = linearize(Simulation(builder.build()), {.duration = 0.02});
  EXPECT_FALSE(flow.through_contacts);
  EXPECT_EQ(flow.duration, 0.02);
  EXPECT_NEAR(flow.B(6, 0), 0.02 * 5.0 / 7.0, 1e-6);
}

}  // namespace
}  // namespace tenpin
