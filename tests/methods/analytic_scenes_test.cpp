// Whole scenes under the analytical method, forces by linear programs, and the springs that it is
// compared with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "base/check.h"
#include "base/text.h"
#include "math/trig.h"
#include "methods/scheduled_method.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

const std::string kFloor =
    "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n";

std::string materials(double mu) {
  return "tenpin: 1\nmaterials: {m: {friction: " + to_text(mu) + ", restitution: 0}}\nbodies:\n";
}

const std::string kBricks =
    materials(0.0) + kFloor +
    "  - {name: brick, joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, material: m, mass: 1,"
    " position: [0, 0, 0.05], shapes: [{box: {size: [0.4, 0.2, 0.1]}}],"
    " repeat: {stack: 5, spacing: [0.1, 0, 0.1]}}\n";

// All of a shipped scene, or what it is refused for.
std::string run_shipped(const std::filesystem::path& file, double until,
                        const scene::AnalyticOptions& options = {}) {
  scene::Scene scene = scene::read_scene(file.string(), {});
  scene.method = options;
  scene::Built built = scene::build(scene);
  try {
    const std::unique_ptr<Method> method = make_scheduled_method(&built.model, scene.method, 1);
    dynamics::State state = built.state;
    struct Last final : StepObserver {
      bool on_step(const StepReport& report, std::span<const contact::ContactRecord> /*contacts*/,
                   const dynamics::State& /*state*/) override {
        message = report.message;
        return true;
      }
      std::string message;
    } last;
    const AdvanceStatus status = method->advance(until, until, &state, &last);
    return status == AdvanceStatus::kReachedEnd ? "" : last.message;
  } catch (const InputError& error) {
    const std::string text = error.what();
    return text.find("method.analytic: cannot do") != std::string::npos ? "" : text;
  }
}

TEST(AnalyticScenes, EveryShippedSceneRunsOrIsRefusedByName) {
  for (const auto& entry : std::filesystem::directory_iterator(TENPIN_SOURCE_DIR "/scenes")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string name = entry.path().stem().string();
    const bool is_large = name == "pile-of-balls" || name == "dominoes";
    EXPECT_EQ(run_shipped(entry.path(), is_large ? 0.01 : 0.3), "") << name;
  }
}

// In one piece, not from frame to frame: hops end within steps that are longer than they are.
TEST(AnalyticScenes, ShortHopsDoNotStallLongSteps) {
  const scene::AnalyticOptions smooth{.friction = scene::AnalyticOptions::Friction::kNone};
  const std::string source = TENPIN_SOURCE_DIR;
  EXPECT_EQ(run_shipped(source + "/experiments/B89/fig14b/scene.yaml", 0.3, smooth), "");
  EXPECT_EQ(run_shipped(source + "/scenes/mixed-shapes.yaml", 1.0, smooth), "");
}

// Four corners that slide together: their forces are not unique, their motion is.
TEST(AnalyticScenes, BoxSlidesDownARampAsOnePoint) {
  const double mu = 0.2;
  SceneRun run(materials(mu) +
               "  - {name: ramp, fixed: true, material: m, orientation: {axis: [0, 1, 0], degrees: "
               "30}, shapes: [{plane: {}}]}\n"
               "  - {name: box, material: m, mass: 3, orientation: {axis: [0, 1, 0], degrees: 30},"
               " position: [0.05, 0, 0.08660254037844387], shapes: [{box: {size: [0.4, 0.3, "
               "0.2]}}]}\nmethod: {analytic: {}}\n");
  const double t = 0.8;
  ASSERT_EQ(run.run_until(t), AdvanceStatus::kReachedEnd) << run.last.message;
  const SinCos slope = sin_cos(kPi / 6.0);
  const double way = 0.5 * 9.81 * (slope.sin - mu * slope.cos) * t * t;
  EXPECT_NEAR((run.position("box") - Vec3(0.05, 0, 0.08660254037844387)).norm(), way, 1e-9);
  EXPECT_LE(run.worst_residual, 1e-8);
  run.expect_ledger_closes();
}

// Four boxes in one island of sixteen contacts, more than Lemke is asked for: the lowest rubs on
// the ramp, the others hold on to each other, and all go down as one.
TEST(AnalyticScenes, StackSlidesDownARampByTheRoundCone) {
  const double mu = 0.3;
  const double gx = 6.0, gz = 8.0;  // m/s^2   along the ramp, and into it
  SceneRun run("tenpin: 1\ngravity: [" + to_text(0.6 * gx) + ", " + to_text(0.8 * gx) + ", -" +
               to_text(gz) +
               "]\nmaterials: {m: {friction: 0.3, restitution: 0}, rough: {friction: 0.9,"
               " restitution: 0}}\npairs: [{between: [m, rough], friction: 0.3, restitution: 0}]\n"
               "bodies:\n" +
               kFloor +
               "  - {name: box, material: rough, mass: 1, position: [0, 0, 0.05],"
               " shapes: [{box: {size: [0.4, 0.4, 0.1]}}],"
               " repeat: {stack: 4, spacing: [0.02, 0, 0.1]}}\nmethod: {analytic: {}}\n");
  int largest = 0;
  run.watch = [&](const StepReport& report, auto, const dynamics::State&) {
    largest = std::max(largest, report.problem_size);
  };
  const double t = 0.2;
  ASSERT_EQ(run.run_until(t), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_EQ(largest, 3 * 16);  // of the cone; Lemke's problem has 18 rows for each contact
  const double way = 0.5 * (gx - mu * gz) * t * t;
  for (int i = 0; i < 4; ++i) {
    const Vec3 p = run.position("box-" + std::to_string(i + 1));
    EXPECT_NEAR(p.x(), 0.02 * i + 0.6 * way, 1e-10);
    EXPECT_NEAR(p.y(), 0.8 * way, 1e-10);
    EXPECT_NEAR(p.z(), 0.05 + 0.1 * i, 1e-12);
  }
  EXPECT_LE(run.worst_residual, 1e-8);
  run.expect_ledger_closes();
}

// Eight contacts with twelve motions to hold, whatever is on top: rank must not depend on masses.
TEST(AnalyticScenes, MassesDoNotDecideOnRank) {
  for (const double mu : {0.0, 0.5}) {
    for (const double ratio : {1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4, 1e5, 1e6}) {
      SceneRun run(materials(mu) + kFloor +
                   "  - {name: light, material: m, mass: 1, position: [0, 0, 0.1], shapes: [{box: "
                   "{size: [0.2, 0.2, 0.2]}}]}\n"
                   "  - {name: heavy, material: m, mass: " +
                   to_text(ratio) +
                   ", position: [0, 0, 0.3], shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n"
                   "method: {analytic: {}}\n");
      ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << ratio << run.last.message;
      EXPECT_EQ(run.position("heavy"), Vec3(0, 0, 0.3)) << ratio;  // to the last bit
      EXPECT_LE(run.worst_residual, 1e-8) << ratio;
      run.expect_ledger_closes();
    }
  }
}

// A thousand contact points of bricks without friction, most of them redundant.
TEST(AnalyticScenes, BrickWallHoldsForASecond) {
  const scene::Scene wall = scene::read_scene(TENPIN_SOURCE_DIR "/scenes/brick-wall.yaml", {});
  scene::Built built = scene::build(wall);
  const VecX start = built.state.q;
  const std::unique_ptr<Method> method = make_method(built.model, wall.method, 1);
  struct Worst final : StepObserver {
    bool on_step(const StepReport& report, std::span<const contact::ContactRecord> /*contacts*/,
                 const dynamics::State& /*state*/) override {
      residual = std::max(residual, report.certificate.residual);
      least_active = std::min(least_active, report.num_active);
      message = report.message;
      return true;
    }
    double residual = 0.0;
    int least_active = 1 << 20;
    std::string message;
  } worst;
  ASSERT_EQ(method->advance(1.0, 1.0, &built.state, &worst), AdvanceStatus::kReachedEnd)
      << worst.message;
  EXPECT_LE(worst.residual, 1e-8);
  EXPECT_GE(worst.least_active, 1000);
  EXPECT_EQ(built.state.q, start);
}

// Twelve contacts with friction, all redundant, and a hundred times the mass on top.
TEST(AnalyticScenes, StackWithFrictionStaysWhereItIs) {
  SceneRun run(materials(0.5) + kFloor +
               "  - {name: low, material: m, mass: 1, position: [0, 0, 0.1], shapes: [{box: {size:"
               " [0.2, 0.2, 0.2]}}], repeat: {stack: 2, spacing: 0.2}}\n"
               "  - {name: top, material: m, mass: 100, position: [0, 0, 0.6], shapes: [{box: "
               "{size: [0.4, 0.4, 0.4]}}]}\nmethod: {analytic: {}}\n");
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(run.position("top").z(), 0.6, 1e-12);
  EXPECT_NEAR(run.position("top").head<2>().norm(), 0.0, 1e-12);
}

// Dry friction of 0.2 N m takes 2 rad/s^2 from a wheel of 0.1 kg m^2, and then holds it.
TEST(AnalyticJoints, DryFrictionStopsAWheelAndHoldsIt) {
  SceneRun run(
      "tenpin: 1\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: wheel, joint: {hinge: {axis: [0, 0, 1], friction: 0.2, rate: 1}}, mass: 1,"
      " inertia: 0.1}\nmethod: {analytic: {}}\n");
  ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(run.built.state.q[0], 0.25, 1e-9);
  EXPECT_EQ(run.built.state.v[0], 0.0);
  EXPECT_NEAR(run.work[contact::Ledger::kFriction], -0.05, 1e-12);
  EXPECT_LE(run.worst_residual, 1e-8);
  run.expect_ledger_closes();
}

// A pendulum of 1 kg and 1 m, level: its weight's moment is 9.81 N m.
TEST(AnalyticJoints, DryFrictionHoldsAPendulumOrLetsItGo) {
  const auto pendulum = [](double friction) {
    return "tenpin: 1\nbodies:\n  - {name: bar, joint: {hinge: {axis: [0, 1, 0], friction: " +
           to_text(friction) +
           "}}, mass: 1, inertia: 0.1, center_of_mass: [1, 0, 0]}\nmethod: {analytic: {}}\n";
  };
  SceneRun held(pendulum(10.0));
  ASSERT_EQ(held.run_until(1.0), AdvanceStatus::kReachedEnd) << held.last.message;
  EXPECT_EQ(held.built.state.q[0], 0.0);
  SceneRun falling(pendulum(9.0));
  const double t = 1e-3;
  ASSERT_EQ(falling.run_until(t), AdvanceStatus::kReachedEnd) << falling.last.message;
  EXPECT_NEAR(falling.built.state.v[0], 0.81 / 1.1 * t, 1e-9);
}

// [B89, §6]
TEST(AnalyticForces, LinearProgramsFindWhatComplementarityFinds) {
  SceneRun exact(kBricks + "method: {analytic: {}}\n");
  ASSERT_EQ(exact.run_until(0.3), AdvanceStatus::kReachedEnd) << exact.last.message;
  SceneRun guessed(kBricks + "method: {analytic: {forces: lp}}\n");
  ForceBranches branches;
  guessed.watch = [&](const StepReport& report, auto, const dynamics::State&) {
    branches += report.branches;
  };
  ASSERT_EQ(guessed.run_until(0.3), AdvanceStatus::kReachedEnd) << guessed.last.message;
  EXPECT_GT(branches.none_vanishes, 0);
  EXPECT_GT(branches.predicted, 0);
  // Where neither guess is right the forces add a little energy, and say how much. The motions part
  // by the speed that this is worth to a brick of 1 kg, for 0.3 s; toppling bricks make it grow.
  EXPECT_LE(branches.added_energy, 1e-8 * 9.81 * 1.0 * 0.5);
  const double parting = 0.3 * std::sqrt(2.0 * branches.added_energy);
  EXPECT_LE((guessed.built.state.q - exact.built.state.q).cwiseAbs().maxCoeff(),
            3.0 * parting + 1e-8);
}

TEST(AnalyticForces, LinearProgramsKnowNoFriction) {
  const std::string scene = materials(0.5) + kFloor +
                            "  - {name: ball, material: m, mass: 1, shapes: [{sphere: {radius: "
                            "0.1}}]}\nmethod: {analytic: {forces: lp}}\n";
  EXPECT_THROW(SceneRun run(scene), InputError);
}

// [B89, Fig. 2]: the deeper the heavier.
TEST(Penalty, SpringsLetBodiesSinkInByTheirWeight) {
  SceneRun run(materials(0.0) + kFloor +
               "  - {name: light, material: m, mass: 1, position: [0, 0, 0.1], shapes: [{sphere: "
               "{radius: 0.1}}]}\n"
               "  - {name: heavy, material: m, mass: 10, position: [1, 0, 0.1], shapes: [{sphere: "
               "{radius: 0.1}}]}\nmethod: {penalty: {stiffness: 1e4, damping: 200}}\n");
  ASSERT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(run.position("light").z(), 0.1 - 9.81 / 1e4, 1e-9);
  EXPECT_NEAR(run.position("heavy").z(), 0.1 - 98.1 / 1e4, 1e-9);
  EXPECT_GE(run.worst_penetration, 98.1 / 1e4);
  EXPECT_NE(run.last.message.find("for comparison only"), std::string::npos);
  EXPECT_FALSE(run.last.certificate.passed);  // not checked
  run.expect_ledger_closes();
}

TEST(Penalty, RefusesFrictionAndJointsByName) {
  const auto complaint = [](const std::string& scene) -> std::string {
    try {
      const SceneRun run(scene + "method: {penalty: {}}\n");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint(materials(0.1) + kFloor +
                      "  - {name: ball, material: m, mass: 1, shapes: [{sphere: {radius: 0.1}}]}\n")
                .find("friction"),
            std::string::npos);
  EXPECT_NE(complaint(materials(0.0) +
                      "  - {name: bar, material: m, mass: 1, joint: {hinge: {axis: [0, 1, 0]}},"
                      " shapes: [{sphere: {radius: 0.1}}]}\n")
                .find("the joint of bar"),
            std::string::npos);
}

}  // namespace
}  // namespace tenpin::methods
