#include "scene/read_loops.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "scene/scene_text.h"

namespace tenpin::scene {
namespace {

// Loops on a fixed body `base` (0) with a hinge `crank` (1) and a slider `piston` (2).
Scene with_loops(const std::string& loops) {
  const std::string bob = "mass: 1, shapes: [{sphere: {radius: 0.1}}]}\n";
  return parse(
      scene_text("bodies:\n  - {name: base, fixed: true}\n"
                 "  - {name: crank, parent: base, joint: {hinge: {axis: [0, 1, 0]}}, " +
                 bob + "  - {name: piston, parent: base, joint: {slider: {axis: [1, 0, 0]}}, " +
                 bob + "loops:\n" + loops));
}

const std::string kEnds = "bodies: [crank, piston], anchors: [[1, 2, 3], [4, 5, 6]]";

TEST(ReadLoops, EveryKindWithItsNumbers) {
  const Scene scene = with_loops("  - {name: a, ball: {" + kEnds +
                                 "}}\n"
                                 "  - {name: b, hinge: {" +
                                 kEnds +
                                 ", axes: [[2, 0, 0], [0, 0, 3]]}}\n"
                                 "  - {name: c, weld: {" +
                                 kEnds +
                                 ", orientation: [0, 1, 0, 0]}}\n"
                                 "  - {name: d, distance: {" +
                                 kEnds +
                                 ", length: 7}}\n"
                                 "  - {name: e, coupling: {joints: [crank, piston], polynomial: "
                                 "[1, 2, 3]}}\n");
  ASSERT_EQ(scene.loops.size(), 5u);
  for (const Loop& loop : scene.loops) {
    EXPECT_EQ(loop.body_a, 1);
    EXPECT_EQ(loop.body_b, 2);
  }
  EXPECT_EQ(scene.loops[0].kind, Loop::Kind::kBall);
  EXPECT_EQ(scene.loops[0].name, "a");
  EXPECT_EQ(scene.loops[0].anchor_a, Vec3(1, 2, 3));
  EXPECT_EQ(scene.loops[0].anchor_b, Vec3(4, 5, 6));
  EXPECT_EQ(scene.loops[0].line, 7);
  EXPECT_EQ(scene.loops[1].kind, Loop::Kind::kHinge);
  EXPECT_EQ(scene.loops[1].axis_a, Vec3(1, 0, 0));
  EXPECT_EQ(scene.loops[1].axis_b, Vec3(0, 0, 1));
  EXPECT_EQ(scene.loops[2].kind, Loop::Kind::kWeld);
  EXPECT_EQ(scene.loops[2].orientation.value().x(), 1.0);
  EXPECT_EQ(scene.loops[3].kind, Loop::Kind::kDistance);
  EXPECT_EQ(scene.loops[3].length, 7.0);
  EXPECT_EQ(scene.loops[4].kind, Loop::Kind::kCoupling);
  EXPECT_EQ(scene.loops[4].polynomial, (std::array{1.0, 2.0, 3.0, 0.0, 0.0}));
}

TEST(ReadLoops, WhatIsNotGivenIsLeftToTimeZero) {
  const Scene scene = with_loops("  - {name: a, weld: {" + kEnds +
                                 "}}\n"
                                 "  - {name: b, distance: {" +
                                 kEnds +
                                 "}}\n"
                                 "  - {name: c, coupling: {joints: [piston, crank]}}\n");
  EXPECT_FALSE(scene.loops[0].orientation);
  EXPECT_FALSE(scene.loops[1].length);
  EXPECT_EQ(scene.loops[2].polynomial, (std::array{0.0, 1.0, 0.0, 0.0, 0.0}));
}

TEST(ReadLoops, TheWorldMayBeAnEnd) {
  const Scene scene = with_loops(
      "  - {name: a, ball: {bodies: [world, crank], anchors: [[0, 0, 0], [0, 0, 1]]}}\n"
      "  - {name: b, coupling: {joints: [crank, world], polynomial: [0.5]}}\n");
  EXPECT_EQ(scene.loops[0].body_a, kWorld);
  EXPECT_EQ(scene.loops[1].body_b, kWorld);
  EXPECT_EQ(scene.loops[1].polynomial[0], 0.5);
}

}  // namespace
}  // namespace tenpin::scene
