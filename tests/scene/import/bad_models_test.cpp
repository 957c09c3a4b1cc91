// Every model of tests/scene/import/bad is refused for exactly the problems that expected.txt says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "scene/import/import.h"

namespace tenpin::scene {
namespace {

namespace fs = std::filesystem;
using Problems = std::vector<std::string>;

const std::string kFolder = TENPIN_SOURCE_DIR "/tests/scene/import/bad/";

std::map<std::string, Problems> expected_problems() {
  std::ifstream stream(kFolder + "expected.txt");
  std::map<std::string, Problems> result;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t blank = line.find(' ');
    result[line.substr(0, blank)].push_back(line.substr(blank + 1));
  }
  return result;
}

Problems actual_problems(const std::string& file) {
  Problems result;
  try {
    static_cast<void>(import_model(kFolder + file));
  } catch (const SceneError& error) {
    for (const Problem& problem : error.problems()) {
      std::string text = problem.to_string();
      text = text.starts_with(kFolder) ? text.substr(kFolder.size()) : text;
      result.push_back(text.starts_with(file + ":") ? text.substr(file.size() + 1) : text);
    }
  }
  return result;
}

std::vector<std::string> bad_models() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (is_robot_model(entry.path().string())) files.push_back(entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(BadModels, AreRefusedForTheStatedReasons) {
  const auto expected = expected_problems();
  ASSERT_GE(bad_models().size(), 100u);
  for (const std::string& file : bad_models()) {
    const Problems actual = actual_problems(file);
    EXPECT_EQ(actual, expected.contains(file) ? expected.at(file) : Problems{}) << file;
    EXPECT_FALSE(actual.empty()) << file;
    if (std::getenv("TENPIN_PRINT_PROBLEMS") != nullptr) {
      for (const std::string& problem : actual) std::cout << "> " << file << " " << problem << "\n";
    }
  }
}

TEST(BadModels, EveryProblemSaysWhatItGotAndWants) {
  for (const auto& [file, problems] : expected_problems()) {
    for (const std::string& problem : problems) {
      EXPECT_NE(problem.find(", got "), std::string::npos) << file << " " << problem;
      EXPECT_NE(problem.find(", want "), std::string::npos) << file << " " << problem;
    }
  }
}

TEST(BadModels, LinksOutOfTheFolderAreRefused) {
  const fs::path folder = fs::temp_directory_path() / "tenpin_import_test";
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::create_symlink(TENPIN_SOURCE_DIR "/tests/scene/import/models/parts/wedge.obj",
                     folder / "link.obj");
  std::ofstream(folder / "m.xml") << "<mujoco><asset><mesh name='m' file='link.obj'/></asset>"
                                     "<worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>";
  try {
    static_cast<void>(import_model((folder / "m.xml").string()));
    ADD_FAILURE() << "accepted";
  } catch (const SceneError& error) {
    EXPECT_NE(std::string(error.what()).find("outside"), std::string::npos) << error.what();
  }
  fs::remove_all(folder);
}

// Any cut or changed byte gives a scene or problems with places, never anything else.
TEST(BadModels, DamagedModelsNeverCrash) {
  for (const std::string name : {"joints.xml", "actuators.xml", "equality.xml", "arm.urdf"}) {
    const std::string file = TENPIN_SOURCE_DIR "/tests/scene/import/models/" + name;
    std::ifstream stream(file);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    for (std::size_t cut = 0; cut + 2 < text.size(); cut += 3) {
      EXPECT_THROW(static_cast<void>(import_text(text.substr(0, cut), file)), SceneError) << cut;
    }
    for (std::size_t at = 0; at < text.size(); ++at) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 7)));
      try {
        static_cast<void>(import_text(damaged, file));
      } catch (const SceneError&) {
      }
    }
  }
}

}  // namespace
}  // namespace tenpin::scene
