#include "lab/gltf.h"

#include <gtest/gtest.h>

#include <cstring>

#include <nlohmann/json.hpp>

#include "lab/scene_runs.h"
#include "lab/surface_mesh.h"
#include "math/trig.h"

namespace tenpin::lab {
namespace {

using nlohmann::json;
using record::HeaderPart;
using record::ShapeKind;

double calc_volume(const SurfaceMesh& mesh) {
  double volume = 0.0;
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
    const Vec3& a = mesh.positions[mesh.triangles[i]];
    const Vec3& b = mesh.positions[mesh.triangles[i + 1]];
    const Vec3& c = mesh.positions[mesh.triangles[i + 2]];
    volume += a.dot(b.cross(c)) / 6.0;
  }
  return volume;
}

// Every triangle has an area, and its corners' normals point to the side it faces.
void expect_sound(const SurfaceMesh& mesh) {
  ASSERT_EQ(mesh.positions.size(), mesh.normals.size());
  for (const Vec3& n : mesh.normals) EXPECT_NEAR(n.norm(), 1.0, 1e-12);
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
    const auto corner = [&](int k) {
      return mesh.triangles[i + k];
    };
    const Vec3& a = mesh.positions[corner(0)];
    const Vec3 face = (mesh.positions[corner(1)] - a).cross(mesh.positions[corner(2)] - a);
    EXPECT_GT(face.norm(), 0.0);
    for (int k = 0; k < 3; ++k) EXPECT_GT(face.dot(mesh.normals[corner(k)]), 0.0);
  }
}

HeaderPart make_part(ShapeKind kind, const std::array<double, 3>& parameters) {
  HeaderPart part;
  part.kind = kind;
  part.parameters = parameters;
  return part;
}

// Facets are chords: 32 about the axis and 16 from pole to pole take 2 % of a ball's volume.
TEST(SurfaceMesh, EnclosesTheShapesVolume) {
  constexpr double kFacets = 0.025;
  const double r = 0.5;
  const double h = 0.75;
  const double ball = 4.0 / 3.0 * kPi * r * r * r;
  const double barrel = kPi * r * r * 2.0 * h;
  const auto volume_of = [](ShapeKind kind, const std::array<double, 3>& parameters) {
    const SurfaceMesh mesh = make_surface_mesh(make_part(kind, parameters), 1.0);
    expect_sound(mesh);
    return calc_volume(mesh);
  };
  EXPECT_NEAR(volume_of(ShapeKind::kSphere, {r}) / ball, 1.0, kFacets);
  EXPECT_NEAR(volume_of(ShapeKind::kCapsule, {r, h}) / (ball + barrel), 1.0, kFacets);
  EXPECT_NEAR(volume_of(ShapeKind::kCylinder, {r, h}) / barrel, 1.0, kFacets);
  EXPECT_NEAR(volume_of(ShapeKind::kBox, {1.0, 2.0, 3.0}), 48.0, 1e-12);
  EXPECT_EQ(volume_of(ShapeKind::kPlane, {}), 0.0);
  EXPECT_NEAR(volume_of(ShapeKind::kBowl, {r}) / (-0.5 * ball), 1.0, kFacets);  // from inside
}

TEST(SurfaceMesh, TakesPolyhedraAsTheyAre) {
  HeaderPart part = make_part(ShapeKind::kPolyhedron, {});
  part.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  part.face_begin = {0, 3, 6, 9, 12};
  part.face_vertices = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const SurfaceMesh mesh = make_surface_mesh(part, 1.0);
  expect_sound(mesh);
  EXPECT_NEAR(calc_volume(mesh), 1.0 / 6.0, 1e-15);
}

// A .glb file taken apart.
struct Glb {
  json document;
  std::string bytes;

  explicit Glb(const std::string& file) {
    EXPECT_EQ(file.substr(0, 4), "glTF");
    EXPECT_EQ(word(file, 4), 2U);
    EXPECT_EQ(word(file, 8), file.size());
    const std::size_t length = word(file, 12);
    EXPECT_EQ(file.substr(16, 4), "JSON");
    document = json::parse(file.substr(20, length));
    EXPECT_EQ(file.substr(20 + length + 4, 4), std::string("BIN\0", 4));
    bytes = file.substr(20 + length + 8);
    EXPECT_EQ(word(file, 20 + length), bytes.size());
  }

  static std::uint32_t word(const std::string& file, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, file.data() + at, sizeof value);
    return value;
  }

  std::vector<float> floats(int accessor) const {
    const json& view = document["bufferViews"][int(document["accessors"][accessor]["bufferView"])];
    const std::size_t length = view["byteLength"];
    const std::size_t offset = view["byteOffset"];
    std::vector<float> values(length / sizeof(float));
    std::memcpy(values.data(), bytes.data() + offset, length);
    return values;
  }
};

TEST(Gltf, AnimationIsTheRun) {
  const RunFolder folder;
  const record::RunReader run(folder.run(make_ball_scene("step: 0.01")));
  const Glb glb(make_glb(run));
  const json& animation = glb.document["animations"][0];
  ASSERT_EQ(animation["channels"].size(), 2U);  // the floor stays where it is
  for (const json& channel : animation["channels"]) {
    EXPECT_EQ(glb.document["nodes"][int(channel["target"]["node"])]["name"], "ball");
    const json& sampler = animation["samplers"][int(channel["sampler"])];
    const std::vector<float> times = glb.floats(sampler["input"]);
    const std::vector<float> values = glb.floats(sampler["output"]);
    ASSERT_EQ(times.size(), static_cast<std::size_t>(run.num_frames()));
    for (std::int64_t k = 0; k < run.num_frames(); ++k) {
      const record::RunFrame frame = run.read_frame(k);
      const record::BodyMotion& ball = frame.bodies[1];
      EXPECT_EQ(times[k], static_cast<float>(frame.t));
      if (channel["target"]["path"] == "translation") {
        for (int i = 0; i < 3; ++i) {
          EXPECT_EQ(values[3 * k + i], static_cast<float>(ball.position[i]));
        }
      } else {
        const Quat q(values[4 * k + 3], values[4 * k], values[4 * k + 1], values[4 * k + 2]);
        EXPECT_NEAR(std::fabs(q.dot(ball.orientation)), 1.0, 1e-6);
      }
    }
  }
}

TEST(Gltf, EqualShapesAreStoredOnce) {
  const std::string text =
      "tenpin: 1\nname: x\nmaterials: {m: {friction: 0.1, restitution: 0}}\nbodies:\n"
      "  - {name: a, material: m, mass: 1, colour: \"#f00\", shapes: [{sphere: {radius: 1}}]}\n"
      "  - {name: b, material: m, mass: 1, position: [9, 0, 0], shapes: [{sphere: {radius: 1}}]}\n"
      "  - {name: c, material: m, mass: 1, position: [0, 9, 0], shapes: [{sphere: {radius: 1}}]}\n"
      "method: {time-stepping: {step: 0.1}}\nuntil: 0.1\n";
  const RunFolder folder;
  const record::RunReader run(folder.run(scene::parse_scene(text, "x.yaml")));
  const Glb glb(make_glb(run));
  EXPECT_EQ(glb.document["meshes"].size(), 2U);  // one shape in two colours
  EXPECT_EQ(glb.document["meshes"][0]["primitives"][0]["attributes"],
            glb.document["meshes"][1]["primitives"][0]["attributes"]);
  const json& red = glb.document["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"];
  EXPECT_EQ(red, json({1.0, 0.0, 0.0, 1.0}));
}

}  // namespace
}  // namespace tenpin::lab
