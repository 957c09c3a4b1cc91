#include "scene/repeat.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "scene/scene_text.h"

namespace tenpin::scene {
namespace {

constexpr double kRounding = 1e-15;

Scene repeated(const std::string& repeat, const std::string& lines = "") {
  return parse(ball_text("position: [1, 2, 3], velocity: [0, 1, 0], repeat: " + repeat, lines));
}

TEST(Repeat, AGridCountsXFastest) {
  const Scene scene = repeated("{grid: [2, 3, 4], spacing: [0.5, 1, 2]}");
  ASSERT_EQ(scene.bodies.size(), 24u);
  EXPECT_EQ(scene.bodies[0].name, "ball-1");
  EXPECT_EQ(scene.bodies[0].position, Vec3(1, 2, 3));
  EXPECT_EQ(scene.bodies[1].position, Vec3(1.5, 2, 3));
  EXPECT_EQ(scene.bodies[2].position, Vec3(1, 3, 3));
  EXPECT_EQ(scene.bodies[23].position, Vec3(1.5, 4, 9));
  EXPECT_EQ(scene.bodies[23].name, "ball-24");
}

TEST(Repeat, AStackGoesUpOrAlongAVector) {
  EXPECT_EQ(repeated("{stack: 3, spacing: 0.5}").bodies[2].position, Vec3(1, 2, 4));
  EXPECT_EQ(repeated("{stack: 3, spacing: [1, 0, 0]}").bodies[2].position, Vec3(3, 2, 3));
}

TEST(Repeat, ARingTurnsItsCopies) {
  const Scene scene = repeated("{ring: {count: 4, radius: 2}}");
  ASSERT_EQ(scene.bodies.size(), 4u);
  EXPECT_EQ(scene.bodies[0].position, Vec3(3, 2, 3));
  EXPECT_NEAR((scene.bodies[1].position - Vec3(1, 4, 3)).norm(), 0.0, 4 * kRounding);
  EXPECT_NEAR((scene.bodies[1].velocity - Vec3(-1, 0, 0)).norm(), 0.0, 4 * kRounding);
  EXPECT_NEAR((scene.bodies[2].orientation * Vec3::UnitX() - Vec3(-1, 0, 0)).norm(), 0.0,
              4 * kRounding);
}

TEST(Repeat, JitterIsBoundedSeededAndReproducible) {
  const std::string repeat = "{stack: 50, spacing: 1, jitter: 0.1}";
  const Scene first = repeated(repeat, "seed: 1\n");
  const Scene again = repeated(repeat, "seed: 1\n");
  const Scene other = repeated(repeat, "seed: 2\n");
  std::set<double> shifts;
  for (int i = 0; i < 50; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vec3 shift = first.bodies[k].position - Vec3(1, 2, 3 + i);
    EXPECT_LE(shift.cwiseAbs().maxCoeff(), 0.1 + 1e-14);
    EXPECT_EQ(first.bodies[k].position, again.bodies[k].position);
    EXPECT_NE(first.bodies[k].position, other.bodies[k].position);
    shifts.insert({shift.x(), shift.y()});
  }
  EXPECT_EQ(shifts.size(), 100u);
}

TEST(Repeat, JitterLeavesAPlanarBodyInItsPlane) {
  const Scene scene =
      parse(ball_text("joint: {planar: {x: [1, 0, 0], y: [0, 0, 1]}}, repeat: {stack: 5, spacing: "
                      "1, jitter: 0.1}"));
  for (const Body& body : scene.bodies) {
    EXPECT_EQ(body.position.y(), 0.0);
    EXPECT_NE(body.position.x(), 0.0);
  }
}

TEST(Repeat, AChainHangsEachLinkFromTheOneBefore) {
  const Scene scene = parse(scene_text(
      "bodies:\n"
      "  - {name: floor, fixed: true}\n"
      "  - {name: hook, fixed: true}\n"
      "  - {name: link, parent: hook, joint: {hinge: {axis: [0, 1, 0], at: 0.25}}, mass: "
      "1, inertia: 1, position: [0, 0, -2], repeat: {chain: 3}}\n"
      "  - {name: bob, parent: link-3, fixed: true, mass: 1, inertia: [1, 1, 1]}\n"));
  ASSERT_EQ(scene.bodies.size(), 6u);
  for (std::size_t i = 2; i < 6; ++i) {
    EXPECT_EQ(scene.bodies[i].parent, static_cast<int>(i) - 1);
  }
  EXPECT_EQ(scene.bodies[4].name, "link-3");
  EXPECT_EQ(scene.bodies[4].position, Vec3(0, 0, -2));
  EXPECT_EQ(scene.bodies[4].properties.at, 0.25);
}

TEST(Repeat, AChainFromTheWorldBeginsThere) {
  const Scene scene =
      parse(scene_text("bodies: [{name: a, joint: {ball: {}}, mass: 1, inertia: [1, 1, 1], "
                       "repeat: {chain: 2}}]\n"));
  EXPECT_EQ(scene.bodies[0].parent, kWorld);
  EXPECT_EQ(scene.bodies[1].parent, 0);
}

TEST(Repeat, RingsOfChildrenAreLaidOutInTheParent) {
  const Scene scene =
      parse(scene_text("bodies:\n"
                       "  - {name: hub, mass: 1, inertia: [1, 1, 1], position: [5, 5, 5]}\n"
                       "  - {name: arm, parent: hub, joint: {hinge: {axis: [0, 0, 1]}}, mass: 1, "
                       "inertia: 1, repeat: {ring: {count: 4, radius: 2}}}\n"));
  ASSERT_EQ(scene.bodies.size(), 5u);
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(scene.bodies[i].parent, 0);
    EXPECT_NEAR(scene.bodies[i].position.norm(), 2.0, 4 * kRounding);
  }
}

TEST(Repeat, ShapesAreLimitedInAll) {
  const std::string text = scene_text(
      "bodies: [{name: a, fixed: true, shapes: [{sphere: {radius: 1}}, {sphere: "
      "{radius: 2}}], repeat: {stack: 6, spacing: 1}}]\n");
  EXPECT_EQ(parse_scene(text, "f", {}, {.max_parts = 12}).bodies.size(), 6u);
  EXPECT_THROW(static_cast<void>(parse_scene(text, "f", {}, {.max_parts = 11})), LimitError);
}

TEST(Repeat, TheLimitCountsAllEntries) {
  const std::string text = scene_text(
      "bodies:\n"
      "  - {name: a, mass: 1, shapes: [{sphere: {radius: 1}}], repeat: {stack: 6, spacing: 1}}\n"
      "  - {name: b, mass: 1, shapes: [{sphere: {radius: 1}}], repeat: {stack: 5, spacing: 1}}\n");
  EXPECT_EQ(parse_scene(text, "f", {}, {.max_bodies = 11}).bodies.size(), 11u);
  EXPECT_THROW(static_cast<void>(parse_scene(text, "f", {}, {.max_bodies = 10})), LimitError);
}

}  // namespace
}  // namespace tenpin::scene
