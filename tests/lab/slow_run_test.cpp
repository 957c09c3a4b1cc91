// Advice for slow runs with rigid contacts, on a scene of a few steps.
#include "lab/slow_run.h"

#include <gtest/gtest.h>

#include <string>

#include "scene/read.h"

namespace tenpin::lab {
namespace {

// A ball that falls onto a floor and another one.
scene::Scene make_scene(const std::string& method) {
  return scene::parse_scene(
      "tenpin: 1\nname: two balls\nmaterials: {steel: {friction: 0.3, restitution: 0}}\n"
      "bodies:\n  - {name: floor, fixed: true, material: steel, shapes: [{plane: {}}]}\n"
      "  - {name: low, material: steel, mass: 1, position: [0, 0, 0.05], shapes: [{sphere: "
      "{radius: 0.05}}]}\n"
      "  - {name: high, material: steel, mass: 1, position: [0.01, 0, 0.15], shapes: [{sphere: "
      "{radius: 0.05}}]}\nmethod: {" +
          method + "}\nuntil: 2\n",
      "two-balls.yaml");
}

// No time is too short, and the trial has as long as a busy machine may need.
constexpr SlowRunWatch::Limits kAtOnce = {.patience = 0.0, .least_rest = 0.0, .trial = 600.0};

TEST(SlowRun, TellsTheRestAndWhatComplianceGives) {
  const scene::Scene scene = make_scene("time-stepping: {step: 0.01}");
  SlowRunWatch watch(scene, 1, kAtOnce);
  // A tenth of a second took an hour and a half: the rest takes nineteen times as long.
  const std::string text = watch.watch({.t = 0.1, .until = 2.0, .wall = 5400.0});
  EXPECT_NE(text.find("takes 28 h more"), std::string::npos) << text;
  EXPECT_NE(text.find("`contact: {compliance: 0.03}`"), std::string::npos) << text;
  EXPECT_NE(text.find("times faster to t = 0.1 s"), std::string::npos) << text;
  EXPECT_EQ(watch.watch({.t = 0.2, .until = 2.0, .wall = 10800.0}), "") << "it is said once";
}

TEST(SlowRun, TrialIsTheSameSceneWithCompliantContacts) {
  const scene::Scene scene = make_scene("time-stepping: {step: 0.01}");
  const CompliantTrial trial = try_compliant(scene, 0.1, 600.0, 1);
  EXPECT_TRUE(trial.succeeded);
  EXPECT_DOUBLE_EQ(trial.t, 0.1);
  EXPECT_GT(trial.overlap, 1e-9) << "rigid contacts overlap by less";
  EXPECT_LT(trial.overlap, 1e-3);
}

TEST(SlowRun, SaysNothingTooEarlyOrToShortRuns) {
  const scene::Scene scene = make_scene("time-stepping: {step: 0.01}");
  SlowRunWatch early(scene, 1);
  EXPECT_EQ(early.watch({.t = 0.1, .until = 2.0, .wall = 1.0}), "");
  SlowRunWatch near_its_end(scene, 1);
  EXPECT_EQ(near_its_end.watch({.t = 1.9, .until = 2.0, .wall = 100.0}), "");
}

TEST(SlowRun, SaysNothingWhereComplianceIsNoChoice) {
  for (const char* method :
       {"time-stepping: {contact: {compliance: 0.1}}", "time-stepping: {order: 2}",
        "time-stepping: {solver: lemke}", "analytic: {}"}) {
    const scene::Scene scene = make_scene(method);
    EXPECT_FALSE(could_be_compliant(scene)) << method;
    SlowRunWatch watch(scene, 1, kAtOnce);
    EXPECT_EQ(watch.watch({.t = 0.1, .until = 2.0, .wall = 5400.0}), "") << method;
  }
}

}  // namespace
}  // namespace tenpin::lab
