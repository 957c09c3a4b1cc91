// Which order and solver a scene gets that does not name them.
#include "methods/time_stepping/default_stepping.h"

#include <gtest/gtest.h>

#include <string>

#include "base/check.h"
#include "methods/method.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::methods::time_stepping {
namespace {

constexpr const char* kWood = "{friction: 0.5}";
constexpr const char* kFree = "free";

struct Choice {
  std::string text;   // "order 2 (default), solver cone (default)"
  std::string error;  // of making the method
};

// A ball of some material on a floor of wood; steel is named, but nothing is made of it.
Choice choose(const std::string& settings, const std::string& material = kWood,
              const std::string& joint = kFree, const std::string& more = "") {
  const scene::Scene scene = scene::parse_scene(
      "tenpin: 1\nname: ball\nmaterials:\n  wood: {friction: 0.5}\n"
      "  steel: {friction: {along: 0.5, viscous: 2, torsion: 0.1}}\n  rubber: " +
          material +
          "\nbodies:\n"
          "  - {name: floor, fixed: true, material: wood, shapes: [{plane: {}}]}\n"
          "  - {name: ball, material: rubber, mass: 1, position: [0, 0, 1], joint: " +
          joint + ", shapes: [{sphere: {radius: 0.1}}]}\nmethod: {time-stepping: {" + settings +
          "}}\n" + more + "until: 1\n",
      "ball.yaml");
  const scene::Built built = scene::build(scene);
  Choice choice = {
      .text =
          choose_stepping(built.model, std::get<scene::TimeSteppingOptions>(scene.method)).text()};
  try {
    static_cast<void>(make_method(built.model, scene.method, 1));
  } catch (const InputError& error) {
    choice.error = error.what();
  }
  return choice;
}

void expect_choice(const Choice& choice, const std::string& text) {
  EXPECT_EQ(choice.text, text);
  EXPECT_EQ(choice.error, "") << text;
}

TEST(DefaultStepping, IsOfSecondOrderWithTheRoundCone) {
  expect_choice(choose(""), "order 2 (default), solver cone (default)");
  expect_choice(choose("restitution: newton, passes: 1, tolerance: 1e-7"),
                "order 2 (default), solver cone (default), restitution newton");
}

TEST(DefaultStepping, BouncesByNewtonsLawWhereMaterialsDo) {
  expect_choice(choose("", "{friction: 0.5, restitution: 0.9}"),
                "order 2 (default), solver cone (default), "
                "restitution newton (default: wood on rubber bounces)");
  expect_choice(choose("restitution: none", "{friction: 0.5, restitution: 0.9}"),
                "order 2 (default), solver cone (default), restitution none");
  // Bodies that never touch do not bounce off each other.
  expect_choice(
      choose("", "{friction: 0.5, restitution: 0.9}", kFree, "touch: {never: [[floor, ball]]}\n"),
      "order 2 (default), solver cone (default)");
}

TEST(DefaultStepping, WhatIsNamedIsTaken) {
  expect_choice(choose("order: 1"), "order 1, solver cone (default)");
  expect_choice(choose("solver: lemke"), "order 2 (default), solver lemke");
  expect_choice(choose("order: 1, solver: lemke"), "order 1, solver lemke");
  expect_choice(choose("order: 2, solver: cone, directions: 6, formulation: position"),
                "order 2, solver cone");
}

TEST(DefaultStepping, NamesOfThePapersSchemeLeadToIt) {
  expect_choice(choose("formulation: position"),
                "order 1 (default: formulation is named), solver cone (default)");
  expect_choice(choose("directions: 6"),
                "order 2 (default), solver lemke (default: directions are named)");
  expect_choice(choose("direction_phase: 0.5"),
                "order 2 (default), solver lemke (default: direction_phase is named)");
  expect_choice(choose("active_set: all"),
                "order 1 (default: order 2 cannot do active_set: all), solver cone (default)");
  expect_choice(choose("lever: printed"),
                "order 1 (default: order 2 cannot do the printed lever), solver cone (default)");
}

TEST(DefaultStepping, GivesWayToWhatTheSceneAsksFor) {
  expect_choice(choose("contact: {compliance: 0.03}"),
                "order 1 (default: order 2 cannot do compliant contacts), solver cone (default)");
  expect_choice(
      choose("", "{friction: {along: 0.5, viscous: 2}}"),
      "order 1 (default: order 2 cannot do viscous surfaces (rubber)), solver cone (default)");
  expect_choice(choose("", "{friction: {along: 0.5, static: 0.7, stribeck_speed: 0.1}}"),
                "order 1 (default: order 2 cannot do friction that depends on the slip's speed "
                "(rubber)), solver cone (default)");
  expect_choice(choose("", "{friction: {along: 0.5, torsion: 0.01}}"),
                "order 2 (default), solver cone (default)");
  expect_choice(
      choose("", kWood, "{hinge: {axis: [0, 1, 0], friction: 0.1}}"),
      "order 1 (default: order 2 cannot do dry friction in the joint of ball), solver cone "
      "(default)");
  expect_choice(choose("restitution: poisson"),
                "order 2 (default), solver cone (default), restitution poisson");
}

// The ball turns with 0.004 kg m^2: damping of 1 N m s takes its spin in 4 ms.
TEST(DefaultStepping, LeavesJointsThatReactWithinAStepToOrderOne) {
  const std::string servo = "{hinge: {axis: [0, 1, 0], motor: {velocity: 1, gain: 1}}}";
  EXPECT_EQ(choose("step: 0.001", kWood, servo).text, "order 2 (default), solver cone (default)");
  const std::string reason =
      "order 1 (default: the joint of ball reacts within a step), solver cone (default)";
  expect_choice(choose("step: 0.1", kWood, servo), reason);
  expect_choice(choose("step: 0.1", kWood, "{hinge: {axis: [0, 1, 0], stiffness: 1}}"), reason);
  expect_choice(choose("order: 2, step: 0.1", kWood, servo), "order 2, solver cone (default)");
}

TEST(DefaultStepping, WhatIsNamedAndCannotBeIsRefused) {
  const std::string viscous = "{friction: {along: 0.5, viscous: 2}}";
  EXPECT_NE(choose("order: 2", viscous).error.find("viscous surfaces (rubber), got 2, want 1"),
            std::string::npos);
  EXPECT_NE(
      choose("contact: {compliance: 0.1}, directions: 8").error.find("got solver lemke (default"),
      std::string::npos);
}

TEST(DefaultStepping, LeavesNothingOpen) {
  const dynamics::Model nothing;
  const scene::TimeSteppingOptions by_cone = choose_stepping(nothing, {}).options;
  EXPECT_EQ(by_cone.tolerance, 1e-6);
  EXPECT_EQ(by_cone.directions, 8);
  EXPECT_EQ(by_cone.formulation, scene::TimeSteppingOptions::Formulation::kPosition);
  EXPECT_EQ(choose_stepping(nothing, {.directions = 4}).options.tolerance, 1e-8);
  EXPECT_EQ(choose_stepping(nothing, {.tolerance = 1e-3}).options.tolerance, 1e-3);
}

}  // namespace
}  // namespace tenpin::methods::time_stepping
