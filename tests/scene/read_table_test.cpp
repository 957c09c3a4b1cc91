#include "scene/read_table.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "scene/read.h"
#include "scene/scene_text.h"

namespace tenpin::scene {
namespace {

namespace fs = std::filesystem;

// A folder with one CSV file and a scene that reads it.
class CsvScene : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Scene read(const std::string& csv, const std::string& table) const {
    std::ofstream(folder_ / "push.csv") << csv;
    std::ofstream(folder_ / "scene.yaml")
        << scene_text("bodies:\n  - {name: b, mass: 1, shapes: [{sphere: {radius: 1}}], forces: " +
                      ("[{force: {csv: push.csv" + table + "}}]}\n"));
    return read_scene((folder_ / "scene.yaml").string());
  }
  std::string read_problem(const std::string& csv, const std::string& table) const {
    try {
      static_cast<void>(read(csv, table));
    } catch (const SceneError& error) {
      return error.problems().front().text;
    }
    return "";
  }

 private:
  fs::path folder_;
};

TEST_F(CsvScene, ReadsColumnsByNumberAndSkipsHeadings) {
  const Scene scene =
      read("# a push\r\ntime, a, x,y,z\r\n0,9,1,2,3\r\n+0.5, 9, -.5, 1., 1e3\r\n\r\n",
           ", columns: [0, 2, 3, 4], interpolation: step");
  const TimeTable& table = scene.bodies[0].forces[0].force_table;
  EXPECT_EQ(table.times, (std::vector<double>{0.0, 0.5}));
  EXPECT_EQ(table.values, (std::vector<double>{1.0, 2.0, 3.0, -0.5, 1.0, 1000.0}));
  EXPECT_EQ(table.interpolation, dynamics::Interpolation::kStep);
}

TEST_F(CsvScene, SaysWhichLineIsWrong) {
  EXPECT_EQ(read_problem("0,1,2,3\n1,2,x,3\n", ""), "push.csv:2: column 2, got x, want a number");
  EXPECT_EQ(read_problem("0,1,2\n", ""), "push.csv:1: too few columns, got 3, want column 3");
  EXPECT_EQ(read_problem("0,1,2,3\n0,1,2,3\n", ""),
            "times must rise, got 0 after 0, want a later time");
  EXPECT_EQ(read_problem("t,x,y,z\n", ""), "no points, got none, want at least one");
}

}  // namespace
}  // namespace tenpin::scene
