// Steps that the solver alone does not manage: ill-conditioned towers, fixed points that do not
// settle, springs that are pressed flat.
#include <gtest/gtest.h>

#include <string>

#include "base/text.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

// Light and heavy boxes in turn, or one heavy box on a light one.
std::string make_tower(int pairs, double ratio, const std::string& method) {
  std::string text =
      "tenpin: 1\nname: tower\nmaterials: {wood: {friction: 0.5}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: wood, shapes: [{plane: {}}]}\n";
  for (int i = 0; i < 2 * pairs; ++i) {
    text += "  - {name: box" + std::to_string(i) +
            ", material: wood, mass: " + (i % 2 == 0 ? "1" : to_text(ratio)) +
            ", position: [0, 0, " + to_text(0.1 + 0.2 * i) +
            "], shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n";
  }
  return text + "method: {time-stepping: {" + method + "}}\n";
}

// The solver's own measure is met long before the velocities of the light box are right: at 1e9,
// they were off by a tenth of a step's fall.
TEST(HardSteps, HeavyOnLightStandsUnderEverySolver) {
  for (const double mass : {1e7, 1e8, 1e9}) {
    for (const char* options :
         {"order: 1, solver: cone", "order: 1, solver: lemke", "order: 2, solver: cone",
          "order: 2, solver: lemke", "formulation: velocity"}) {
      SceneRun run(make_tower(1, mass, std::string("step: 0.005, ") + options));
      ASSERT_EQ(run.run_until(0.2), AdvanceStatus::kReachedEnd)
          << mass << options << run.last.message;
      EXPECT_NEAR(run.position("box0").z(), 0.1, 1e-6) << mass << options;
      EXPECT_NEAR(run.position("box1").z(), 0.3, 1e-6) << mass << options;
      EXPECT_LE(run.twist("box1").v.norm(), 1e-5) << mass << options;
    }
  }
}

// Lemke's path through boxes of 1 and 3000 kg in turn is lost by rounding.
TEST(HardSteps, AlternatingTowerStandsUnderLemke) {
  SceneRun run(make_tower(2, 3000.0, "order: 1, solver: lemke"));
  ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE(run.worst_residual, 1e-8);
  EXPECT_NEAR(run.position("box3").z(), 0.7, 1e-6);
}

// Two iterations are not enough for a box that tumbles onto its edge: the step is not certified,
// and is taken again in shorter ones.
TEST(HardSteps, FixedPointThatDoesNotSettleIsTakenAgain) {
  SceneRun run(
      "tenpin: 1\nname: tumble\nmaterials: {m: {friction: 0.5}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
      "  - {name: box, mass: 1, material: m, position: [0, 0, 0.2], velocity: [2, 1, -3],"
      " angular_velocity: [20, 30, 5], shapes: [{box: {size: [0.2, 0.3, 0.1]}}]}\n"
      "method: {time-stepping: {order: 1, formulation: nonlinear, step: 0.01,"
      " fixed_point: {iterations: 2}}}\n");
  bool is_taken_again = false;
  run.watch = [&](const StepReport& report, auto, const auto&) {
    EXPECT_TRUE(report.certificate.passed);
    is_taken_again = is_taken_again ||
                     report.message.find("the fixed point did not settle") != std::string::npos;
  };
  EXPECT_EQ(run.run_until(0.3), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_TRUE(is_taken_again);
}

TEST(HardSteps, CompliantContactDoesNotSwallowABody) {
  const auto drop = [](const std::string& gravity, const std::string& contact) {
    return "tenpin: 1\nname: press\ngravity: [0, 0, -" + gravity +
           "]\nmaterials: {m: {stiffness: 1e5}}\nbodies:\n"
           "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
           "  - {name: ball, mass: 1, material: m, position: [0, 0, 0.1],"
           " shapes: [{sphere: {radius: 0.1}}]}\n"
           "method: {time-stepping: {order: 1, contact: " +
           contact + "}}\n";
  };
  SceneRun firm(drop("9.81", "springs"));
  EXPECT_EQ(firm.run_until(0.2), AdvanceStatus::kReachedEnd) << firm.last.message;
  for (const char* contact : {"springs", "{compliance: 0.03}"}) {
    SceneRun pressed(drop("981000", contact));
    const AdvanceStatus status = pressed.run_until(0.2);
    if (status == AdvanceStatus::kReachedEnd) {
      EXPECT_GT(pressed.position("ball").z(), 0.04) << contact;
    } else {
      EXPECT_EQ(status, AdvanceStatus::kCertificateFailed);
      EXPECT_EQ(pressed.last.message.substr(0, 48),
                "the compliant contact of floor and ball overlaps");
    }
  }
}

}  // namespace
}  // namespace tenpin::methods
