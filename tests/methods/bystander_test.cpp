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

}  // namespace
}  // namespace tenpin::methods
