// Shapes that are only drawn, from robot models and scenes to pages and exports.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include <nlohmann/json.hpp>

#include "apps/program.h"
#include "apps/scene_texts.h"

namespace tenpin::app {
namespace {

using nlohmann::json;

// An open mesh that is far from convex: two plates at an angle.
const std::string kPlates =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 0 1 1\n"
    "f 1 2 3\nf 1 3 4\nf 1 4 6\nf 1 6 5\n";

std::string make_urdf(const std::string& visual) {
  return "<robot name=\"r\"><link name=\"body\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>" +
         visual +
         "<collision><geometry><box size=\"0.2 0.2 0.2\"/></geometry></collision></link></robot>";
}

const std::string kVisual =
    "<visual><origin xyz=\"0 0 0.1\"/><geometry><mesh filename=\"plates.obj\" scale=\"0.1 0.1 "
    "0.1\"/></geometry><material name=\"red\"><color rgba=\"1 0 0 1\"/></material></visual>";

json read_gltf(const std::string& glb) {
  std::uint32_t size = 0;
  std::memcpy(&size, glb.data() + 12, 4);
  return json::parse(glb.substr(20, size));
}

std::int64_t count_indices(const json& gltf) {
  std::int64_t count = 0;
  for (const json& mesh : gltf["meshes"]) {
    for (const json& primitive : mesh["primitives"]) {
      count += gltf["accessors"][primitive["indices"].get<int>()]["count"].get<std::int64_t>();
    }
  }
  return count;
}

json read_page_header(const std::string& page) {
  const std::string open = "<script id=\"run-header\" type=\"application/json\">";
  const std::size_t begin = page.find(open) + open.size();
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(Visual, MeshOfARobotIsDrawnAsItIsAndChangesNothing) {
  const Place place;
  place.write("plates.obj", kPlates);
  place.write("plain.urdf", make_urdf(""));
  place.write("robot.urdf", make_urdf(kVisual));
  const auto run = [&](const std::string& model) {
    const Outcome outcome = place.run({"run", model, "--ground", "--set", "until=0.2", "--json",
                                       "-q", "-o", "run.h5", "--html", "page.html"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  };
  const json plain = run("plain.urdf");
  EXPECT_EQ(run("robot.urdf")["state_hash"], plain["state_hash"]);
  const json header = read_page_header(place.read("page.html"));
  EXPECT_EQ(header["partColours"].dump().find("#ff0000"), 2U) << header["partColours"];
  bool has_mesh = false;
  for (const json& shape : header["shapes"]) {
    if (shape["kind"] != "polyhedron") continue;
    has_mesh = true;
    EXPECT_EQ(shape["triangles"].size(), 12U);
    EXPECT_EQ(shape["vertices"].size(), 18U);
  }
  EXPECT_TRUE(has_mesh);
  EXPECT_EQ(header["shapes"].size(), 3U);  // the mesh, the box behind it, the ground
  ASSERT_EQ(place.run({"export", "run.h5", "--gltf", "run.glb"}).exit_code, 0);
  EXPECT_EQ(count_indices(read_gltf(place.read("run.glb"))), 12 + 6);  // without the box
}

TEST(Visual, OfAModelComesBackFromItsScene) {
  const Place place;
  place.write("plates.obj", kPlates);
  place.write("robot.urdf", make_urdf(kVisual));
  ASSERT_EQ(place.run({"convert", "robot.urdf", "-o", "scene.yaml"}).exit_code, 0);
  const std::string scene = place.read("scene.yaml");
  EXPECT_NE(scene.find("mesh: {file: \"plates.obj\", scale: 0.1}"), std::string::npos) << scene;
  EXPECT_NE(scene.find("visual: true"), std::string::npos);
  ASSERT_EQ(place.run({"convert", "scene.yaml", "-o", "again.yaml"}).exit_code, 0);
  EXPECT_EQ(place.read("again.yaml"), scene);
  // Scales that differ along the axes are written as points and faces.
  std::string stretched = kVisual;
  stretched.replace(stretched.find("0.1 0.1 0.1"), 11, "0.1 0.1 0.2");
  place.write("robot.urdf", make_urdf(stretched));
  ASSERT_EQ(place.run({"convert", "robot.urdf", "-o", "points.yaml"}).exit_code, 0);
  EXPECT_NE(place.read("points.yaml").find("faces: ["), std::string::npos);
  EXPECT_EQ(place.run({"check", "points.yaml"}).exit_code, 0);
}

TEST(Visual, GeomsOfAGroupThatIsHiddenAreNotDrawn) {
  const Place place;
  place.write("plates.obj", kPlates);
  place.write("robot.xml",
              "<mujoco><asset><mesh name=\"hull\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\"/></asset>"
              "<worldbody><geom type=\"plane\" size=\"1 1 1\"/><body pos=\"0 0 1\"><freejoint/>"
              "<geom type=\"sphere\" size=\"0.1\" group=\"3\"/>"
              "<geom type=\"mesh\" mesh=\"hull\" contype=\"0\" conaffinity=\"0\" group=\"2\"/>"
              "</body></worldbody></mujoco>");
  const Outcome outcome = place.run(
      {"run", "robot.xml", "--set", "until=0.05", "-q", "-o", "run.h5", "--html", "page.html"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  ASSERT_EQ(place.run({"export", "run.h5", "--gltf", "run.glb"}).exit_code, 0);
  EXPECT_EQ(count_indices(read_gltf(place.read("run.glb"))), 12 + 6);  // without the ball
}

TEST(Visual, ShapesOfASceneTouchNothingAndWeighNothing) {
  const Place place;
  const std::string ball = "  - {name: ball, density: 1000, position: [0, 0, 0.3], shapes: [";
  const auto mass = [&](const std::string& shapes) {
    place.write("scene.yaml", floor_scene(ball + shapes + "]}\n", timing("0.01", "0.5")));
    const Outcome outcome = place.run({"run", "scene.yaml", "--json", "-q", "-o", "run.h5"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out)["state_hash"].get<std::string>();
  };
  const std::string hash = mass("{sphere: {radius: 0.1}}");
  EXPECT_EQ(mass("{sphere: {radius: 0.1}}, {box: {size: [1, 1, 1]}, visual: true, colour: red}"),
            hash);
  EXPECT_NE(mass("{sphere: {radius: 0.1}}, {box: {size: [1, 1, 1]}, collides: false}"), hash);
}

TEST(Visual, KeysThatHaveNoMeaningAreRefused) {
  const Place place;
  const auto complain = [&](const std::string& shape) {
    place.write("scene.yaml",
                floor_scene("  - {name: b, mass: 1, inertia: [1, 1, 1], shapes: [" + shape + "]}\n",
                            timing("0.01", "0.1")));
    const Outcome outcome = place.run({"check", "scene.yaml"});
    EXPECT_EQ(outcome.exit_code, 2) << shape;
    return outcome.err;
  };
  const std::string with = "not with visual: true";
  EXPECT_NE(complain("{sphere: {radius: 1}, visual: true, layer: 2}").find(with),
            std::string::npos);
  EXPECT_NE(complain("{plane: {}, visual: true}").find(with), std::string::npos);
  const std::string only = "only with visual: true";
  EXPECT_NE(complain("{sphere: {radius: 1}, colour: red}").find(only), std::string::npos);
  const std::string points = "points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]";
  EXPECT_NE(complain("{polyhedron: {" + points + ", faces: [[0, 1, 2]]}}").find(only),
            std::string::npos);
  EXPECT_NE(complain("{polyhedron: {" + points + ", faces: [[0, 1, 4]]}, visual: true}")
                .find("no such point, got 4, want a number from 0 to 3"),
            std::string::npos);
}

}  // namespace
}  // namespace tenpin::app
