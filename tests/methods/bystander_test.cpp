// Bodies that never meet at order 1: the scale of one's velocities is not that of the others.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/text.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::ContactRecord;
using test::SceneRun;

// A body that nothing touches: 1000 m/s fast.
constexpr const char* kFast =
    "  - {name: ball, material: m, mass: 1, position: [-2000, 5, 40], velocity: [1000, 0, 0],"
    " shapes: [{sphere: {radius: 0.1}}]}\n";

// A box that slides by 7 mm in a second, beside a fast body: impulses, modes and residuals of its
// contacts are those of the box alone.
TEST(Bystander, FastBodiesDoNotExcuseTheErrorsOfSlowContacts) {
  for (const std::string options : {"solver: cone", "solver: lemke", "formulation: velocity",
                                    "contact: {compliance: 0.03}, solver: cone"}) {
    const auto slide = [&options](const std::string& more) {
      const double angle = 0.3;
      return "tenpin: 1\nname: slide\ngravity: [" + to_text(9.81 * std::sin(angle)) + ", 0, " +
             to_text(-9.81 * std::cos(angle)) +
             "]\nmaterials: {m: {friction: " + to_text(0.995 * std::tan(angle)) +
             ", restitution: 0}}\nbodies:\n"
             "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
             "  - {name: box, material: m, mass: 1, position: [0, 0, 0.05], shapes: [{box: "
             "{size: [0.3, 0.2, 0.1]}}]}\n" +
             more + "method: {time-stepping: {order: 1, step: 0.004, " + options + "}}\n";
    };
    std::vector<ContactRecord> alone, beside;
    const auto run = [](const std::string& scene, std::vector<ContactRecord>* records) {
      SceneRun made(scene);
      made.watch = [&](const StepReport&, auto contacts, const auto&) {
        records->insert(records->end(), contacts.begin(), contacts.end());
      };
      EXPECT_EQ(made.run_until(0.2), AdvanceStatus::kReachedEnd) << made.last.message;
      return made.position("box");
    };
    EXPECT_EQ(run(slide(""), &alone), run(slide(kFast), &beside)) << options;
    ASSERT_EQ(alone.size(), beside.size()) << options;
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(alone[i].mode, beside[i].mode) << options << i;
      EXPECT_EQ(alone[i].residual, beside[i].residual) << options << i;
      EXPECT_EQ(alone[i].normal_impulse, beside[i].normal_impulse) << options << i;
    }
  }
}

// A box that slides slowly on a table, over which a puck flies at 100 m/s: contacts connect all of
// them, so the puck's speed counts in the scale of the box's contacts. The box goes as far as
// alone.
TEST(Bystander, FastBodyOnTheSameTableDoesNotPushASlowSlide) {
  constexpr double kMu = 0.3, kOver = 1.0005, kG = 9.81, kEnd = 0.3;
  const double exact = 0.5 * (kOver - 1.0) * kMu * kG * kEnd * kEnd;  // m
  const std::string scene =
      "tenpin: 1\nname: table\nmaterials:\n  wood: {friction: 0.3}\n  ice: {friction: 0}\n"
      "  rubber: {friction: 1}\nbodies:\n"
      "  - {name: floor, fixed: true, material: rubber, shapes: [{plane: {}}]}\n"
      "  - {name: table, material: wood, mass: 20, position: [0, 0, 0.5],"
      " shapes: [{box: {size: [200, 4, 1]}}]}\n"
      "  - {name: box, material: wood, mass: 1, position: [0, 0, 1.05], forces: [{force: [0, " +
      to_text(kOver * kMu * kG) +
      ", 0]}], shapes: [{box: {size: [0.3, 0.2, 0.1]}}]}\n"
      "  - {name: puck, material: ice, mass: 1, position: [-60, 1, 1.05], velocity: [100, 0, 0],"
      " shapes: [{box: {size: [0.3, 0.2, 0.1]}}]}\n";
  const auto slide = [&](const std::string& method) {
    SceneRun run(scene + "method: {" + method + "}\n");
    EXPECT_EQ(run.run_until(kEnd), AdvanceStatus::kReachedEnd) << method << run.last.message;
    EXPECT_LE(run.position("table").head<2>().norm(), 1e-9) << method;
    return run.position("box").y();
  };
  for (const std::string solver : {"cone", "lemke"}) {
    const std::string stepping = "time-stepping: {step: 0.005, solver: " + solver + ", order: ";
    EXPECT_NEAR(slide(stepping + "2}"), exact, 1e-4 * exact) << solver;
    // The paper's scheme uses each step's last velocity: (1 + h / t) times as far.
    EXPECT_NEAR(slide(stepping + "1}"), (1.0 + 0.005 / kEnd) * exact, 1e-4 * exact) << solver;
  }
  EXPECT_NEAR(slide("analytic: {}"), exact, 1e-6 * exact);
}

}  // namespace
}  // namespace tenpin::methods
