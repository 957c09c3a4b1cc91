#include "scene/read_shapes.h"

#include <gtest/gtest.h>

#include <string>

#include "scene/import/import.h"
#include "scene/read.h"
#include "scene/write.h"
#include "shapes/surface_mesh.h"

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

TEST(RoundShapes, ConesLieAlongTheirAxis) {
  const Scene scene = parse_scene(
      "tenpin: 1\nbodies:\n  - {name: b, density: 3, shapes: [{cone: {radius: 1, length: 3, axis: "
      "x}}]}\n"
      "until: 1\n",
      "test.yaml");
  const shapes::PlacedShape& part = scene.bodies[0].parts[0];
  EXPECT_EQ(std::get<shapes::Cone>(part.shape).half_length, 1.5);
  EXPECT_EQ(part.X_BS.R.col(2), Vec3::UnitX());
  EXPECT_NEAR(scene.bodies[0].mass, 3.0 * 3.141592653589793, 1e-12);
  EXPECT_NEAR((scene.bodies[0].center - Vec3(-0.75, 0, 0)).norm(), 0.0, 1e-15);
  const Scene again = parse_scene(write_scene(scene), "again.yaml");
  EXPECT_EQ(std::get<shapes::Cone>(again.bodies[0].parts[0].shape).radius, 1.0);
}

TEST(Heights, AreATriangleSurfaceThatSurvivesWriting) {
  const Scene scene = read_scene(kScenes + "cones-on-dunes.yaml");
  const auto& dunes = *std::get<shapes::TriangleSurface>(scene.bodies[0].parts[0].shape).mesh;
  EXPECT_EQ(dunes.num_triangles(), 2 * 20 * 20);
  EXPECT_NEAR(dunes.box.upper.x(), 2.0, 1e-15);
  EXPECT_NEAR(dunes.box.lower.y(), -2.0, 1e-15);
  const std::string text = write_scene(scene);
  EXPECT_NE(text.find("heights: {file: \"terrain/dunes.csv\", spacing: 0.2}"), std::string::npos);
  EXPECT_EQ(write_scene(parse_scene(text, kScenes + "again.yaml")), text);
}

}  // namespace
}  // namespace tenpin::scene
