#include "scene/parameters.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "math/trig.h"
#include "scene/scene_text.h"

namespace tenpin::scene {
namespace {

const std::string kText = scene_text(
    "parameters: {angle: 30 deg, size: 0.2, half: size / 2, n: 3}\n"
    "materials: {default: {friction: ${tan(angle)}}}\n"
    "bodies:\n"
    "  - {name: ramp, fixed: true, shapes: [{plane: {normal: [${sin(angle)}, 0, "
    "\"${cos(angle)}\"]}}]}\n"
    "  - name: box\n"
    "    density: 1000\n"
    "    position: [0, 0, ${half}]\n"
    "    shapes: [{box: {size: [${size}, ${size}, ${min(size, 5 mm)}]}}]\n"
    "    repeat: {stack: ${n}, spacing: ${size}}\n");

TEST(Parameters, ReplaceEveryExpression) {
  const Scene scene = parse(kText);
  const SinCos turn = sin_cos(30.0 * (kPi / 180.0));
  EXPECT_EQ(scene.materials[0].friction.along, turn.sin / turn.cos);
  ASSERT_EQ(scene.bodies.size(), 4u);
  EXPECT_EQ(scene.bodies[1].position.z(), 0.1);
  EXPECT_EQ(std::get<shapes::Box>(scene.bodies[1].parts[0].shape).half.z(), 2.5e-3);
  EXPECT_TRUE(scene.notes.empty());
}

TEST(Parameters, AreChangedByOverrides) {
  const std::vector<Override> overrides = {
      {"parameters.n", "5"}, {"parameters.size", "40 cm"}, {"bodies.box.density", "${size * 100}"}};
  const Scene scene = parse_scene(kText, "scene.yaml", overrides);
  EXPECT_EQ(scene.bodies.size(), 6u);
  EXPECT_EQ(scene.bodies[1].position.z(), 0.2);
}

TEST(Parameters, OneThatExistsOnTheCommandLineOnlyIsMistyped) {
  try {
    static_cast<void>(
        parse_scene(kText, "scene.yaml", std::vector<Override>{{"parameters.agle", "1"}}));
    FAIL();
  } catch (const SceneError& error) {
    EXPECT_EQ(print_problems(error.problems()),
              "--set:1:12: parameters.agle: unknown parameter, got agle, want angle\n");
  }
}

TEST(Parameters, ProblemsPointIntoTheExpression) {
  EXPECT_EQ(problems_of(ball_text("position: [0, 0, ${1 + hight}]", "parameters: {height: 1}\n")),
            "scene.yaml:3:90: bodies[0].position[2]: unknown parameter, got hight, want height\n");
  EXPECT_EQ(problems_of(ball_text("", "parameters: {a: b, b: 1}\n")),
            "scene.yaml:2:17: parameters.a: unknown parameter, got b, want a name of `parameters` "
            "above, which has none yet\n");
  EXPECT_EQ(
      problems_of(ball_text("", "parameters: {sin: 1}\n")),
      "scene.yaml:2:14: parameters.sin: not a parameter's name, got sin, want letters, digits "
      "and _, and no function\n");
  EXPECT_EQ(problems_of(scene_text("name: a${1}\n")),
            "scene.yaml:2:7: name: an expression stands alone, got a${1}, want ${...} and nothing "
            "else\n");
}

TEST(Parameters, ValuesAreJudgedAsIfTheyHadBeenWritten) {
  EXPECT_EQ(problems_of(scene_text("parameters: {r: 1}\nbodies: [{name: b, mass: ${-r}}]\n")),
            "scene.yaml:3:26: bodies[0].mass: out of range, got -1, want a number >= 1e-12, <= "
            "1e+12 kg\n");
  EXPECT_NE(problems_of(ball_text("repeat: {stack: ${2.5}, spacing: 1}")).find("not whole"),
            std::string::npos);
}

TEST(Parameters, AnUnusedOneIsNoted) {
  const Scene scene = parse(ball_text("", "parameters: {a: 1}\n"));
  ASSERT_EQ(scene.notes.size(), 1u);
  EXPECT_EQ(scene.notes[0], "scene.yaml:2:14: parameters.a: not used by any expression");
}

}  // namespace
}  // namespace tenpin::scene
