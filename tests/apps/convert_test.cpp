// Robot models on the command line.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "apps/program.h"

namespace tenpin::app {
namespace {

const std::string kModels = TENPIN_SOURCE_DIR "/tests/scene/import/models/";

TEST(Convert, WritesASceneThatPassesTheCheck) {
  for (const std::string name : {"arm.urdf", "joints.xml", "meshes.xml"}) {
    const Place place;
    EXPECT_EQ(place.run({"convert", kModels + name, "-o", "scene.yaml"}).exit_code, 0) << name;
    const Outcome check = place.run({"check", "scene.yaml"});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    EXPECT_EQ(place.files(), std::vector<std::string>{"scene.yaml"});
    const Outcome printed = place.run({"convert", kModels + name});
    EXPECT_TRUE(printed.out.starts_with("tenpin: 1\n"));
    EXPECT_NE(printed.err.find("note: "), std::string::npos);
  }
}

// The state hash of a run of 0.05 s.
std::string hash_of_run(const Place& place, const std::string& scene) {
  const Outcome run =
      place.run({"run", scene, "--json", "-q", "--set", "until=0.05", "-o", "run.h5", "--force"});
  EXPECT_EQ(run.exit_code, 0) << scene << run.err;
  const std::size_t at = run.out.find("\"state_hash\"");
  return at == std::string::npos ? "none" : run.out.substr(at, 40);
}

TEST(Convert, ScenesRoundTripToTheSameStateHash) {
  for (const std::string name : {"mixed-shapes", "trapdoor", "timed-lift", "four-bar", "gripper",
                                 "ten-pins", "pairs-of-bodies"}) {
    const Place place;
    const std::string scene = TENPIN_SOURCE_DIR "/scenes/" + name + ".yaml";
    ASSERT_EQ(place.run({"convert", scene, "-o", "scene.yaml"}).exit_code, 0) << name;
    EXPECT_EQ(hash_of_run(place, "scene.yaml"), hash_of_run(place, scene)) << name;
    const std::string text = place.read("scene.yaml");
    EXPECT_EQ(text.find("seed: 0"), std::string::npos) << "a default was written";
    EXPECT_EQ(text.find("orientation: [1, 0, 0, 0]"), std::string::npos) << text;
  }
}

TEST(Convert, LargeHullsAreWrittenBesideTheScene) {
  const Place place;
  std::string points;
  for (int i = 0; i < 40; ++i) {  // 40 points of a paraboloid
    const double x = 0.01 * (i % 7 - 3) + 0.001 * i;
    const double y = 0.02 * (i % 5 - 2) - 0.0007 * i;
    points += (i == 0 ? "[" : ", [") + std::to_string(x) + ", " + std::to_string(y) + ", " +
              std::to_string(10 * (x * x + y * y)) + "]";
  }
  place.write("a.yaml",
              "tenpin: 1\nbodies:\n  - {name: b, mass: 1, repeat: {stack: 3, spacing: 0.2}, "
              "position: [0, 0, 0.01], shapes: [{polyhedron: {points: [" +
                  points +
                  "]}}]}\n  - {name: floor, fixed: true, shapes: [{plane: {}}]}\nuntil: 1\n");
  ASSERT_EQ(place.run({"convert", "a.yaml", "-o", "b.yaml"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(place.path("b-meshes/1.obj")));
  EXPECT_FALSE(std::filesystem::exists(place.path("b-meshes/2.obj"))) << "written twice";
  EXPECT_EQ(hash_of_run(place, "b.yaml"), hash_of_run(place, "a.yaml"));
  place.write("b-meshes/1.obj", "# mine\n");
  EXPECT_NE(place.run({"convert", "a.yaml", "-o", "b.yaml"}).exit_code, 0);
  EXPECT_EQ(place.read("b-meshes/1.obj"), "# mine\n");
}

TEST(Convert, BadModelsWriteNothing) {
  const Place place;
  const std::string bad = TENPIN_SOURCE_DIR "/tests/scene/import/bad/dtd.xml";
  for (const std::string command : {"convert", "run"}) {
    const Outcome outcome = place.run({command, bad, "-o", "out"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with(bad + ":1:1: ")) << outcome.err;
    EXPECT_EQ(place.files(), std::vector<std::string>{});
  }
}

TEST(Run, TakesAModelAndItsOptions) {
  const Place place;
  const Outcome outcome =
      place.run({"run", kModels + "arm.urdf", "--base", "free", "--set", "until=0.1", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("floats free"), std::string::npos);
}

}  // namespace
}  // namespace tenpin::app
