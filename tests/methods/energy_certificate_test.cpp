// What every step says of energy, of forces that could be others, and of forces that do not exist.
#include <gtest/gtest.h>

#include <array>

#include "base/text.h"
#include "contact/energy_law.h"
#include "impact/planar.h"
#include "math/trig.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::ContactRecord;
using contact::Ledger;
using test::SceneRun;

std::string material(double mu, double e) {
  return "tenpin: 1\nname: energy\nmaterials: {m: {friction: " + std::to_string(mu) +
         ", restitution: " + std::to_string(e) +
         "}}\nbodies:\n  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n";
}

const char* const kSteppings[] = {
    "method: {time-stepping: {step: 0.005, order: 1, solver: lemke}}\n",
    "method: {time-stepping: {step: 0.005, order: 1, solver: cone}}\n",
    "method: {time-stepping: {step: 0.005, order: 2, solver: lemke}}\n",
    "method: {time-stepping: {step: 0.005, order: 2, solver: cone}}\n",
};

std::vector<std::string> list_methods() {
  std::vector<std::string> methods(std::begin(kSteppings), std::end(kSteppings));
  methods.push_back("method: {time-stepping: {step: 0.005, formulation: velocity}}\n");
  methods.push_back("method: {analytic: {}}\n");
  methods.push_back("method: {impulse: {}}\n");
  return methods;
}

// A seat on legs with round feet.
std::string chair(int legs) {
  std::string shapes;
  for (int i = 0; i < legs; ++i) {
    const auto [s, c] = sin_cos(2.0 * kPi * i / legs);
    shapes += std::string(i == 0 ? "" : ", ") + "{sphere: {radius: 0.02}, position: [" +
              std::to_string(0.2 * c) + ", " + std::to_string(0.2 * s) + ", -0.3]}";
  }
  return "  - {name: chair, material: m, mass: 4, inertia: [0.1, 0.1, 0.1],"
         " position: [0, 0, 0.32], shapes: [" +
         shapes + "]}\n";
}

TEST(Uniqueness, EveryMethodTellsChairsApart) {
  for (const std::string& method : list_methods()) {
    for (const int legs : {3, 4, 5, 8}) {
      SceneRun run(material(0.0, 0.0) + chair(legs) + method);
      int open = 0;
      int steps = 0;
      run.watch = [&](const StepReport& report, auto contacts, const auto&) {
        ++steps;
        if (report.certificate.forces_unique) return;
        ++open;
        for (const ContactRecord& r : contacts) EXPECT_FALSE(r.force_unique);
      };
      ASSERT_EQ(run.run_until(0.05), AdvanceStatus::kReachedEnd) << run.last.message;
      EXPECT_EQ(open, legs == 3 ? 0 : steps) << legs << " legs, " << method;
    }
  }
}

TEST(Existence, IsTestedUnderTheConeSolverToo) {
  for (const char* method : kSteppings) {
    for (const int legs : {3, 4}) {
      SceneRun run(material(0.0, 0.0) + chair(legs) + method);
      ASSERT_EQ(run.run_until(0.01), AdvanceStatus::kReachedEnd) << run.last.message;
      EXPECT_EQ(run.last.existence.normals_independent, legs == 3) << method;
    }
  }
}

// Blocks that land on an edge, stick to it and rock, and coins that fall tilted and roll on: they
// get no verdict, since no slip is real or it can slow down by finite forces.
TEST(Painleve, RockingBlocksAndCoinsGetNoVerdict) {
  const auto block = [](double height, double degrees, double z) {
    return "  - {name: block, material: m, density: 500, position: [0, 0, " + std::to_string(z) +
           "], orientation: {axis: [0, 1, 0], degrees: " + std::to_string(degrees) +
           "}, shapes: [{box: {size: [0.2, 0.2, " + std::to_string(height) + "]}}]}\n";
  };
  const auto coin = [](double degrees, double speed) {
    return "  - {name: coin, material: m, mass: 0.1, position: [0, 0, 0.15], velocity: [" +
           std::to_string(speed) + ", 0, -1], angular_velocity: [2, 1, 4], orientation: {axis:" +
           " [1, 0.4, 0], degrees: " + std::to_string(degrees) +
           "}, shapes: [{cylinder: {radius: 0.1, length: 0.01}}]}\n";
  };
  const std::string bodies[] = {block(0.4, 16.0, 0.220816), block(0.6, 12.0, 0.315235),
                                coin(37.0, 0.3), coin(71.0, 1.5)};
  for (const std::string& method : list_methods()) {
    for (const std::string& body : bodies) {
      SceneRun run(material(1.2, 0.0) + body + method);
      run.watch = [&](const StepReport& report, auto contacts, const auto&) {
        for (const ContactRecord& r : contacts) {
          EXPECT_FALSE(r.no_acceleration_solution) << method << body << "t = " << report.t;
        }
      };
      ASSERT_EQ(run.run_until(0.3), AdvanceStatus::kReachedEnd) << method << run.last.message;
    }
  }
}

std::string leaning_rod(double degrees) {
  return "  - {name: rod, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, material: m, mass: 1,"
         " inertia: 0.02, position: [0, 0, 0.4], orientation: {axis: [0, -1, 0], degrees: " +
         std::to_string(degrees) +
         "}, velocity: [-2, 0, -1], shapes: [{capsule: {radius: 0.02, length: 0.6, axis: x}}]}\n";
}

// Newton's law with friction would gain energy at some angles; every method guards against it.
TEST(EnergyLaw, NoMethodLetsNewtonsLawGain) {
  for (const char* method :
       {"method: {time-stepping: {step: 0.002, order: 1, solver: lemke, restitution: newton}}\n",
        "method: {time-stepping: {step: 0.002, order: 1, solver: cone, restitution: newton}}\n",
        "method: {time-stepping: {step: 0.002, order: 2, solver: cone, restitution: newton}}\n",
        "method: {analytic: {law: newton}}\n", "method: {impulse: {law: newton}}\n"}) {
    int guarded = 0;
    for (int i = 0; i < 20; ++i) {
      const double degrees = 20.0 + 3.0 * i;
      SceneRun run(material(1.0, 0.95) + leaning_rod(degrees) + method);
      run.watch = [&](const StepReport& report, auto, const auto&) {
        guarded += report.guarded;
        const double contacts =
            report.ledger.work[Ledger::kNormal] + report.ledger.work[Ledger::kFriction];
        // What the mean velocity of a step of first order leaves; the law would gain up to a joule.
        EXPECT_LE(contacts, 1e-4) << method << degrees << " degrees, t = " << report.t;
      };
      ASSERT_EQ(run.run_until(0.3), AdvanceStatus::kReachedEnd) << run.last.message;
    }
    EXPECT_GT(guarded, 0) << method;
  }
}

// Without a law named, analytic takes the energetic one, which needs no guard.
TEST(EnergyLaw, AnalyticIsEnergeticWhereFrictionAndRestitutionMeet) {
  for (int i = 0; i < 20; ++i) {
    const std::string scene = material(1.0, 0.95) + leaning_rod(20.0 + 3.0 * i);
    SceneRun by_default(scene + "method: {analytic: {}}\n");
    SceneRun energetic(scene + "method: {analytic: {law: energetic}}\n");
    for (SceneRun* run : {&by_default, &energetic}) {
      run->watch = [](const StepReport& report, auto, const auto&) {
        EXPECT_EQ(report.guarded, 0);
      };
      ASSERT_EQ(run->run_until(0.3), AdvanceStatus::kReachedEnd) << run->last.message;
    }
    EXPECT_EQ(by_default.built.state.q, energetic.built.state.q);
  }
}

// A ball that begins deep in the floor: no step may throw it out and pass.
TEST(EnergyLaw, InitialOverlapGivesNoEnergy) {
  for (const char* method : kSteppings) {
    SceneRun run(material(0.3, 0.0) +
                 "  - {name: ball, material: m, mass: 1, position: [0, 0, 0.05],"
                 " shapes: [{sphere: {radius: 0.1}}]}\n" +
                 method);
    double gained = 0.0;
    run.watch = [&](const StepReport& report, auto, const auto&) {
      if (report.status != AdvanceStatus::kReachedEnd) return;
      gained = std::max(gained, report.ledger.work[Ledger::kNormal]);
    };
    const AdvanceStatus status = run.run_until(0.2);
    if (status != AdvanceStatus::kReachedEnd) {
      EXPECT_EQ(status, AdvanceStatus::kCertificateFailed) << method;
      // At order 1 the position constraint would throw it out; at order 2 it would be lifted: by 5
      // cm.
      const contact::Certificate& certificate = run.last.certificate;
      EXPECT_FALSE(certificate.passed) << method;
      if (std::string(method).find("order: 1") != std::string::npos) {
        EXPECT_GT(certificate.excess_work, 1.0) << method;
      } else {
        EXPECT_NEAR(certificate.scheme_gain, 9.81 * 0.05, 1e-7) << method;
      }
      EXPECT_NE(run.last.message.find("J more than"), std::string::npos) << run.last.message;
      EXPECT_EQ(run.built.state.step, 0) << method;
    }
    EXPECT_LE(gained, 0.05)
        << method;  // the truncation error of steps: g h times the weight's impulse
  }
}

// The split of the work at an impact is that along the path which the law follows.
TEST(Ledger, ImpactsOfAnalyticAndImpulseAreBookedAlongTheirPaths) {
  const double degrees = 50.0;
  const auto [s, c] = sin_cos(degrees * kPi / 180.0);
  // The rod's lower tip, from its centre: the normal's lever along x, friction's along z.
  const double x = -0.3 * c, z = -0.3 * s - 0.02, J = 0.02;
  impact::PlanarContact tip{.W_tt = 1.0 + z * z / J,
                            .W_tn = -x * z / J,
                            .W_nn = 1.0 + x * x / J,
                            .v_t = -2.0,
                            .v_n = -1.0};
  const double fall = 0.4 + z;
  for (const char* method : {"method: {analytic: {law: energetic}}\n",
                             "method: {impulse: {law: energetic, interval: 0.001}}\n"}) {
    SceneRun run(material(0.4, 0.5) + leaning_rod(degrees) + method);
    tip.v_n = -std::sqrt(1.0 + 2.0 * 9.81 * fall);
    bool found = false;
    run.watch = [&](const StepReport&, auto contacts, const auto&) {
      for (const ContactRecord& r : contacts) {
        if (found || r.normal_impulse == 0.0) continue;
        found = true;
        const impact::PlanarImpact path = solve_planar(
            tip, {.mu = 0.4, .mu_static = 0.4, .restitution = 0.5, .law = impact::Law::kEnergetic});
        EXPECT_NEAR(r.normal_work, path.end().E_n, 2e-3 * std::fabs(path.end().E_n)) << method;
        EXPECT_NEAR(r.friction_work, path.end().E_f, 2e-3 * std::fabs(path.end().E_n)) << method;
        EXPECT_LT(r.friction_work, 0.0);
      }
    };
    ASSERT_EQ(run.run_until(0.12), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_TRUE(found) << method;
  }
}

// The double pendulum of M11 hits the floor with its tip: the records have the reference's work of
// the normal impulse and of friction.   [M11, eq. (2.9)-(2.21)], [M11, eq. (3.1)-(3.3)]
TEST(Ledger, ImpactsOfM11AreBookedAlongTheirPaths) {
  struct Case {
    std::array<double, 2> q, u;  // rad, rad/s
    double mu, e;                // -
    double E_n, E_f;             // J   experiments/M11/impacts/expected.json, or integrated
  };
  constexpr double kTip = 1e-7;    // m   radius of the tip, by which its lever is off
  constexpr double kError = 1e-6;  // J
  constexpr std::array<Case, 4> kCases = {{
      {{-1.0471975511965976, -0.6981317007977318}, {-1, 3}, 0.3, 0.5, -0.340763, -0.112938},
      {{-1.178, 1.986}, {-0.822, -2.672}, 0.374, 0.843, -0.454633652, -0.531555175},
      {{-2.212, 0.784}, {3.34, 0.641}, 1.153, 0.519, -4.322804868, -8.869593622},
      // Slip ends early: on a straight path, -3.396 and -1.116 J would be booked.
      {{-0.64, -0.371}, {-4.154, 7.5}, 0.855, 0.59, -4.457613678, -0.055058843},
  }};
  for (const Case& c : kCases) {
    const double height = kTip - sin_cos(c.q[0]).sin - sin_cos(c.q[0] + c.q[1]).sin;
    const auto bar = [&](int i, const std::string& rest) {
      return ", joint: {hinge: {axis: [0, -1, 0], at: " + to_text(c.q[i]) +
             ", rate: " + to_text(c.u[i]) +
             "}}, mass: 1, center_of_mass: [0.5, 0, 0], inertia: " + to_text(1.0 / 12.0) + rest +
             "}\n";
    };
    for (const char* method :
         {"analytic: {law: energetic}", "impulse: {law: energetic, interval: 0.0001}"}) {
      SceneRun run("tenpin: 1\nname: pendulum\ngravity: [0, 0, 0]\nmaterials: {m: {friction: " +
                   to_text(c.mu) + ", restitution: " + to_text(c.e) +
                   "}}\nbodies:\n"
                   "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
                   "  - {name: support, fixed: true, position: [0, 0, " +
                   to_text(height) + "]}\n  - {name: upper, parent: support" + bar(0, "") +
                   "  - {name: lower, parent: upper" +
                   bar(1, ", material: m, position: [1, 0, 0], shapes: [{sphere: {radius: " +
                              to_text(kTip) + "}, position: [1, 0, 0]}]") +
                   "method: {" + method + "}\n");
      std::vector<ContactRecord> impacts;
      run.watch = [&](const StepReport&, auto contacts, const auto&) {
        for (const ContactRecord& r : contacts) {
          if (r.normal_impulse > 0.0) impacts.push_back(r);
        }
      };
      ASSERT_EQ(run.run_until(0.0002), AdvanceStatus::kReachedEnd) << run.last.message;
      ASSERT_EQ(impacts.size(), 1u) << method;
      EXPECT_NEAR(impacts[0].normal_work, c.E_n, kError) << method;
      EXPECT_NEAR(impacts[0].friction_work, c.E_f, kError) << method;
    }
  }
}

// A pendulum on a shaken support: what the support does is a stage of its own, and free flight is
// rounding.
TEST(Ledger, ShakenPendulumGetsItsEnergyFromPrescribedMotion) {
  const std::string scene =
      "tenpin: 1\nname: shaken\nmaterials: {m: {friction: 0, restitution: 0}}\nbodies:\n"
      "  - {name: support, position: [0, 0, 2], motion: {amplitude: [0.2, 0, 0], frequency: 1.3}}\n"
      "  - {name: bob, parent: support, joint: {hinge: {axis: [0, 1, 0]}}, material: m, mass: 2,"
      " inertia: [0.1, 0.1, 0.1], center_of_mass: [0, 0, -0.5]}\n";
  for (const char* method :
       {"method: {time-stepping: {step: 0.005, order: 1}}\n",
        "method: {time-stepping: {step: 0.005, order: 2}}\n", "method: {analytic: {}}\n"}) {
    SceneRun run(scene + method);
    ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_NEAR(run.work[Ledger::kPrescribed], -0.432889, 1e-6) << method;
    EXPECT_LE(std::fabs(run.work[Ledger::kFreeFlight]), 1e-9) << method;
    EXPECT_LE(std::fabs(run.work[Ledger::kConstraint]), 1e-9) << method;
    EXPECT_LE(run.worst_closure, 1e-9) << method;
  }
}

// The law itself: one contact, and islands that pass energy on.
TEST(EnergyLaw, BoundsTheSumOfAnIsland) {
  contact::WorkSample bounce;
  bounce.impulse[0] = 1.0;
  bounce.before[0] = -1.0;
  bounce.after[0] = 0.9;
  contact::WorkSample pushed = bounce;
  pushed.before[0] = 0.0;
  pushed.after[0] = 0.09;
  const std::vector<contact::WorkSample> samples = {bounce, pushed};
  const std::vector<int> first = {0}, second = {1}, both = {0, 1};
  EXPECT_EQ(calc_excess_work(samples, first, 1.0, 1e-9), 0.0);
  EXPECT_NEAR(calc_excess_work(samples, second, 1.0, 1e-9), 0.045, 1e-15);
  EXPECT_EQ(calc_excess_work(samples, both, 1.0, 1e-9), 0.0);
  contact::WorkSample excused = pushed;
  excused.slack = 0.1;
  EXPECT_EQ(contact::calc_excess_work({&excused, 1}, first, 1.0, 1e-9), 0.0);
  excused.impulse[0] = std::nan("");
  EXPECT_FALSE(contact::calc_excess_work({&excused, 1}, first, 1.0, 1e-9) == 0.0);
}

}  // namespace
}  // namespace tenpin::methods
