#include "simulation/overlaps.h"

#include <gtest/gtest.h>

#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::simulation {
namespace {

scene::Scene parse(const std::string& bodies) {
  return scene::parse_scene("tenpin: 1\nbodies: [" + bodies + "]\nuntil: 1\n", "scene.yaml");
}

TEST(Ground, LiesRightBeneathTheLowestPoint) {
  // The hand hangs 0.3 m below the joint at time 0, its ball reaches 0.05 m further.
  scene::Scene scene = parse(
      "{name: body, mass: 1, position: [0, 0, 1], shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}, "
      "{name: hand, parent: body, joint: {hinge: {axis: [0, 1, 0], at: 1.5707963267948966}}, mass: "
      "1,"
      " shapes: [{sphere: {radius: 0.05}, position: [0.3, 0, 0]}]}");
  EXPECT_TRUE(falls_forever(scene));
  add_ground(&scene);
  ASSERT_EQ(scene.bodies.size(), 3u);
  EXPECT_NEAR(scene.bodies[2].position.z(), 0.65, 1e-12);
  EXPECT_FALSE(falls_forever(scene));
  EXPECT_NO_THROW(static_cast<void>(scene::build(scene)));
}

TEST(Ground, IsNotAddedTwice) {
  scene::Scene scene = parse("{name: floor, fixed: true, shapes: [{plane: {}}]}");
  add_ground(&scene);
  EXPECT_EQ(scene.bodies.size(), 1u);
}

}  // namespace
}  // namespace tenpin::simulation
