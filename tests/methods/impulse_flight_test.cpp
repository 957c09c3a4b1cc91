// Flights between impulses: any spin and any shape, with momentum and energy kept and proven to be.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/flight_certificate.h"
#include "support/scene_run.h"

namespace tenpin::methods::impulse {
namespace {

using test::SceneRun;

std::string spinning(const std::string& half, const std::string& spin) {
  return "tenpin: 1\ngravity: [0, 0, 0]\nbodies:\n  - {name: body, mass: 1, angular_velocity: " +
         spin + ", shapes: [{box: {half: " + half + "}}]}\nmethod: {impulse: {}}\n";
}

// A box at 1e7 rad/s took a second for each step of 0.01 s.
TEST(ImpulseFlight, AnySpinIsFollowed) {
  for (const char* spin : {"[3e5, 1e6, 0.2]", "[3e6, 1e7, 0.2]", "[3e8, 1e9, 0.2]"}) {
    SceneRun run(spinning("[0.3, 0.1, 0.2]", spin));
    const double rate = run.built.state.v.norm();
    EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
    EXPECT_LE(run.worst_residual, 1e-14) << spin;
    EXPECT_LE(run.built.state.v.norm(), 1.5 * rate);
    EXPECT_GE(run.built.state.v.norm(), 0.3 * rate);
  }
}

// A needle 1e-7 m thin ended with NaN or with another axial spin, one of 3e-9 m never ended.
TEST(ImpulseFlight, NeedlesKeepTheirAxialSpin) {
  for (const char* r : {"1e-3", "1e-5", "1e-7", "3e-9", "1e-9"}) {
    SceneRun run(
        spinning(std::string("[0.5, ") + r + ", " + r + "]", "[0.30000000000000004, 1, 0.2]"));
    EXPECT_EQ(run.run_until(5.0), AdvanceStatus::kReachedEnd);
    const double axial = (run.pose("body").R.transpose() * run.twist("body").w).x();
    EXPECT_NEAR(axial, 0.3, 1e-11) << r;
    EXPECT_LE(run.worst_residual, 1e-13) << r;
  }
}

// A mechanism that cannot be integrated ends the run: it took minutes for one interval.
TEST(ImpulseFlight, TooFastMechanismIsAFailure) {
  SceneRun run(
      "tenpin: 1\nbodies:\n"
      "  - {name: upper, mass: 1, position: [0.25, 0, 0], joint: {hinge: {axis: [0, 1, 0], anchor: "
      "[-0.25, 0, 0], rate: 1e5}}, shapes: [{box: {half: [0.25, 0.05, 0.05]}}]}\n"
      "  - {name: lower, parent: upper, mass: 1, position: [0.5, 0, 0], joint: {hinge: {axis: [0, "
      "1, 0], anchor: [-0.25, 0, 0], rate: -1e7}}, shapes: [{box: {half: [0.25, 0.05, 0.05]}}]}\n"
      "method: {impulse: {}}\n");
  EXPECT_EQ(run.run_until(0.02), AdvanceStatus::kNonfinite);
  EXPECT_NE(run.last.message.find("too fast to be followed"), std::string::npos);
}

// Torques, resistance and curves of force bend a flight; such bodies were refused.
struct Driven : testing::Test {
  static std::string scene(const std::string& body, const std::string& gravity = "[0, 0, 0]") {
    return "tenpin: 1\ngravity: " + gravity +
           "\nbodies:\n  - {name: body, mass: 2, shapes: [{box: {half: [0.3, 0.1, 0.2]}}], " +
           body + "}\nmethod: {impulse: {}}\n";
  }
};

TEST_F(Driven, ByATorqueAboutAPrincipalAxis) {
  SceneRun run(scene("forces: [{torque: [0, 0.5, 0]}]"));
  EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
  const double moment = 2.0 / 3.0 * (0.3 * 0.3 + 0.2 * 0.2);  // kg m^2
  EXPECT_NEAR(run.twist("body").w.y(), 0.5 / moment, 1e-12);
  EXPECT_LE(run.worst_residual, 1e-12);
}

// The angular momentum grows along the torque, however the body tumbles.
TEST_F(Driven, ByATorqueOnATumblingBody) {
  SceneRun run(scene("angular_velocity: [3, -2, 1], forces: [{torque: [0.1, 0.2, -0.3]}]"));
  const auto momentum = [&run] {
    const Mat3 R = run.pose("body").R;
    return Vec3(R * (run.built.model.bodies[0].inertia * (R.transpose() * run.twist("body").w)));
  };
  const Vec3 before = momentum();
  EXPECT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
  EXPECT_LE((momentum() - before - 2.0 * Vec3(0.1, 0.2, -0.3)).norm(), 1e-11);
  EXPECT_LE(run.worst_residual, 1e-12);
}

TEST_F(Driven, AgainstViscousResistance) {
  SceneRun run(
      scene("velocity: [3, 0, 0], angular_velocity: [0, 0, 4], "
            "forces: [{viscous: 0.8, viscous_spin: 0.05}]"));
  EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
  const double moment = 2.0 / 3.0 * (0.3 * 0.3 + 0.1 * 0.1);
  EXPECT_NEAR(run.twist("body").v.x(), 3.0 * std::exp(-0.8 / 2.0), 1e-11);
  EXPECT_NEAR(run.twist("body").w.z(), 4.0 * std::exp(-0.05 / moment), 1e-11);
}

// From rest to the floor against drag: v = v_inf tanh(g t / v_inf).
TEST_F(Driven, ThroughAirOntoAFloor) {
  const double terminal = std::sqrt(2.0 * 9.81 / 1.5);  // m/s
  const std::string floor =
      "tenpin: 1\nmaterials: {m: {friction: 0.5, restitution: 0.5}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
      "  - {name: body, material: m, mass: 2, position: [0, 0, 3], forces: [{drag: 1.5}], "
      "shapes: [{sphere: {radius: 0.1}}]}\nmethod: {impulse: {}}\n";
  SceneRun run(floor);
  EXPECT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(run.twist("body").v.z(), -terminal * std::tanh(9.81 * 0.5 / terminal), 1e-11);
  EXPECT_EQ(run.run_until(3.0), AdvanceStatus::kReachedEnd);
  EXPECT_GE(run.pose("body").p.z(), 0.1 - 1e-6);  // it bounced, and did not fall through
  EXPECT_LE(run.worst_residual, 1e-11);
}

// A force that grows from 0 to 6 N within 2 s: v = 3 t^2 / (2 m).
TEST_F(Driven, ByAForceThatGrows) {
  SceneRun run(scene("forces: [{force: {points: [[0, 0, 0, 0], [2, 6, 0, 0]]}}]"));
  EXPECT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(run.twist("body").v.x(), 3.0, 1e-11);
}

// Where the certificate looks: a model of one loose body, before and after a flight.
struct Flight {
  explicit Flight(const Vec3& gravity) {
    SceneRun run(
        "tenpin: 1\nbodies:\n  - {name: body, mass: 2, velocity: [1, 2, 3], "
        "angular_velocity: [3, -2, 1], shapes: [{box: {half: [0.3, 0.1, 0.2]}}]}\n"
        "gravity: [" +
        std::to_string(gravity.x()) + ", " + std::to_string(gravity.y()) + ", " +
        std::to_string(gravity.z()) + "]\nmethod: {impulse: {}}\n");
    model = run.built.model;
    look(run.built.state, &X_start, &V_start);
    EXPECT_EQ(run.run_until(0.25), AdvanceStatus::kReachedEnd);
    look(run.built.state, &X_end, &V_end);
    impulses.resize(model.bodies.size());
  }
  void look(const dynamics::State& state, std::vector<Pose>* X, std::vector<dynamics::Twist>* V) {
    update_poses(model, state.q, state.t, X);
    update_twists(model, *X, state.v, state.t, V);
  }
  double residual() const {
    return calc_momentum_residual(model, {.X_WB = X_start, .V_WB = V_start},
                                  {.X_WB = X_end, .V_WB = V_end}, impulses, 0.25)
        .worst;
  }

  dynamics::Model model;
  std::vector<Pose> X_start, X_end;
  std::vector<dynamics::Twist> V_start, V_end;
  std::vector<dynamics::BodyImpulses> impulses;
};

TEST(FlightCertificate, SeesMomentumThatComesFromNowhere) {
  const Flight right(Vec3(0, 0, -9.81));
  EXPECT_LE(right.residual(), 1e-14);
  Flight faster = right;
  faster.V_end[0].v *= 1.0 + 1e-6;
  EXPECT_GE(faster.residual(), 1e-8);
  Flight spun = right;
  spun.V_end[0].w *= 1.0 + 1e-6;
  EXPECT_GE(spun.residual(), 1e-8);
  Flight turned = right;  // a spin that does not follow the attitude
  turned.V_end[0].w = turned.V_start[0].w;
  EXPECT_GE(turned.residual(), 1e-3);
  Flight hit = right;
  hit.impulses[0].add(Vec3(0, 0, 1e-5), Vec3(1e-6, 0, 0));
  EXPECT_GE(hit.residual(), 1e-8);
  Flight lost = right;
  lost.V_end[0].w.x() = std::nan("");
  EXPECT_EQ(lost.residual(), std::numeric_limits<double>::infinity());
}

// A body whose energy grew ninetyfold was certified: the growth was in the ledger as work of the
// flight.
TEST(FlightCertificate, SeesEnergyThatComesFromNowhere) {
  const Flight flight(Vec3(0, 0, -9.81));
  const dynamics::MotionView end{.X_WB = flight.X_end, .V_WB = flight.V_end};
  dynamics::EnergyBalance balance{.kinetic_start = 1.0,
                                  .kinetic_end = 3.0,
                                  .potential_start = 5.0,
                                  .potential_end = 3.0,
                                  .moved = 0.0,
                                  .closure = 1e-15};
  EXPECT_LE(calc_energy_residual(flight.model, end, balance), 1e-12);
  balance.closure = 1e-6;
  EXPECT_GE(calc_energy_residual(flight.model, end, balance), 1e-7);
  balance.closure = std::nan("");
  EXPECT_EQ(calc_energy_residual(flight.model, end, balance),
            std::numeric_limits<double>::infinity());
}

// Stops the run the second time it is asked within a step.
struct Impatient final : StepObserver {
  bool on_step(const StepReport& /*report*/, std::span<const contact::ContactRecord> /*contacts*/,
               const dynamics::State& /*state*/) override {
    ++steps;
    return true;
  }
  bool is_stopped() override { return ++asked > 1; }
  int steps = 0;
  int asked = 0;
};

constexpr const char* kBusy =
    "tenpin: 1\nmaterials: {m: {friction: 0.5, restitution: 0.3}}\nbodies:\n"
    "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
    "  - {name: light, material: m, mass: 1, position: [0, 0, 0.11], "
    "shapes: [{box: {half: [0.1, 0.1, 0.1]}}]}\n"
    "  - {name: heavy, material: m, mass: 300, position: [0, 0, 0.45], "
    "shapes: [{box: {half: [0.2, 0.2, 0.2]}}]}\n";

TEST(ImpulseFlight, CanBeStoppedWithinAnInterval) {
  SceneRun run(std::string(kBusy) + "method: {impulse: {interval: 10}}\n");
  const dynamics::State before = run.built.state;
  Impatient observer;
  EXPECT_EQ(run.method->advance(10.0, 10.0, &run.built.state, &observer), AdvanceStatus::kStopped);
  EXPECT_EQ(observer.steps, 0);
  EXPECT_EQ(run.built.state.q, before.q);
  EXPECT_EQ(run.built.state.t, 0.0);
}

// Looks are bounded, too, not only impacts: the corners of a box pass the floor a million times.
TEST(ImpulseFlight, LooksAreBounded) {
  const auto hover = [](const std::string& height) {
    return "tenpin: 1\ngravity: [0, 0, 0]\nbodies:\n"
           "  - {name: floor, fixed: true, shapes: [{plane: {}}]}\n"
           "  - {name: box, mass: 1, position: [0, 0, " +
           height +
           "], angular_velocity: [0, 1e6, 0], shapes: [{box: {half: [0.3, 0.1, 0.2]}}]}\n"
           "method: {impulse: {cap: 1}}\n";
  };
  SceneRun near(
      hover("0.37"));  // within the sphere about the box, beyond the circle of its corners
  EXPECT_EQ(near.run_until(1.0), AdvanceStatus::kSolverFailed);
  EXPECT_NE(near.last.message.find("looked at more than 1004 times"), std::string::npos)
      << near.last.message;
  SceneRun far(hover("0.4"));
  EXPECT_EQ(far.run_until(1.0), AdvanceStatus::kReachedEnd);
}

}  // namespace
}  // namespace tenpin::methods::impulse
