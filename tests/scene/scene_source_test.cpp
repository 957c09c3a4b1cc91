#include "scene/scene_source.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "scene/scene_text.h"
#include "scene/write.h"

namespace tenpin::scene {
namespace {

using Overrides = std::vector<Override>;

const std::string kText = scene_text(
    "bodies:\n"
    "  - {name: ball, mass: 1, position: [0, 0, 1], shapes: [{sphere: {radius: 0.1}}]}\n"
    "  - {name: box, mass: 2, shapes: [{box: {size: [1, 1, 1]}}]}\n");

// The scene as text, or what is wrong with it.
template <typename Read>
std::string outcome_of(Read read) {
  try {
    return write_scene(read());
  } catch (const SceneError& error) {
    return print_problems(error.problems());
  }
}

TEST(SceneSource, ReadsWhatTheParserReadsWhateverWasReadBefore) {
  const std::vector<Overrides> rounds = {
      {},
      {{"bodies.ball.position.2", "3.5"}, {"until", "2"}},
      {{"bodies.ball.mass", "-1"}},  // refused
      {{"bodies.box.mass", "heavy"}},
      {{"bodies.ball.velocity", "[1, 2, 3]"}},
      {{"bodies.ball.position.7", "3.5"}},
      {},
  };
  SceneSource source(kText, "scene.yaml");
  std::vector<std::string> seen;
  for (const Overrides& overrides : rounds) {
    const std::string parsed = outcome_of([&] {
      return parse_scene(kText, "scene.yaml", overrides);
    });
    seen.push_back(outcome_of([&] {
      return source.read(overrides);
    }));
    EXPECT_EQ(seen.back(), parsed);
  }
  EXPECT_EQ(seen.front(), seen.back());
  EXPECT_NE(seen[0], seen[1]);
  EXPECT_NE(seen[2].find("--set"), std::string::npos) << seen[2];
}

// Numbers take a short way past the YAML parser; a blank sends them the long way.
TEST(SceneSource, PlainNumberIsReadLikeAnyYaml) {
  for (const char* number : {"2", "0.25", "-1", "1e-3", "-0", "1e400"}) {
    for (const char* path : {"bodies.ball.mass", "bodies.ball.position.1", "bodies.ball.name"}) {
      const auto read = [&](const std::string& value) {
        return outcome_of([&] {
          return parse_scene(kText, "scene.yaml", Overrides{{path, value}});
        });
      };
      EXPECT_EQ(read(number), read(std::string(number) + " ")) << path;
    }
  }
}

TEST(SceneSource, ReadsMeshFilesOnceAndRepeatsTheirNotes) {
  std::string folder = testing::TempDir() + "tenpin_source_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  // Five corners of which one is within: the hull leaves it out and says so.
  std::ofstream(folder + "/solid.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.2 0.2 0.2\n"
                                          "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n";
  const std::string text =
      scene_text("bodies: [{name: solid, mass: 1, shapes: [{mesh: {file: solid.obj}}]}]\n");
  SceneSource source(text, folder + "/scene.yaml");
  const Scene first = source.read({});
  std::filesystem::remove_all(folder);
  const Scene second = source.read({});
  EXPECT_EQ(write_scene(first), write_scene(second));
  EXPECT_FALSE(first.notes.empty());
  EXPECT_EQ(first.notes, second.notes);
}

}  // namespace
}  // namespace tenpin::scene
