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
