#include "scene/contained_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/check.h"
#include "scene/problem.h"
#include "scene/read.h"

namespace tenpin::scene {
namespace {

namespace fs = std::filesystem;

class ContainedFile : public testing::Test {
 protected:
  ContainedFile() {
    std::string pattern = (fs::temp_directory_path() / "tenpin-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    fs::create_directories(root_ / "scene/meshes");
    write("outside.obj", "secret\n");
    write("scene/meshes/a.obj", "v 0 0 0\n");
  }
  ~ContainedFile() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / name) << text;
  }
  std::string folder() const { return (root_ / "scene").string(); }
  std::string problem_of(const std::string& path) const {
    try {
      static_cast<void>(resolve_contained(folder(), path));
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  fs::path root_;
};

TEST_F(ContainedFile, FilesBeneathTheFolderAreFound) {
  EXPECT_EQ(problem_of("meshes/a.obj"), "");
  EXPECT_EQ(problem_of("./meshes/a.obj"), "");
  fs::create_symlink("meshes/a.obj", root_ / "scene/link.obj");
  EXPECT_EQ(resolve_contained(folder(), "link.obj"),
            fs::canonical(root_ / "scene/meshes/a.obj").string());
}

TEST_F(ContainedFile, NothingElseIs) {
  fs::create_symlink("../outside.obj", root_ / "scene/out.obj");
  fs::create_directory_symlink("..", root_ / "scene/up");
  for (const std::string path :
       {"/etc/passwd", "../outside.obj", "meshes/../../outside.obj", "out.obj", "up/outside.obj",
        "http://host/a.obj", "file:a.obj", "\\\\host\\a.obj", "/proc/self/mem", "/dev/zero"}) {
    EXPECT_TRUE(problem_of(path).starts_with("outside scene folder, got ")) << path;
  }
  EXPECT_TRUE(problem_of(std::string("meshes/a.obj\0x", 14)).starts_with("outside scene folder"));
}

TEST_F(ContainedFile, OnlyRegularFilesAreRead) {
  ASSERT_EQ(mkfifo((root_ / "scene/pipe.obj").c_str(), 0600), 0);
  EXPECT_TRUE(problem_of("pipe.obj").starts_with("not a regular file"));
  EXPECT_TRUE(problem_of("meshes").starts_with("not a regular file"));
  EXPECT_TRUE(problem_of("none.obj").starts_with("cannot be read"));
  EXPECT_THROW(static_cast<void>(read_regular_file((root_ / "scene/pipe.obj").string(), 10)),
               InputError);
}

TEST_F(ContainedFile, LargeFilesMeetTheLimit) {
  EXPECT_EQ(read_regular_file((root_ / "outside.obj").string(), 7), "secret\n");
  EXPECT_THROW(static_cast<void>(read_regular_file((root_ / "outside.obj").string(), 6)),
               LimitError);
}

TEST_F(ContainedFile, BadMeshesAreProblemsOfTheirLine) {
  write("scene/scene.yaml",
        "tenpin: 1\nbodies:\n  - {name: a, mass: 1, shapes: [{mesh: {file: meshes/a.obj}}]}\n"
        "until: 1\n");
  try {
    static_cast<void>(read_scene((root_ / "scene/scene.yaml").string()));
    FAIL();
  } catch (const SceneError& error) {
    const Problem& problem = error.problems().at(0);
    EXPECT_EQ(problem.line, 3);
    EXPECT_EQ(problem.path, "bodies[0].shapes[0].mesh.file");
    EXPECT_TRUE(problem.text.starts_with("bad mesh, got meshes/a.obj")) << problem.text;
  }
}

}  // namespace
}  // namespace tenpin::scene
