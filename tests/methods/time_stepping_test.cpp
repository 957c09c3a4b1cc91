// What the paper's time stepping must get right, against closed-form mechanics.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "math/trig.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

constexpr double kG = 9.81;

std::string method(const std::string& options) {
  return "method: {time-stepping: {order: 1, solver: lemke, " + options + "}}\n";
}

// A box of side 0.2 m on a plane tilted by 15 degrees; friction mu; x along the slope downwards.
std::string ramp(double mu, const std::string& options) {
  return "tenpin: 1\nname: ramp\ngravity: [0, 0, -9.81]\n"
         "materials: {wood: {friction: " +
         std::to_string(mu) +
         ", restitution: 0}}\n"
         "bodies:\n"
         "  - {name: ramp, fixed: true, material: wood,"
         " orientation: {axis: [0, 1, 0], degrees: 15}, shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
         "  - {name: block, material: wood, mass: 2, orientation: {axis: [0, 1, 0], degrees: 15},"
         " position: [0.025881904510252074, 0, 0.09659258262890683],"
         " shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n" +
         method(options);
}

const double kTan15 = sin_cos(kPi / 12.0).sin / sin_cos(kPi / 12.0).cos;

// Peers creep by 1e-9 ... 9e-3 m.
TEST(Ramp, BlockAboveCriticalFrictionDoesNotCreep) {
  for (const char* formulation : {"position", "velocity", "nonlinear"}) {
    SceneRun run(ramp(1.01 * kTan15,
                      std::string("step: 0.004166666666666667, formulation: ") + formulation));
    const Vec3 start = run.position("block");
    ASSERT_EQ(run.run_until(10.0), AdvanceStatus::kReachedEnd);
    EXPECT_LE((run.position("block") - start).norm(), 1e-9) << formulation;
    run.expect_ledger_closes();
  }
}

TEST(Ramp, BlockBelowCriticalFrictionAcceleratesAsItShould) {
  const double mu = 0.99 * kTan15;
  SceneRun run(ramp(mu, "step: 0.004166666666666667"));
  ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
  const auto [s, c] = sin_cos(kPi / 12.0);
  // The printed decimals of mu are what the scene has.
  const double mu_read = std::stod(std::to_string(mu));
  const double expected = kG * (s - mu_read * c) * run.built.state.t;
  EXPECT_NEAR(run.twist("block").v.norm() / expected, 1.0, 1e-9);
  run.expect_ledger_closes();
}

std::string stack(double ratio) {
  return "tenpin: 1\nname: heavy on light\nmaterials: {m: {friction: 0.5, restitution: 0}}\n"
         "bodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
         "  - {name: light, material: m, mass: 1, position: [0, 0, 0.1],"
         " shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n"
         "  - {name: heavy, material: m, mass: " +
         std::to_string(ratio) +
         ", position: [0, 0, 0.3], shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n" +
         method("step: 0.004166666666666667");
}

TEST(Stack, HeavyOnLightDoesNotSink) {
  for (const double ratio : {9.0, 100.0, 10000.0}) {
    SceneRun run(stack(ratio));
    ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_LE(run.worst_penetration, 1e-6 * 0.2);
    EXPECT_LE(run.worst_residual, 1e-9);
    EXPECT_NEAR(run.position("heavy").z(), 0.3, 1e-6 * 0.2);
    run.expect_ledger_closes();
  }
}

std::string bowling_ball(double h) {
  return "tenpin: 1\nname: slide to roll\nmaterials: {m: {friction: 0.2, restitution: 0}}\n"
         "bodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
         "  - {name: ball, material: m, mass: 1, position: [0, 0, 0.1], velocity: [3, 0, 0],"
         " shapes: [{sphere: {radius: 0.1}}]}\n" +
         method("step: " + std::to_string(h));
}

// Rolls at 5/7 of its speed; the way there is wrong by O(h), halving with h.
TEST(SlideToRoll, EndsAtFiveSevenths) {
  const double v0 = 3.0, mu = 0.2;
  const double t_roll = 2.0 / 7.0 * v0 / (mu * kG);
  const double exact =
      v0 * t_roll - 0.5 * mu * kG * t_roll * t_roll + 5.0 / 7.0 * v0 * (1.0 - t_roll);
  double error[3];
  int i = 0;
  for (const double h : {0.004, 0.002, 0.001}) {
    SceneRun run(bowling_ball(h));
    ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
    EXPECT_NEAR(run.twist("ball").v.x(), 5.0 / 7.0 * v0, 1e-12);
    EXPECT_NEAR(run.twist("ball").w.y() * 0.1, 5.0 / 7.0 * v0, 1e-12);
    error[i++] = std::fabs(run.position("ball").x() - exact);
  }
  EXPECT_LT(error[0], 0.01);
  EXPECT_NEAR(error[1] / error[0], 0.5, 0.05);
  EXPECT_NEAR(error[2] / error[1], 0.5, 0.05);
}

TEST(TorqueFree, BodyKeepsEnergyAndMomentum) {
  SceneRun run(
      "tenpin: 1\nname: tumble\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: body, mass: 1, inertia: [1, 2, 3], angular_velocity: [1.2, 0, 1],"
      " shapes: [{sphere: {radius: 0.1}}]}\n" +
      method("step: 0.004166666666666667"));
  ASSERT_EQ(run.run_until(100.0), AdvanceStatus::kReachedEnd);
  const double T0 = 0.5 * (1.2 * 1.2 + 3.0);
  EXPECT_NEAR(run.last.ledger.kinetic / T0, 1.0, 1e-10);
  const Pose X = run.pose("body");
  const Vec3 L = X.R * Vec3(1, 2, 3).cwiseProduct(X.R.transpose() * run.twist("body").w);
  EXPECT_LE((L - Vec3(1.2, 0.0, 3.0)).norm() / L.norm(), 1e-10);
  run.expect_ledger_closes();
}

// The turning floor carries its work in the ledger as applied, and friction only dissipates.
TEST(Prescribed, BallOnPlatterOrbitsAtTwoSeventhsOfItsRate) {
  SceneRun run(
      "tenpin: 1\nname: platter\nmaterials: {m: {friction: 1, restitution: 0}}\nbodies:\n"
      "  - {name: platter, motion: {angular_velocity: [0, 0, 4]}, material: m,"
      " shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
      "  - {name: ball, material: m, mass: 1, position: [0.3, 0, 0.1],"
      " velocity: [0, 0.2, 0], angular_velocity: [10, 0, 0],"
      " shapes: [{sphere: {radius: 0.1}}]}\n" +
      method("step: 0.001, directions: 64"));
  const double orbit = 2.0 * kPi / (2.0 / 7.0 * 4.0);
  const Vec3 v0 = run.twist("ball").v;
  ASSERT_EQ(run.run_until(orbit / 4.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(run.twist("ball").v.normalized().dot(v0.normalized()), 0.0, 0.02);
  ASSERT_EQ(run.run_until(orbit), AdvanceStatus::kReachedEnd);
  // Velocity turns at (2/7) Omega: back in its direction after one orbit, to first order in h.
  const Vec3 v = run.twist("ball").v;
  EXPECT_NEAR(v.normalized().cross(v0.normalized()).z(), 0.0, 0.02);
  EXPECT_GT(v.dot(v0), 0.0);
  EXPECT_LE(run.work[contact::Ledger::kFriction], 0.0);
  run.expect_ledger_closes();
}

std::string bounce(const std::string& law, double e) {
  return "tenpin: 1\nname: bounce\nmaterials: {m: {friction: 0.3, restitution: " +
         std::to_string(e) +
         "}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
         "  - {name: ball, material: m, mass: 1, position: [0, 0, 1],"
         " shapes: [{sphere: {radius: 0.1}}]}\n" +
         method("step: 0.001, restitution: " + law);
}

// [ST00, §5]: rebound speed over impact speed, at the step of the impact.
TEST(Restitution, NewtonAndPoissonReturnTheirShareOfASingleImpact) {
  for (const std::string law : {"newton", "poisson"}) {
    SceneRun run(bounce(law, 0.8));
    double before = 0.0, ratio = 0.0;
    run.watch = [&](const StepReport&, auto, const dynamics::State& state) {
      if (ratio == 0.0 && before < -1.0 && state.v[2] > 0.0) ratio = -state.v[2] / before;
      before = state.v[2];
    };
    ASSERT_EQ(run.run_until(0.6), AdvanceStatus::kReachedEnd);
    EXPECT_NEAR(ratio, 0.8, 1e-12) << law;
    run.expect_ledger_closes();
  }
}

// A coefficient that is written down acts, although no law is named: 0.81 of the height comes back.
TEST(Restitution, ActsByDefault) {
  for (const std::string order : {"order: 1", "order: 2"}) {
    std::string yaml = bounce("newton", 0.9);
    yaml.erase(yaml.find("method"));
    yaml += "method: {time-stepping: {step: 0.001, " + order + "}}\n";
    SceneRun run(yaml);
    double top = 0.0;
    bool has_bounced = false;
    run.watch = [&](const StepReport&, auto, const dynamics::State& state) {
      has_bounced = has_bounced || state.v[2] > 0.0;
      if (has_bounced) top = std::max(top, state.q[2]);
    };
    ASSERT_EQ(run.run_until(0.85), AdvanceStatus::kReachedEnd);
    EXPECT_NEAR(top - 0.1, 0.81 * 0.9, 0.01) << order;
  }
}

// Newton's law with friction can gain energy: a leaning rod that bounces off its tip. At order 1,
// too, such an impact is made plastic.
TEST(Restitution, GuardKeepsImpactsFromGainingEnergy) {
  std::int64_t guarded = 0;
  for (int i = 0; i < 60; i += 3) {
    SceneRun run(
        "tenpin: 1\nname: lean\nmaterials: {m: {friction: 1, restitution: 0.95}}\nbodies:\n"
        "  - {name: table, fixed: true, material: m, shapes: [{plane: {}}]}\n"
        "  - {name: rod, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, material: m, mass: 1,"
        " inertia: 0.02, position: [0, 0, 0.4], orientation: {axis: [0, -1, 0], degrees: " +
        std::to_string(20 + i) +
        "}, velocity: [-2, 0, -1], shapes: [{capsule: {radius: 0.02, length: 0.6, axis: x}}]}\n" +
        method("step: 0.0025"));
    constexpr double kStep = 0.0025;  // s   smooth steps gain O(h^2): 1.6e-5 J at twice the step
    double energy = 0.0;              // J     before the step
    double rise = 0.0;                // m/s
    run.watch = [&](const StepReport& report, auto records, const dynamics::State& state) {
      guarded += report.guarded;
      // All work of the contacts, also what no law of friction could have done and the ledger books
      // as the scheme's. The step drifts with its new velocity, and gravity is paid by that.
      const double gravity = 0.5 * kG * kStep * (state.v[1] - rise);
      const double work = report.ledger.total() - energy - gravity;
      double pushed = 0.0;  // N s
      for (const contact::ContactRecord& r : records) pushed += r.normal_impulse;
      const bool is_impact = pushed > 3.0 * kG * kStep;
      if (report.step > 1 && is_impact) {
        EXPECT_LE(work, 1e-5) << 20 + i << " degrees, t = " << report.t;
      }
      energy = report.ledger.total();
      rise = state.v[1];
      const double contacts = report.ledger.work[contact::Ledger::kNormal] +
                              report.ledger.work[contact::Ledger::kFriction];
      EXPECT_LE(contacts, 1e-5) << 20 + i << " degrees, t = " << report.t;
    };
    ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << i;
  }
  EXPECT_GT(guarded, 0);
}

TEST(Restitution, RestingBodyDoesNotBounceAndElasticOneDoesNotGain) {
  for (const std::string law : {"none", "newton", "poisson"}) {
    SceneRun run(bounce(law, 0.9));
    const double start = kG * 1.0;
    run.watch = [&](const StepReport& report, auto, const dynamics::State&) {
      EXPECT_LE(report.ledger.total(), start + 1e-9);
    };
    ASSERT_EQ(run.run_until(12.0), AdvanceStatus::kReachedEnd);
    EXPECT_LT(run.twist("ball").v.norm(), 0.02) << law;  // at most a bounce of one step's fall
  }
}

// Friction that differs along and across the grain turns a slide at 45 degrees into the grain.
TEST(Anisotropic, BlockDeviatesTowardsTheSlipperyDirection) {
  SceneRun run(
      "tenpin: 1\nname: grain\nmaterials:\n"
      "  ice: {friction: {along: 0.1, across: 0.4, axis: [1, 0, 0]}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: ice, shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
      "  - {name: block, material: ice, mass: 1, position: [0, 0, 0.05], velocity: [1, 1, 0],"
      " shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}\n" +
      method("step: 0.001, directions: 32"));
  ASSERT_EQ(run.run_until(0.2), AdvanceStatus::kReachedEnd);
  const Vec3 v = run.twist("block").v;
  EXPECT_GT(v.x(), v.y() + 0.1);
  run.expect_ledger_closes();
  ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
  EXPECT_LT(run.twist("block").v.norm(), 1e-12);
}

// A spinning ball on a patch of radius r stops by torque mu r m g.
TEST(Torsion, SpinStopsAtTheRateOfThePatch) {
  SceneRun run(
      "tenpin: 1\nname: spin\nmaterials: {m: {friction: {along: 0.5, torsion: 0.02}}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
      "  - {name: ball, material: m, mass: 1, position: [0, 0, 0.1], angular_velocity: [0, 0, 9],"
      " shapes: [{sphere: {radius: 0.1}}]}\n" +
      method("step: 0.001"));
  ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd);
  const double rate = 0.5 * 0.02 * kG / 0.004;
  EXPECT_NEAR(run.twist("ball").w.z(), 9.0 - rate * 0.1, 1e-9);
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
  EXPECT_LT(run.twist("ball").w.norm(), 1e-12);
}

std::string slider(const std::string& material) {
  return "tenpin: 1\nname: slider\nmaterials: {m: {friction: " + material +
         "}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
         "  - {name: ball, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, material: m, mass: 1,"
         " inertia: 1000, position: [0, 0, 0.1], velocity: [1, 0, 0],"
         " shapes: [{sphere: {radius: 0.1}}]}\n" +
         method("step: 0.001");
}

// Smooth contact forces: exponential decay exp(-c t / m), to first order in h.
TEST(Viscous, ContactSlowsExponentially) {
  SceneRun run(slider("{along: 0, viscous: 2}"));
  ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(run.twist("ball").v.x(), std::exp(-1.0), 2e-3);
  EXPECT_LT(run.work[contact::Ledger::kApplied], 0.0);
  EXPECT_EQ(run.work[contact::Ledger::kFriction], 0.0);
  run.expect_ledger_closes();
}

// Stribeck: slow slip meets more friction than fast slip.
TEST(Stribeck, FrictionRisesAsSlipEnds) {
  SceneRun run(slider("{along: 0.1, static: 0.3, stribeck_speed: 0.2}"));
  double early = 0.0, late = 0.0, before = 1.0;
  run.watch = [&](const StepReport& report, auto, const dynamics::State& state) {
    const double deceleration = (before - state.v[0]) / 0.001;
    if (report.step == 2) early = deceleration;
    if (state.v[0] > 0.01) late = deceleration;
    before = state.v[0];
  };
  ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(early, kG * (0.1 + 0.2 / (1.0 + 25.0)), 0.05);
  EXPECT_NEAR(late, kG * 0.3, 0.1);
}

}  // namespace
}  // namespace tenpin::methods
