// Mesh files as hulls, pieces and surfaces.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <variant>

#include "scene/scene_text.h"
#include "scene/write.h"
#include "shapes/surface_mesh.h"

namespace tenpin::scene {
namespace {

namespace fs = std::filesystem;

// An L of 3 x 2 x 1 with arms of 1, and a floor of two triangles.
const char* const kL =
    "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"
    "v 0 0 1\nv 3 0 1\nv 3 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
    "f 1 3 2\nf 1 4 3\nf 1 5 4\nf 1 6 5\nf 7 8 9\nf 7 9 10\nf 7 10 11\nf 7 11 12\n"
    "f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";
const char* const kFloor = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3\nf 1 3 4\n";

class ReadMesh : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "tenpin_read_mesh";
    fs::create_directories(folder_);
    std::ofstream(folder_ / "l.obj") << kL;
    std::ofstream(folder_ / "floor.obj") << kFloor;
  }
  void TearDown() override { fs::remove_all(folder_); }

  Scene parse_here(const std::string& text) const {
    return parse_scene(text, (folder_ / "scene.yaml").string());
  }
  std::string problems(const std::string& lines) const {
    try {
      (void)parse_here(scene_text(lines));
    } catch (const SceneError& error) {
      return error.problems().front().text;
    }
    return "";
  }

 private:
  fs::path folder_;
};

TEST_F(ReadMesh, PiecesWeighAsTheMesh) {
  const Scene scene = parse_here(scene_text(
      "bodies: [{name: l, density: 2, shapes: [{mesh: {file: l.obj, parts: 20}, position: [0, 0, "
      "5]}]}]\n"));
  const Body& body = scene.bodies.at(0);
  EXPECT_EQ(body.parts.size(), 2U);
  EXPECT_NEAR(body.mass, 8.0, 1e-12);  // 4 m^3; its hull has 5
  EXPECT_NEAR((body.center - Vec3(3 * 1.5 + 0.5, 3 * 0.5 + 1.5, 4 * 5.5) / 4.0).norm(), 0.0, 1e-12);
  ASSERT_EQ(scene.notes.size(), 1U);
  EXPECT_NE(scene.notes[0].find("2 convex pieces used; they add "), std::string::npos);
  const std::string text = write_scene(scene);
  EXPECT_NE(text.find("mesh: {file: \"l.obj\", parts: 20}"), std::string::npos) << text;
  EXPECT_EQ(write_scene(parse_here(text)), text);
}

TEST_F(ReadMesh, StaticMeshesAreTheirTriangles) {
  const Scene scene = parse_here(scene_text(
      "bodies: [{name: floor, fixed: true, shapes: [{mesh: {file: floor.obj, scale: 0.5, static: "
      "true}, surface_velocity: [0, 1, 0]}]}]\n"));
  const auto& surface = std::get<shapes::TriangleSurface>(scene.bodies.at(0).parts.at(0).shape);
  EXPECT_EQ(surface.mesh->num_triangles(), 2);
  EXPECT_EQ(surface.mesh->edges.size(), 4U);  // the border; the diagonal is flat
  EXPECT_EQ(surface.mesh->box.upper, Vec3(1, 1, 0));
  EXPECT_EQ(scene.bodies[0].part_options.at(0).surface_velocity, Vec3(0, 1, 0));
  const std::string text = write_scene(scene);
  EXPECT_NE(text.find("static: true"), std::string::npos);
  EXPECT_EQ(write_scene(parse_here(text)), text);
}

TEST_F(ReadMesh, WhatCannotBeIsRefused) {
  EXPECT_EQ(problems("bodies: [{name: a, mass: 1, inertia: [1, 1, 1], center_of_mass: [0, 0, 0], "
                     "shapes: [{mesh: {file: floor.obj, static: true}}]}]\n"),
            "a static mesh cannot move, got it on a moving body, want fixed: true or motion");
  EXPECT_EQ(problems("bodies: [{name: a, mass: 1, shapes: [{mesh: {file: l.obj, static: true, "
                     "parts: 3}}]}]\n"),
            "not with static: true, got it, want one of the two keys removed");
  EXPECT_NE(problems("bodies: [{name: a, mass: 1, shapes: [{mesh: {file: floor.obj, parts: "
                     "3}}]}]\n"),
            "");
}

}  // namespace
}  // namespace tenpin::scene
