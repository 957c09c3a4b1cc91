// Every file of tests/scene/bad begins with the problems it must be refused for, all of them, in
// order: "# expect: line:column: path: text", or "# expect: limit: ..." for a declared limit.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "scene/read.h"

namespace tenpin::scene {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "# expect: ";

std::vector<fs::path> bad_scenes() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(TENPIN_SOURCE_DIR "/tests/scene/bad")) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> expected_problems(const fs::path& file) {
  std::ifstream stream(file);
  std::vector<std::string> result;
  for (std::string line; std::getline(stream, line) && line.starts_with(kMark);) {
    result.push_back(line.substr(kMark.size()));
  }
  return result;
}

std::vector<std::string> actual_problems(const fs::path& file) {
  const auto without_file = [&](const std::string& text) {
    const std::string start = file.string() + ":";
    return text.starts_with(start) ? text.substr(start.size()) : text;
  };
  std::vector<std::string> result;
  try {
    static_cast<void>(read_scene(file.string()));
  } catch (const SceneError& error) {
    for (const Problem& problem : error.problems()) {
      result.push_back(without_file(problem.to_string()));
    }
  } catch (const LimitError& error) {
    result.push_back("limit: " + without_file(error.what()));
  }
  return result;
}

TEST(BadScenes, AreRefusedForTheStatedReasons) {
  const std::vector<fs::path> files = bad_scenes();
  ASSERT_GE(files.size(), 300u);
  for (const fs::path& file : files) {
    const std::vector<std::string> expected = expected_problems(file);
    EXPECT_FALSE(expected.empty()) << file;
    EXPECT_EQ(actual_problems(file), expected) << file;
  }
}

TEST(BadScenes, EveryProblemSaysWhatItGotAndWants) {
  for (const fs::path& file : bad_scenes()) {
    for (const std::string& problem : expected_problems(file)) {
      EXPECT_NE(problem.find(", got "), std::string::npos) << file << " " << problem;
      EXPECT_NE(problem.find(", want "), std::string::npos) << file << " " << problem;
    }
  }
}

}  // namespace
}  // namespace tenpin::scene
