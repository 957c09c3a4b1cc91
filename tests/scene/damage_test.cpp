// Files that were cut off or damaged on their way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "scene/read.h"
#include "support/speed.h"

namespace tenpin::scene {
namespace {

namespace fs = std::filesystem;

const std::string kScenes = TENPIN_SOURCE_DIR "/scenes/";

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

enum class Outcome { kRead, kRefused };

// Any other exception fails the test.
Outcome try_to_parse(const std::string& text) {
  try {
    static_cast<void>(parse_scene(text, kScenes + "damaged.yaml"));
    return Outcome::kRead;
  } catch (const SceneError& error) {
    EXPECT_FALSE(error.problems().empty());
    return Outcome::kRefused;
  } catch (const LimitError&) {
    return Outcome::kRefused;
  }
}

// The examples end with `until`, which is required, and a last line must be ended: so nothing that
// is cut off them anywhere can pass for a whole scene.
TEST(Damage, NoExampleCutShortIsAccepted) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(kScenes)) {
    if (entry.path().extension() != ".yaml") {
      continue;
    }
    const std::string text = read_text(entry.path());
    ASSERT_EQ(try_to_parse(text), Outcome::kRead) << entry.path();
    for (std::size_t k = 0; k < text.size(); ++k) {
      ASSERT_EQ(try_to_parse(text.substr(0, k)), Outcome::kRefused) << entry.path() << " " << k;
    }
    ++count;
  }
  EXPECT_GE(count, 12);
}

// TENPIN_TEST_SCALE above 1 damages all examples instead of one.
std::vector<fs::path> examples_to_damage() {
  const char* scale = std::getenv("TENPIN_TEST_SCALE");
  if (scale == nullptr || std::atoi(scale) <= 1) {
    return {kScenes + "falling-rod.yaml"};
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kScenes)) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path());
    }
  }
  return files;
}

TEST(Damage, AFlippedBitNeverCrashesOrHangs) {
  int num_read = 0;
  double slowest = 0.0;  // s   of processor time
  for (const fs::path& file : examples_to_damage()) {
    const std::string text = read_text(file);
    for (std::size_t i = 0; i < 8 * text.size(); ++i) {
      std::string damaged = text;
      damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
      const double start = test::processor_time();
      num_read += try_to_parse(damaged) == Outcome::kRead ? 1 : 0;
      slowest = std::max(slowest, test::processor_time() - start);
    }
  }
  EXPECT_GT(num_read, 0);  // such as another digit, or a letter of a comment
  EXPECT_LT(slowest, 5.0 * test::find_slowness());
}

// Every bit of the JSON form too: other paths of the parser.
TEST(Damage, AFlippedBitOfJsonNeverCrashesOrHangs) {
  const std::string text = R"({"tenpin": 1, "name": "x", "bodies": [{"name": "a", "mass": 1, )"
                           R"("position": [1, 2.5, -3e-1],)"
                           R"( "shapes": [{"sphere": {"radius": 0.5}}], )"
                           R"("repeat": {"stack": 2, "spacing": 1}}], "until": 1})";
  ASSERT_EQ(try_to_parse(text), Outcome::kRead);
  for (std::size_t i = 0; i < 8 * text.size(); ++i) {
    std::string damaged = text;
    damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
    try_to_parse(damaged);
  }
}

}  // namespace
}  // namespace tenpin::scene
