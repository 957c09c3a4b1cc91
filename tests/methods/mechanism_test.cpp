// Joints, their stops, friction, springs and motors, and loops, under the time-stepping method.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/check.h"
#include "contact/joint_contacts.h"
#include "dynamics/mass_matrix.h"
#include "math/trig.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::Ledger;
using test::SceneRun;

constexpr double kG = 9.81;

// One rod of 1 m and 2 kg on a hinge about y, hanging down at angle 0; `joint` adds to the hinge.
std::string rod(const std::string& joint, const std::string& options = "step: 0.005") {
  return "tenpin: 1\nname: rod\ngravity: [0, 0, -9.81]\nbodies:\n"
         "  - {name: rod, mass: 2, inertia: [0.16666666666666666, 0.16666666666666666, 1e-3],"
         " center_of_mass: [0, 0, -0.5], joint: {hinge: {axis: [0, -1, 0], " +
         joint + "}}}\nmethod: {time-stepping: {" + options + "}}\n";
}

double angle(const SceneRun& run, int i = 0) {
  return run.built.state.q[run.built.model.bodies[i].joint.q_begin];
}
double rate(const SceneRun& run, int i = 0) {
  return run.built.state.v[run.built.model.bodies[i].joint.v_begin];
}

// Nothing touches it, so the method moves it by its smooth forces: the elliptic period to 1e-9.
TEST(Hinge, FreeRodSwingsExactly) {
  const double period = 1.757814804674;
  SceneRun run(rod("at: 1.0471975511965976", "step: " + std::to_string(0.01)));
  ASSERT_EQ(run.run_until(period), AdvanceStatus::kReachedEnd);
  const double alpha = 1.5 * kG * std::sqrt(3.0) / 2.0;
  const double late = run.built.state.t - period;  // s   the last step lands on the limit
  EXPECT_LE(std::fabs(rate(run) / alpha + late), 1e-9);
  EXPECT_LE(std::fabs(run.work[Ledger::kScheme]), 1e-15);
  run.expect_ledger_closes();
}

TEST(Hinge, StopHoldsTheRodUp) {
  for (const char* formulation : {"position", "velocity", "nonlinear"}) {
    SceneRun run(
        rod("at: 1, limits: [0.5, 2]", std::string("step: 0.005, formulation: ") + formulation));
    bool stopped = false;
    run.watch = [&](const StepReport&, std::span<const contact::ContactRecord> contacts,
                    const dynamics::State&) {
      for (const contact::ContactRecord& c : contacts) stopped |= c.normal_impulse > 0.0;
    };
    ASSERT_EQ(run.run_until(3.0), AdvanceStatus::kReachedEnd);
    EXPECT_TRUE(stopped);
    // The velocity formulation stops a step's way short of the stop.
    EXPECT_NEAR(angle(run), 0.5, formulation == std::string("velocity") ? 1e-3 : 1e-9);
    EXPECT_NEAR(rate(run), 0.0, 1e-12) << formulation;
    run.expect_ledger_closes();
  }
}

// Dry friction above the weight's torque m g l/2 sin(angle) holds, below it lets go.
TEST(Hinge, DryFrictionSticksAndSlips) {
  const double torque = 2.0 * kG * 0.5 * sin_cos(1.0).sin;
  SceneRun holds(rod("at: 1, friction: " + std::to_string(1.01 * torque)));
  ASSERT_EQ(holds.run_until(5.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(angle(holds), 1.0, 1e-12);

  SceneRun slips(rod("at: 1, friction: " + std::to_string(0.99 * torque)));
  ASSERT_EQ(slips.run_until(20.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(rate(slips), 0.0, 1e-12);
  // It stops where friction has taken what gravity gave, and can hold it there.
  const double end = angle(slips);
  const double fallen = 2.0 * kG * 0.5 * (sin_cos(end).cos - sin_cos(1.0).cos);
  EXPECT_LT(end, 0.98);
  EXPECT_NEAR(0.99 * torque * (1.0 - end) / fallen, 1.0, 0.02);
  EXPECT_LT(slips.work[Ledger::kFriction], 0.0);
  slips.expect_ledger_closes();
}

// Without gravity friction takes a constant deceleration f / I.
TEST(Hinge, DryFrictionStopsASpinInItsTime) {
  std::string text = rod("rate: 3, friction: 0.4");
  text.replace(text.find("-9.81"), 5, "0");
  SceneRun run(text);
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
  const double I = 1.0 / 6.0 + 2.0 * 0.25;
  EXPECT_NEAR(rate(run), 3.0 - 0.4 / I, 1e-12);
}

TEST(Hinge, ServoHoldsAgainstGravityWhereItsSpringBalances) {
  SceneRun run(rod("motor: {position: 1, stiffness: 500, damping: 40}, friction: 1e-6"));
  ASSERT_EQ(run.run_until(5.0), AdvanceStatus::kReachedEnd);
  const double q = angle(run);
  EXPECT_NEAR(500.0 * (1.0 - q), 2.0 * kG * 0.5 * sin_cos(q).sin, 1e-4);
  EXPECT_NEAR(rate(run), 0.0, 1e-9);
  run.expect_ledger_closes();
}

// However stiff: the step takes springs, damping and servos at its end.
TEST(Hinge, StiffServoIsStableInBothModes) {
  for (const char* extra : {"", ", friction: 0.001"}) {
    SceneRun run(
        rod(std::string("at: 0.99, motor: {position: 1, stiffness: 1e6, damping: 1e4}") + extra));
    ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
    EXPECT_NEAR(angle(run), 1.0, 1e-5);
    run.expect_ledger_closes();
  }
}

TEST(Hinge, MotorKeepsToItsLimit) {
  for (const char* extra : {"", ", friction: 1e-9"}) {
    std::string text = rod(std::string("motor: {velocity: 100, gain: 1000, limit: 0.5}") + extra);
    text.replace(text.find("-9.81"), 5, "0");
    SceneRun run(text);
    ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
    EXPECT_NEAR(rate(run), 0.5 / (1.0 / 6.0 + 0.5), 1e-8) << extra;
  }
}

// A slider down a slope: g sin(30 deg).
TEST(Slider, SlidesDownItsAxis) {
  SceneRun run(
      "tenpin: 1\nname: slider\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  - {name: cart, mass: 3, inertia: [1, 1, 1],"
      " joint: {slider: {axis: [0.8660254037844387, 0, -0.5]}}}\n"
      "method: {time-stepping: {step: 0.01}}\n");
  ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(rate(run), kG * 0.5 * 2.0, 1e-12);
  EXPECT_NEAR(angle(run), 0.5 * kG * 0.5 * 4.0, 1e-12);
}

// A spherical pendulum keeps its energy and its angular momentum about the vertical.
TEST(Ball, SphericalPendulumKeepsEnergyAndMomentum) {
  SceneRun run(
      "tenpin: 1\nname: bob\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  - {name: bob, mass: 2, inertia: [0.1, 0.1, 0.02], center_of_mass: [0, 0, -0.5],"
      " joint: {ball: {at: {axis: [0, 1, 0], degrees: 40}, rate: [1, 2, 3]}}}\n"
      "method: {time-stepping: {step: 0.004166666666666667}}\n");
  const auto momentum = [&] {
    const Pose X = run.pose("bob");
    const dynamics::Twist V = run.twist("bob");
    const dynamics::Body& b = run.built.model.bodies[0];
    const Vec3 L = X.p.cross(b.mass * V.v) + X.R * (b.inertia * (X.R.transpose() * V.w));
    return L.z();
  };
  const double before = momentum();
  ASSERT_EQ(run.run_until(0.01), AdvanceStatus::kReachedEnd);
  const double energy = run.last.ledger.total();
  ASSERT_EQ(run.run_until(10.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(run.last.ledger.total(), energy, 1e-10);
  EXPECT_NEAR(momentum(), before, 1e-10);
}

TEST(Ball, LimitKeepsTheConeAngle) {
  SceneRun run(
      "tenpin: 1\nname: bob\ngravity: [0, 0, 9.81]\nbodies:\n"  // up: it falls away from rest
      "  - {name: bob, mass: 2, inertia: [0.1, 0.1, 0.02], center_of_mass: [0, 0, -0.5],"
      " joint: {ball: {at: {axis: [0, 1, 0], degrees: 5}, limit: 0.7, damping: 0.5}}}\n"
      "method: {time-stepping: {step: 0.004166666666666667}}\n");
  ASSERT_EQ(run.run_until(5.0), AdvanceStatus::kReachedEnd);
  const Vec3 down = run.pose("bob").R * Vec3(0, 0, -1);
  EXPECT_NEAR(down.dot(Vec3(0, 0, -1)), sin_cos(0.7).cos, 1e-8);
}

// A box that hangs from a hinge and rests on the floor: contact on a link.
TEST(Trees, LinkRestsOnTheFloor) {
  for (const char* formulation : {"position", "velocity", "nonlinear"}) {
    SceneRun run(
        std::string(
            "tenpin: 1\nname: flap\ngravity: [0, 0, -9.81]\n"
            "materials: {wood: {friction: 0.5, restitution: 0}}\nbodies:\n"
            "  - {name: floor, fixed: true, material: wood, shapes: [{plane: {}}]}\n"
            "  - {name: arm, mass: 1, material: wood, position: [0, 0, 0.5],"
            " joint: {hinge: {axis: [0, 1, 0], at: -0.3}},"
            " shapes: [{capsule: {radius: 0.05, length: 0.8, axis: x}, position: [0.4, 0, 0]}]}\n"
            "  - {name: hand, parent: arm, fixed: true, mass: 0.5, material: wood,"
            " position: [0.8, 0, 0], shapes: [{sphere: {radius: 0.1}}]}\n"
            "method: {time-stepping: {step: 0.004166666666666667, formulation: ") +
        formulation + "}}\n");
    ASSERT_EQ(run.run_until(3.0), AdvanceStatus::kReachedEnd) << run.last.message;
    // The velocity formulation stops a step's way short of the floor.
    const double short_of = formulation == std::string("velocity") ? 1e-3 : 1e-6;
    EXPECT_NEAR(run.position("hand").z(), 0.1, short_of) << formulation;
    EXPECT_LE(run.twist("hand").v.norm(), 1e-9) << formulation;
    run.expect_ledger_closes();
  }
}

// A leg on a free torso moves in space: friction holds it sideways, too.
TEST(Trees, HingedLegOfAFreeBodyRubsInBothDirections) {
  SceneRun run(
      "tenpin: 1\nname: leg\nmaterials: {wood: {friction: 0.5, restitution: 0}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: wood, shapes: [{plane: {}}]}\n"
      "  - {name: torso, mass: 1, material: wood, position: [0, 0, 0.05], velocity: [0, 1, 0],"
      " shapes: [{box: {size: [0.4, 0.4, 0.1]}}]}\n"
      "  - {name: leg, parent: torso, mass: 1, material: wood, position: [0.3, 0, 0],"
      " joint: {hinge: {axis: [0, 1, 0]}}, shapes: [{sphere: {radius: 0.05}}]}\n"
      "method: {time-stepping: {step: 0.004166666666666667}}\n");
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE(run.twist("leg").v.norm(), 1e-9);
  EXPECT_NEAR(run.position("torso").y(), 1.0 / (2.0 * 0.5 * kG), 0.02);
}

// A servo that a stop holds back pushes with its limit, not with what its stiffness asks.
TEST(Slider, MotorAgainstAStopKeepsToItsLimit) {
  SceneRun run(
      "tenpin: 1\nname: press\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: ram, mass: 0.1, inertia: [1, 1, 1], joint: {slider: {axis: [1, 0, 0],"
      " limits: [none, 0], motor: {velocity: 0.05, gain: 1e4, limit: 10}}}}\n"
      "method: {time-stepping: {step: 0.001}}\n");
  double force = 0.0;
  run.watch = [&](const StepReport&, std::span<const contact::ContactRecord> contacts,
                  const dynamics::State&) {
    for (const contact::ContactRecord& c : contacts) force = c.normal_impulse / 0.001;
  };
  ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(force, 10.0, 1e-9);
}

// A motor of 5 N speeds 1 kg up until 10 N s/m ask for less, at 0.3 s, within a step.
TEST(Slider, MotorIsFollowedWhereItLeavesItsLimit) {
  SceneRun run(
      "tenpin: 1\nname: servo\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: ram, mass: 1, inertia: [1, 1, 1], joint: {slider: {axis: [1, 0, 0],"
      " motor: {velocity: 2, gain: 10, limit: 5}}}}\n"
      "method: {time-stepping: {step: 0.007, order: 2}}\n");
  ASSERT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(run.twist("ram").v.x(), 2.0 - 0.5 * std::exp(-2.0), 1e-8);
}

// A base that is moved carries what hangs from it: a pendulum on a turning arm swings out.
TEST(Trees, PendulumOnATurningArmStandsOut) {
  SceneRun run(
      "tenpin: 1\nname: governor\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  - {name: shaft, motion: {angular_velocity: [0, 0, 6]}}\n"
      "  - {name: bob, parent: shaft, mass: 1, inertia: [1e-6, 1e-6, 1e-6],"
      " center_of_mass: [0, 0, -0.5], joint: {hinge: {axis: [0, -1, 0], at: 0.9, damping: 0.2}}}\n"
      "method: {time-stepping: {step: 0.004166666666666667}}\n");
  ASSERT_EQ(run.run_until(40.0), AdvanceStatus::kReachedEnd);
  // Relative equilibrium: cos = g / (w^2 l).
  EXPECT_NEAR(sin_cos(angle(run, 1)).cos, kG / (36.0 * 0.5), 1e-5);
}

std::string four_bar(const std::string& loop) {
  return "tenpin: 1\nname: four-bar\ngravity: [0, 0, -9.81]\nbodies:\n"
         "  - {name: crank, mass: 1, inertia: [0.1, 0.1, 0.1], center_of_mass: [0, 0, 0.15],"
         " joint: {hinge: {axis: [0, 1, 0], rate: 2}}}\n"
         "  - {name: coupler, parent: crank, mass: 1, inertia: [0.1, 0.1, 0.1],"
         " center_of_mass: [0.5, 0, 0], position: [0, 0, 0.3],"
         " joint: {hinge: {axis: [0, 1, 0], friction: 0.02}},"
         " orientation: {axis: [0, -1, 0], radians: 0.6435011087932844}}\n"
         "  - {name: rocker, mass: 1, inertia: [0.1, 0.1, 0.1], center_of_mass: [0, 0, 0.45],"
         " position: [0.8, 0, 0], joint: {hinge: {axis: [0, 1, 0]}}}\n"
         "loops:\n  - {name: closing, " +
         loop + "}\nmethod: {time-stepping: {step: 0.004166666666666667}}\n";
}

// Five rows where two would do; friction in a joint makes every step a kick and a drift.
TEST(Loops, FourBarWithRedundantRowsStaysClosed) {
  SceneRun run(
      four_bar("hinge: {bodies: [coupler, rocker], anchors: [[1, 0, 0], [0, 0, 0.9]],"
               " axes: [[0, 1, 0], [0, 1, 0]]}"));
  double worst = 0.0;
  run.watch = [&](const StepReport&, std::span<const contact::ContactRecord>,
                  const dynamics::State& state) {
    std::vector<Pose> X_WB;
    update_poses(run.built.model, state.q, state.t, &X_WB);
    dynamics::LoopRows rows;
    rows.update(run.built.model, run.built.model.mechanisms[0], X_WB, state.q);
    worst = std::max(worst, rows.errors().lpNorm<Eigen::Infinity>());
  };
  ASSERT_EQ(run.run_until(20.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE(worst, 1e-9);
  EXPECT_LT(run.work[Ledger::kFriction], 0.0);
  run.expect_ledger_closes();
}

// The two ends of a hinge's axis closed by a ball each, in a model whose lengths are good to 0.3
// micrometres. Which of the redundant rows are left out must not change within a step: if it did,
// accelerations would jump, and steps would be taken again as too fast to be followed.
TEST(Loops, RedundantRowsThatDisagreeAreFollowed) {
  SceneRun run(
      four_bar("ball: {bodies: [coupler, rocker], anchors: [[1, -0.03, 0], [0, -0.03, 0.9]]}}\n"
               "  - {name: far, ball: {bodies: [coupler, rocker],"
               " anchors: [[1.0000003, 0.03, 2e-7], [0, 0.03, 0.9]]}"));
  int retries = 0;
  run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
    retries += report.retries;
  };
  ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_EQ(retries, 0);
}

// A linkage beside a pendulum: neither knows of the other.
TEST(Loops, DoNotReachIntoOtherMechanisms) {
  std::string text =
      four_bar("ball: {bodies: [coupler, rocker], anchors: [[1, 0, 0], [0, 0, 0.9]]}");
  const std::string pendulum =
      "  - {name: rod, mass: 2, inertia: [0.16666666666666666, 0.16666666666666666, 1e-3],"
      " center_of_mass: [0, 0, -0.5], position: [5, 0, 0],"
      " joint: {hinge: {axis: [0, -1, 0], at: 1.0471975511965976}}}\n";
  text.insert(text.find("loops:"), pendulum);
  SceneRun run(text);
  const double period = 1.757814804674;
  ASSERT_EQ(run.run_until(period), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE(std::fabs(rate(run, 3)), 1e-8);
  EXPECT_NEAR(angle(run, 3), 1.0471975511965976, 1e-9);
}

TEST(Loops, OneThatCannotCloseIsRefusedWithItsResidual) {
  try {
    SceneRun run(four_bar("ball: {bodies: [coupler, rocker], anchors: [[9, 0, 0], [0, 0, 0.9]]}"));
    FAIL() << "was accepted";
  } catch (const NumericalError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("loops.closing: does not close, got a residual of"), std::string::npos)
        << text;
  }
}

TEST(Trees, JointWithoutMassIsRefused) {
  try {
    SceneRun run(
        "tenpin: 1\nname: nothing\nbodies:\n"
        "  - {name: arm, mass: 0, joint: {hinge: {axis: [0, 1, 0]}}}\n");
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("moves no mass"), std::string::npos) << error.what();
  }
}

// Two loose bodies welded crosswise tumble as the one body that they make: energy and angular
// momentum stay, and so does the quarter turn between them.
TEST(Loops, WeldHoldsTurnedFrames) {
  SceneRun run(
      "tenpin: 1\nname: cross\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: bar, mass: 1, inertia: [0.01, 0.1, 0.1], angular_velocity: [1, 2, 3]}\n"
      "  - {name: cross, mass: 2, inertia: [0.02, 0.3, 0.3], position: [0.5, 0, 0],"
      " orientation: {axis: [0, 0, 1], degrees: 90}, velocity: [0, 1.5, -1],"
      " angular_velocity: [1, 2, 3]}\n"
      "loops: [{name: bond, weld: {bodies: [bar, cross], anchors: [[0.5, 0, 0], [0, 0, 0]],"
      " orientation: {axis: [0, 0, 1], degrees: 90}}}]\n"
      "method: {time-stepping: {step: 0.004}}\n");
  const auto momentum = [&run] {
    std::vector<Pose> X_WB;
    std::vector<dynamics::Twist> V_WB;
    const dynamics::State& state = run.built.state;
    update_poses(run.built.model, state.q, state.t, &X_WB);
    update_twists(run.built.model, X_WB, state.v, state.t, &V_WB);
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 2; ++i) {
      const dynamics::Body& body = run.built.model.bodies[i];
      sum += calc_world_inertia(body, X_WB[i]) * V_WB[i].w;
      sum += body.mass * X_WB[i].p.cross(V_WB[i].v);
    }
    return sum;
  };
  const Vec3 before = momentum();
  ASSERT_EQ(run.run_until(5.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE((momentum() - before).norm(), 1e-9 * before.norm());
  std::vector<Pose> X_WB;
  update_poses(run.built.model, run.built.state.q, 5.0, &X_WB);
  const Mat3 turn = X_WB[0].R.transpose() * X_WB[1].R;
  Mat3 quarter;
  quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_LE((turn - quarter).norm(), 1e-9);
  run.expect_ledger_closes();
}

// A gear train: coupling holds the ratio of the two angles.
TEST(Loops, CouplingHoldsTheRatio) {
  SceneRun run(
      "tenpin: 1\nname: gears\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: one, mass: 1, inertia: [1, 1, 1], joint: {hinge: {axis: [0, 0, 1],"
      " motor: {torque: 2}}}}\n"
      "  - {name: two, mass: 1, inertia: [1, 1, 1], joint: {hinge: {axis: [0, 0, 1]}}}\n"
      "loops: [{name: gear, coupling: {joints: [two, one], polynomial: [0, -3]}}]\n"
      "method: {time-stepping: {step: 0.01}}\n");
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(rate(run, 0), 2.0 / (1.0 + 9.0), 1e-12);
  EXPECT_NEAR(angle(run, 1), -3.0 * angle(run, 0), 1e-12);
}

}  // namespace
}  // namespace tenpin::methods
