#include "scene/read_shapes.h"

#include <gtest/gtest.h>

#include <string>

#include "scene/import/import.h"
#include "scene/read.h"
#include "scene/write.h"

namespace tenpin::scene {
namespace {

const std::string kScenes = TENPIN_SOURCE_DIR "/scenes/";

TEST(Ellipsoid, IsThatOfTheModel) {
  const Scene scene = import_text(
      "<mujoco><worldbody><body name='b'><freejoint/>"
      "<geom type='ellipsoid' size='0.1 0.2 0.3'/></body></worldbody></mujoco>",
      kScenes + "r.xml");
  const auto& shape = std::get<shapes::Ellipsoid>(scene.bodies.back().parts[0].shape);
  EXPECT_EQ(shape.semiaxes, Vec3(0.1, 0.2, 0.3));
  for (const std::string& note : scene.notes) {
    EXPECT_EQ(note.find("ellipsoid"), std::string::npos) << note;
  }
}

TEST(RoundShapes, AreWrittenAsTheyWereRead) {
  const Scene scene = read_scene(kScenes + "dice-and-pebbles.yaml");
  const Scene again = parse_scene(write_scene(scene), "again.yaml");
  const auto& die = std::get<shapes::Box>(again.bodies[1].parts[0].shape);
  EXPECT_EQ(die.half, Vec3::Constant(0.03));
  EXPECT_EQ(die.radius, 0.012);
  const auto& pebble = std::get<shapes::Ellipsoid>(again.bodies.back().parts[0].shape);
  EXPECT_EQ(pebble.semiaxes, Vec3(0.05, 0.035, 0.02));
}

}  // namespace
}  // namespace tenpin::scene
