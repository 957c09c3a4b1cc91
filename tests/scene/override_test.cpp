#include "scene/override.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scene/scene_text.h"

namespace tenpin::scene {
namespace {

const std::string kText = scene_text(
    "materials: {ice: {friction: 0.1}}\n"
    "bodies:\n"
    "  - {name: ball, mass: 1, shapes: [{sphere: {radius: 0.1}}]}\n"
    "  - {name: v1.5, mass: 1, shapes: [{sphere: {radius: 0.1}}]}\n");

Scene with(const std::vector<Override>& overrides) {
  return parse_scene(kText, "scene.yaml", overrides);
}

std::string problems_with(const Override& override) {
  try {
    static_cast<void>(with({override}));
    return "";
  } catch (const SceneError& error) {
    return print_problems(error.problems());
  }
}

TEST(Override, ReachesKeysItemsAndNames) {
  EXPECT_EQ(with({{"until", "3"}}).until, 3.0);
  EXPECT_EQ(with({{"bodies.ball.mass", "2"}}).bodies[0].mass, 2.0);
  EXPECT_EQ(with({{"bodies[1].mass", "2"}}).bodies[1].mass, 2.0);
  EXPECT_EQ(with({{"bodies.1.mass", "2"}}).bodies[1].mass, 2.0);
  EXPECT_EQ(with({{"bodies.v1.5.mass", "2"}}).bodies[1].mass, 2.0);
  EXPECT_EQ(with({{"bodies.ball.shapes.0.sphere.radius", "0.5"}}).bodies[0].parts.size(), 1u);
  EXPECT_EQ(with({{"materials.ice.friction", "0.7"}}).materials[1].friction.along, 0.7);
}

TEST(Override, ReachesJointsLoopsAndPairs) {
  const std::string text = scene_text(
      "bodies:\n"
      "  - {name: base, fixed: true, shapes: [{sphere: {radius: 0.1}}]}\n"
      "  - {name: upper, parent: base, joint: {hinge: {axis: [0, 1, 0]}}, mass: 1, "
      "shapes: [{sphere: {radius: 0.1}}]}\n"
      "  - {name: bob, mass: 1, shapes: [{sphere: {radius: 0.1}}]}\n"
      "loops: [{name: rod, distance: {bodies: [upper, bob], anchors: [[0, 0, 0], [1, 0, 0]]}}]\n"
      "touch: {never: [[base, bob]]}\n");
  const std::vector<Override> overrides = {
      {"bodies.upper.joint.hinge.at", "1"}, {"bodies.upper.joint.hinge.motor.torque", "2"},
      {"bodies.upper.parent", "world"},     {"loops.rod.distance.length", "0.5"},
      {"touch.never[0][0]", "upper"},       {"touch.always", "[[base/0, bob]]"}};
  const Scene scene = parse_scene(text, "scene.yaml", overrides);
  EXPECT_EQ(scene.bodies[1].properties.at, 1.0);
  EXPECT_EQ(scene.bodies[1].properties.motor.target, 2.0);
  EXPECT_EQ(scene.bodies[1].parent, kWorld);
  EXPECT_EQ(scene.loops[0].length, 0.5);
  EXPECT_EQ(scene.never_touch.at(0).body_a, 1);
  EXPECT_EQ(scene.always_touch.size(), 1u);
}

TEST(Override, MakesKeysThatAreNotThere) {
  const Scene scene = with({{"method.time-stepping.step", "0.001"},
                            {"gravity", "[0, 0, 0]"},
                            {"bodies.ball.velocity", "[1, 0, 0]"},
                            {"materials.wood", "{friction: 0.9}"},
                            {"gravity[2]", "-1"}});
  EXPECT_EQ(std::get<TimeSteppingOptions>(scene.method).step, 0.001);
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -1));
  EXPECT_EQ(scene.bodies[0].velocity, Vec3(1, 0, 0));
  EXPECT_EQ(scene.materials.at(2).name, "wood");
}

TEST(Override, ProblemsAreThoseOfTheFileWithTheirOwnPlace) {
  EXPECT_EQ(problems_with({"bodies.ball.mss", "2"}),
            "--set:1:13: bodies[0].mss: unknown key, got mss, want mass\n");
  EXPECT_EQ(problems_with({"until", "-1"}),
            "--set:1:7: until: out of range, got -1, want a number > 0, <= 1e+09 s\n");
  EXPECT_EQ(
      problems_with({"until", "1 s"}),
      "--set:1:7: until: not a number (with a unit, write an expression: ${100 mm}, ${5 deg}, "
      "${20 ms}), got 1 s, want a number > 0, <= 1e+09 s\n");
  EXPECT_EQ(problems_with({"gravity", "[0, 0]"}),
            "--set:1:9: gravity: wrong length, got 2 entries, want a list of 3 numbers\n");
  EXPECT_EQ(
      problems_with({"bodies.cube.mass", "2"}),
      "--set:1:8: bodies.cube.mass: no such item, got cube, want a name, or a number below 2\n");
  EXPECT_EQ(
      problems_with({"bodies.bal.mass", "2"}),
      "--set:1:8: bodies.bal.mass: no such item, got bal, want a name, or a number below 2; did "
      "you mean 'ball'?\n");
  EXPECT_EQ(problems_with({"bodies[2].mass", "2"}),
            "--set:1:7: bodies[2].mass: no such item, got [2], want a name, or a number below 2\n");
  EXPECT_EQ(
      problems_with({"until.x", "2"}),
      "--set:1:7: until.x: path goes through a plain value, got 1, want a path that ends there\n");
  EXPECT_EQ(problems_with({"until", "[1"}),
            "--set:1:7: until: not a key, got a list or map (is a bracket left open?), "
            "want a word\n");
}

TEST(Override, BrokenPathsAreRefused) {
  for (const std::string path :
       {"", ".", "until.", ".until", "bodies[", "bodies[]", "bodies[x]", "bodies[0]mass", "a..b",
        "bodies[-1]", "bodies[99999999999999999999]", "[0]"}) {
    EXPECT_NE(problems_with({path, "1"}), "") << path;
  }
  std::string deep = "a";
  for (int i = 0; i < 1000; ++i) {
    deep += ".a";
  }
  EXPECT_NE(problems_with({deep, "1"}), "");
}

}  // namespace
}  // namespace tenpin::scene
