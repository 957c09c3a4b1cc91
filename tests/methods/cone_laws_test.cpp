// Laws beside Coulomb's under the round cone: Poisson's restitution, dry friction of joints and of
// spin.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "math/trig.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::Ledger;
using test::SceneRun;

constexpr double kG = 9.81;

std::string world(double g, const std::string& material, const std::string& bodies,
                  const std::string& options) {
  return "tenpin: 1\nname: world\nseed: 5\ngravity: [0, 0, " + std::to_string(-g) +
         "]\nmaterials: {m: {" + material +
         "}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n" +
         bodies + "method: {time-stepping: {restitution: poisson, " + options + "}}\n";
}

std::string ball(const std::string& state) {
  return "  - {name: ball, material: m, mass: 1, " + state +
         ", shapes: [{sphere: {radius: 0.1}}]}\n";
}

// A ball that strikes the floor aslant slides through the impact if mu (1 + e) |v_n| < (2/7) |v_t|,
// and leaves it rolling otherwise: friction has its share in compression and in restitution.
TEST(ConePoisson, ObliqueImpactTakesFrictionInBothPhases) {
  for (const char* order : {"order: 1", "order: 2"}) {
    for (const double mu : {0.0, 0.1, 0.25, 0.9}) {
      SceneRun run(world(0.0, "restitution: 0.5, friction: " + std::to_string(mu),
                         ball("position: [0, 0, 0.105], velocity: [0.6, 0.8, -1]"),
                         "solver: cone, step: 0.01, " + std::string(order)));
      ASSERT_EQ(run.run_until(0.02), AdvanceStatus::kReachedEnd) << run.last.message;
      const dynamics::Twist V = run.twist("ball");
      const double along = std::max(1.0 - mu * 1.5, 5.0 / 7.0);
      EXPECT_NEAR(V.v.z(), 0.5, 1e-9) << mu << order;
      EXPECT_NEAR((V.v - Vec3(0.6 * along, 0.8 * along, 0.5)).norm(), 0.0, 1e-9) << mu << order;
      EXPECT_NEAR(0.1 * V.w.cross(Vec3(Vec3::UnitZ())).norm(), 2.5 * (1.0 - along), 1e-9) << mu;
      EXPECT_LE(run.worst_residual, 1e-6);
      run.expect_ledger_closes();
    }
  }
}

// A box that lands on a corner with slip and spin: the polyhedral cone comes to the same rebound as
// its directions become many: the nearest is off by an angle of at most pi / k.
TEST(ConePoisson, PolyhedralConesConvergeToIt) {
  const auto rebound = [](const std::string& solver) {
    SceneRun run(world(kG, "restitution: 0.6, friction: 0.35",
                       "  - {name: box, material: m, mass: 2, position: [0, 0, 0.4],"
                       " orientation: {axis: [1, 2, 0.5], degrees: 33}, velocity: [0.7, 0.4, -2],"
                       " angular_velocity: [1, -2, 3], shapes: [{box: {size: [0.3, 0.5, 0.4]}}]}\n",
                       "step: 0.002, " + solver));
    double bounced = 0.0;
    run.watch = [&](const StepReport&, auto contacts, const auto&) {
      for (const contact::ContactRecord& c : contacts) {
        if (c.normal_impulse > 0.0 && c.normal_velocity > 0.1) bounced += 1.0;
      }
    };
    EXPECT_EQ(run.run_until(0.06), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_GT(bounced, 0.0);
    run.expect_ledger_closes();
    return VecX(run.built.state.v);
  };
  const VecX round = rebound("solver: cone");
  std::vector<double> errors;
  for (const char* directions : {"8", "64", "512"}) {
    errors.push_back((rebound(std::string("directions: ") + directions) - round).norm());
  }
  EXPECT_LT(errors[1], 0.3 * errors[0]);
  EXPECT_LT(errors[2], 0.3 * errors[1]);
  EXPECT_LT(errors[2], 1e-2 * round.norm());
}

// Many impacts at once, rigid and compliant: every phase of every step is certified, and no energy
// comes from nowhere: of 60 J, order 1 gives some mJ where it pushes overlaps apart that its
// straight steps left, and springs give back what they stored.
TEST(ConePoisson, HeapBouncesCertifiedAndLosesEnergy) {
  for (const auto& heap :
       {std::pair("order: 1", 5e-3), std::pair("order: 1, contact: {compliance: 0.03}", 5e-3),
        std::pair("order: 2", 0.0)}) {
    const char* const options = heap.first;
    const double pushes = heap.second;
    SceneRun run(world(kG, "restitution: 0.7, friction: 0.3",
                       "  - {name: ball, material: m, mass: 1, position: [0, 0, 0.3],"
                       " shapes: [{sphere: {radius: 0.05}}], repeat: {grid: [3, 2, 3],"
                       " spacing: 0.106, jitter: 0.003}}\n"
                       "  - {name: box, material: m, mass: 3, position: [0.1, 0, 0.8],"
                       " shapes: [{box: {size: [0.4, 0.3, 0.1]}}]}\n",
                       std::string("solver: cone, step: 0.004, ") + options));
    double energy = std::numeric_limits<double>::infinity();
    int rebounds = 0;
    run.watch = [&](const StepReport& report, auto contacts, const auto&) {
      // The scheme exchanges kinetic and potential energy with an error of its own.
      const double now = report.ledger.total() - report.ledger.work[Ledger::kScheme] -
                         report.ledger.work[Ledger::kProjection];
      EXPECT_LE(now, energy + 1e-9 + pushes) << options << " " << report.t;
      energy = report.ledger.total();
      for (const contact::ContactRecord& c : contacts) {
        rebounds += c.normal_impulse > 0.0 && c.normal_velocity > 0.1 ? 1 : 0;
      }
    };
    ASSERT_EQ(run.run_until(0.6), AdvanceStatus::kReachedEnd) << options << run.last.message;
    EXPECT_GT(rebounds, 20) << options;
    EXPECT_LE(run.worst_residual, 1e-6) << options;
    run.expect_ledger_closes();
  }
}

// Springs of compliant contacts take up a small share of the rebound, which vanishes with them.
TEST(ConePoisson, CompliantReboundTendsToTheRigidOne) {
  for (const double compliance : {0.03, 0.003}) {
    SceneRun run(world(
        0.0, "restitution: 0.5, friction: 0.2",
        ball("position: [0, 0, 0.105], velocity: [0.6, 0, -1]"),
        "solver: cone, step: 0.01, contact: {compliance: " + std::to_string(compliance) + "}"));
    ASSERT_EQ(run.run_until(0.01), AdvanceStatus::kReachedEnd) << run.last.message;
    // Compression ends at u = -c W p, restitution adds e W p.
    EXPECT_NEAR(run.twist("ball").v.z(), (0.5 - compliance) / (1.0 + compliance), 1e-6);
    EXPECT_LE(run.worst_residual, 1e-6);
    run.expect_ledger_closes();
  }
}

// One rod of 1 m and 2 kg on a hinge about y, hanging down at angle 0.
std::string rod(double g, const std::string& joint, const std::string& options) {
  return "tenpin: 1\nname: rod\ngravity: [0, 0, " + std::to_string(-g) +
         "]\nbodies:\n"
         "  - {name: rod, mass: 2, inertia: [0.16666666666666666, 0.16666666666666666, 1e-3],"
         " center_of_mass: [0, 0, -0.5], joint: {hinge: {axis: [0, -1, 0], " +
         joint + "}}}\nmethod: {time-stepping: {step: 0.005, " + options + "}}\n";
}

// Friction takes f / I of the rate every second, stops the rod, and lets it stand.
TEST(ConeDryJoint, StopsASpinInItsTime) {
  for (const char* options : {"solver: cone", "solver: cone, contact: {compliance: 0.03}"}) {
    SceneRun run(rod(0.0, "rate: 3, friction: 0.4", options));
    const double I = 1.0 / 6.0 + 2.0 * 0.25;
    ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_NEAR(run.built.state.v[0], 3.0 - 0.4 / I, 1e-9) << options;
    EXPECT_NEAR(run.work[Ledger::kFriction],
                0.5 * I * (run.built.state.v[0] * run.built.state.v[0] - 9.0), 1e-9);
    ASSERT_EQ(run.run_until(6.0), AdvanceStatus::kReachedEnd);
    EXPECT_NEAR(run.built.state.v[0], 0.0, 1e-12) << options;
    run.expect_ledger_closes();
  }
}

// Above the weight's torque m g l/2 sin(angle) it holds, below it lets go.
TEST(ConeDryJoint, SticksAndSlips) {
  const double torque = 2.0 * kG * 0.5 * sin_cos(1.0).sin;
  SceneRun holds(rod(kG, "at: 1, friction: " + std::to_string(1.01 * torque), "solver: cone"));
  ASSERT_EQ(holds.run_until(5.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(holds.built.state.q[0], 1.0, 1e-9);
  SceneRun slips(rod(kG, "at: 1, friction: " + std::to_string(0.99 * torque), "solver: cone"));
  ASSERT_EQ(slips.run_until(1.0), AdvanceStatus::kReachedEnd);
  EXPECT_LT(slips.built.state.q[0], 0.999);
}

// An arm of three stiff joints that drags its hand over a box: both solvers know the same law.
TEST(ConeDryJoint, ArmThatTouchesMovesAsByLemke) {
  const auto run_arm = [](const std::string& solver) {
    SceneRun run(
        "tenpin: 1\nname: arm\nmaterials: {m: {friction: 0.4, restitution: 0}}\nbodies:\n"
        "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
        "  - {name: upper, mass: 1, material: m, position: [0, 0, 0.5], center_of_mass: [0.2, 0, "
        "0],"
        " inertia: [0.01, 0.02, 0.02], joint: {hinge: {axis: [0, 1, 0], friction: 0.3}}}\n"
        "  - {name: lower, parent: upper, mass: 1, material: m, position: [0.4, 0, 0],"
        " center_of_mass: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02],"
        " joint: {hinge: {axis: [0, 1, 0], friction: 0.1, rate: -1}},"
        " shapes: [{sphere: {radius: 0.1}, position: [0.4, 0, 0]}]}\n"
        "method: {time-stepping: {step: 0.005, " +
        solver + "}}\n");
    EXPECT_EQ(run.run_until(1.5), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_GT(run.last.num_contacts, 0);
    run.expect_ledger_closes();
    return VecX(run.built.state.q);
  };
  EXPECT_LE((run_arm("solver: cone") - run_arm("solver: lemke")).lpNorm<Eigen::Infinity>(), 1e-7);
}

// A patch of radius rho resists spin with mu rho N, as by Lemke.
TEST(ConeTorsion, SpinStopsAtTheRateOfThePatch) {
  for (const char* options : {"order: 1", "order: 2", "order: 1, contact: {compliance: 0.03}"}) {
    SceneRun run(world(kG, "friction: {along: 0.5, torsion: 0.02}",
                       ball("position: [0, 0, 0.1], angular_velocity: [0, 0, 9]"),
                       std::string("solver: cone, step: 0.001, ") + options));
    ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
    const double rate = 0.5 * 0.02 * kG / 0.004;
    EXPECT_NEAR(run.twist("ball").w.z(), 9.0 - 0.1 * rate, 0.003 * rate) << options;
    ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_NEAR(run.twist("ball").w.z(), 0.0, 1e-9) << options;
    EXPECT_LE(run.worst_residual, 1e-6) << options;
    run.expect_ledger_closes();
  }
}

// A ball that slips and spins: of mu N, slip and rho times spin take what they are of their sum's
// root, and friction along the slip turns the ball, too.
TEST(ConeTorsion, SlipAndSpinShareTheLimit) {
  constexpr double kStep = 1e-3;
  SceneRun run(
      world(kG, "friction: {along: 0.5, torsion: 0.1}",
            ball("position: [0, 0, 0.1], velocity: [3, 0, 0], angular_velocity: [0, 0, 40]"),
            "solver: cone, step: 0.001, order: 1"));
  ASSERT_EQ(run.run_until(kStep), AdvanceStatus::kReachedEnd) << run.last.message;
  const dynamics::Twist V = run.twist("ball");
  const double slip = V.v.x() - 0.1 * V.w.y();
  const double spin = 0.1 * V.w.z();
  const double size = std::hypot(slip, spin);
  EXPECT_NEAR(3.0 - V.v.x(), 0.5 * kG * kStep * slip / size, 1e-9);
  EXPECT_NEAR(40.0 - V.w.z(), 0.5 * 0.1 * kG * kStep / 0.004 * spin / size, 1e-8);
  run.expect_ledger_closes();
}

}  // namespace
}  // namespace tenpin::methods
