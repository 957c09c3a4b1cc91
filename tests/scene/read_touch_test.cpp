#include "scene/read_touch.h"

#include <gtest/gtest.h>

#include <string>

#include "scene/scene_text.h"

namespace tenpin::scene {
namespace {

const std::string kBodies =
    "materials: {rubber: {friction: 1}}\n"
    "bodies:\n"
    "  - {name: a, fixed: true, shapes: [{sphere: {radius: 1}}, {sphere: {radius: 2}}]}\n"
    "  - {name: b, fixed: true, material: rubber, shapes: [{sphere: {radius: 1}, collides: false}, "
    "{sphere: {radius: 2}, material: default, layer: 4294967295, touches: 6}, {sphere: {radius: "
    "3}}]}\n";

TEST(ReadTouch, PartsHaveMaterialsAndLayers) {
  const Scene scene = parse(scene_text(kBodies));
  ASSERT_EQ(scene.bodies[1].part_options.size(), 3u);
  const auto& options = scene.bodies[1].part_options;
  EXPECT_EQ(options[0].layer, 0u);
  EXPECT_EQ(options[0].touches, 0u);
  EXPECT_EQ(options[1].material, 0);
  EXPECT_EQ(options[1].layer, 4294967295u);
  EXPECT_EQ(options[1].touches, 6u);
  EXPECT_EQ(options[2].material, -1);
  EXPECT_EQ(options[2].layer, 1u);
  EXPECT_EQ(options[2].touches, 1u);
}

TEST(ReadTouch, BodiesStandForAllTheirParts) {
  const Scene scene = parse(scene_text(kBodies + "touch: {never: [[b, a]], always: [[a, b]]}\n"));
  ASSERT_EQ(scene.never_touch.size(), 1u);
  EXPECT_EQ(scene.never_touch[0].body_a, 1);
  EXPECT_EQ(scene.never_touch[0].body_b, 0);
  ASSERT_EQ(scene.always_touch.size(), 6u);
  EXPECT_EQ(scene.always_touch[4].part_a, 1);
  EXPECT_EQ(scene.always_touch[4].part_b, 1);
}

TEST(ReadTouch, PartsAreNumberedFromZero) {
  const Scene scene = parse(scene_text(kBodies + "touch: {always: [[b/2, a], [b/0, a/1]]}\n"));
  ASSERT_EQ(scene.always_touch.size(), 3u);
  EXPECT_EQ(scene.always_touch[1].part_a, 2);
  EXPECT_EQ(scene.always_touch[1].part_b, 1);
  EXPECT_EQ(scene.always_touch[2].part_a, 0);
  EXPECT_EQ(scene.always_touch[2].part_b, 1);
}

TEST(ReadTouch, PairsAreLimited) {
  const std::string text = scene_text(kBodies + "touch: {always: [[a, b]]}\n");
  EXPECT_EQ(parse_scene(text, "f", {}, {.max_touching = 6}).always_touch.size(), 6u);
  EXPECT_THROW(static_cast<void>(parse_scene(text, "f", {}, {.max_touching = 5})), LimitError);
}

}  // namespace
}  // namespace tenpin::scene
