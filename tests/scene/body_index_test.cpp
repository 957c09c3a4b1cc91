#include "scene/body_index.h"

#include <gtest/gtest.h>

#include <string>

#include "scene/scene_text.h"
#include "scene/write.h"
#include "support/speed.h"

namespace tenpin::scene {
namespace {

TEST(BodyIndex, TenThousandLinksAreRead) {
  const Scene scene =
      parse(scene_text("bodies: [{name: link, joint: {hinge: {axis: [0, 1, 0]}}, mass: 1, inertia: "
                       "1, position: [0, 0, -0.1], repeat: {chain: 10000}}]\n"));
  ASSERT_EQ(scene.bodies.size(), 10000u);
  EXPECT_EQ(scene.bodies.back().parent, 9998);
}

TEST(BodyIndex, WrittenChainsHangTheSameWay) {
  const Scene scene =
      parse(scene_text("bodies: [{name: link, joint: {hinge: {axis: [0, 1, 0]}}, mass: 1, inertia: "
                       "1, position: [0, 0, -0.1], repeat: {chain: 1000}}]\n"));
  EXPECT_EQ(parse(write_scene(scene)).bodies.back().parent, 998);
}

TEST(BodyIndex, MovableIsWhatAForceReaches) {
  const Scene scene =
      parse(scene_text("bodies:\n"
                       "  - {name: a, fixed: true}\n"
                       "  - {name: b, parent: a, motion: {}}\n"
                       "  - {name: c, parent: b, joint: {ball: {}}, mass: 1, inertia: [1, 1, 1]}\n"
                       "  - {name: d, parent: c, fixed: true}\n"));
  EXPECT_EQ(find_movable(scene.bodies), (std::vector<bool>{false, false, true, true}));
}

// However many there are: each looks for what was meant among a bounded number of names.
TEST(BodyIndex, ManyUnknownNamesAreToldQuickly) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    const std::string number = std::to_string(i);
    const std::string filler(50, 'x');
    text += "  - {name: " + filler + number + ", fixed: true, parent: y" + filler + number + "y}\n";
  }
  const double start = test::processor_time();
  EXPECT_NE(problems_of(scene_text("bodies:\n" + text)), "");
  EXPECT_LT(test::processor_time() - start, 5.0 * test::find_slowness());
}

}  // namespace
}  // namespace tenpin::scene
