#include "scene/read_body_pairs.h"

#include <gtest/gtest.h>

#include <string>

#include "scene/build.h"
#include "scene/scene_text.h"
#include "scene/write.h"

namespace tenpin::scene {
namespace {

const std::string kBodies =
    "materials: {rubber: {friction: 0.9}, ice: {friction: 0.1}}\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, material: ice, shapes: [{plane: {}}]}\n"
    "  - {name: wheel, material: rubber, mass: 1, shapes: [{sphere: {radius: 0.1}}, {sphere: "
    "{radius: 0.1}, material: ice}], repeat: {stack: 2, spacing: 1}}\n"
    "  - {name: box, material: rubber, mass: 1, shapes: [{box: {size: [1, 1, 1]}}]}\n";

// The surface between the first shapes of two bodies.
dynamics::Surface surface_of(const Scene& scene, int body_a, int body_b, int part_a = 0) {
  const dynamics::Model model = build(scene).model;
  const auto material = [&](int body, int part) {
    return model
        .parts[static_cast<std::size_t>(model.bodies[static_cast<std::size_t>(body)].parts_begin +
                                        part)]
        .material;
  };
  return model
      .surfaces[static_cast<std::size_t>(material(body_a, part_a)) * model.materials.size() +
                static_cast<std::size_t>(material(body_b, 0))];
}

TEST(BodyPairs, PatternsMatchAnyText) {
  EXPECT_TRUE(matches("wheel*", "wheel-1"));
  EXPECT_TRUE(matches("wheel*", "wheel"));
  EXPECT_TRUE(matches("*:hand*", "left:hand-2"));
  EXPECT_TRUE(matches("a*b*c", "abbxbc"));
  EXPECT_TRUE(matches("*", "a"));
  EXPECT_FALSE(matches("wheel", "wheel-1"));
  EXPECT_FALSE(matches("a*b*c", "acb"));
  EXPECT_FALSE(matches("*a", "ab"));
}

TEST(BodyPairs, OnlyTheNamedBodiesChange) {
  const Scene scene = parse(scene_text(
      "pairs: [{bodies: ['wheel*', floor], friction: 0.7, restitution: 0.2}]\n" + kBodies));
  for (const int wheel : {1, 2}) {
    for (const int part : {0, 1}) {  // of rubber, of ice
      const dynamics::Surface surface = surface_of(scene, wheel, 0, part);
      EXPECT_EQ(surface.mu_along, 0.7);
      EXPECT_EQ(surface.mu_static, 0.7);
      EXPECT_EQ(surface.restitution, 0.2);
    }
  }
  const Scene plain = parse(scene_text(kBodies));
  for (const auto& [a, b] : {std::pair(3, 0), std::pair(1, 2), std::pair(1, 3), std::pair(1, 1)}) {
    EXPECT_EQ(surface_of(scene, a, b).mu_along, surface_of(plain, a, b).mu_along);
    EXPECT_EQ(surface_of(scene, a, b).restitution, surface_of(plain, a, b).restitution);
  }
  EXPECT_EQ(scene.bodies[1].material, plain.bodies[1].material);  // whose colour it has
}

TEST(BodyPairs, LaterEntriesWinAndBodiesWinOverMaterials) {
  const Scene scene = parse(scene_text(
      "pairs: [{bodies: [wheel-2, floor], friction: 0.3, restitution: 0}, {bodies: [floor, "
      "'wheel*'], friction: 0.7, restitution: 0}, {bodies: [wheel-1, floor], friction: 0.4, "
      "restitution: 0}, {between: [rubber, ice], friction: 0.6, restitution: 0}]\n" +
      kBodies));
  EXPECT_EQ(surface_of(scene, 1, 0).mu_along, 0.4);
  EXPECT_EQ(surface_of(scene, 2, 0).mu_along, 0.7);
  EXPECT_EQ(surface_of(scene, 3, 0).mu_along, 0.6);  // box: the pair of materials
}

TEST(BodyPairs, EventsReachTheCopies) {
  const Scene scene = parse(
      scene_text("pairs: [{bodies: [wheel-1, floor], friction: 0.4, restitution: 0}]\n" + kBodies +
                 "events: [{name: e, when: {quantity: t, above: 0.5}, do: {set: {between: [rubber, "
                 "ice], friction: 0.8}}}]\n"));
  const Material& floor = scene.materials.at(3);
  EXPECT_EQ(floor.name, "ice~1");
  // rubber and ice, rubber~1 and ice, each of the two and ice~2, rubber and ice~1. Not: rubber~1
  // and ice~1, wheel and floor.
  EXPECT_EQ(scene.events[0].settings.size(), 5U);
}

TEST(BodyPairs, AreWrittenAsPairsOfMaterials) {
  const Scene scene = parse(scene_text(
      "pairs: [{bodies: ['wheel*', floor], friction: 0.7, restitution: 0.2}]\n" + kBodies));
  const Scene again = parse(write_scene(scene));
  EXPECT_EQ(surface_of(again, 1, 0).mu_along, 0.7);
  EXPECT_EQ(write_scene(again), write_scene(scene));
}

TEST(BodyPairs, ProblemsHaveTheirPlace) {
  EXPECT_EQ(problems_of(scene_text("pairs: [{bodies: ['weel*', floor], friction: 0.7, restitution: "
                                   "0.2}]\n" +
                                   kBodies)),
            "scene.yaml:2:19: pairs[0].bodies[0]: no such body, got weel*, want a name or a "
            "pattern such as wheel* that bodies have\n");
  EXPECT_NE(problems_of(scene_text("pairs: [{bodies: [box, floor], between: [ice, ice], friction: "
                                   "0.7, restitution: 0.2}]\n" +
                                   kBodies)),
            "");
}

}  // namespace
}  // namespace tenpin::scene
