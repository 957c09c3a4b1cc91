#include "scene/include_models.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "scene/build.h"
#include "scene/scene_text.h"
#include "scene/write.h"

namespace tenpin::scene {
namespace {

namespace fs = std::filesystem;

class IncludeModels : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "parts");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / file) << text;
  }
  Scene read(const std::string& lines) const {
    write("main.yaml", scene_text(lines));
    return read_scene((folder_ / "main.yaml").string());
  }
  std::string problems(const std::string& lines) const {
    try {
      static_cast<void>(read(lines));
      return "";
    } catch (const SceneError& error) {
      std::string text = print_problems(error.problems());
      const std::string here = folder_.string() + "/";
      for (std::size_t at = text.find(here); at != std::string::npos; at = text.find(here)) {
        text.erase(at, here.size());
      }
      return text;
    }
  }

  fs::path folder_;
};

const std::string kDoor = scene_text(
    "materials: {default: {friction: 0.2}, oak: {friction: 0.6}}\n"
    "pairs: [{between: [oak, oak], friction: 0.7, restitution: 0}]\n"
    "bodies:\n"
    "  - {name: post, fixed: true, position: [0, 0, 1], shapes: [{box: {size: [0.1, 0.1, 2]}}]}\n"
    "  - {name: leaf, parent: post, material: oak, joint: {hinge: {axis: [0, 0, 1]}}, mass: 10, "
    "position: [0.1, 0, 0], shapes: [{box: {size: [0.8, 0.05, 1.9]}, position: [0.4, 0, 0]}]}\n"
    "  - {name: ball, mass: 1, position: [1, 0, 0], velocity: [1, 0, 0], "
    "shapes: [{sphere: {radius: 0.1}}]}\n"
    "loops: [{name: rope, distance: {bodies: [ball, world], anchors: [[0, 0, 0], [1, 0, 3]]}}]\n"
    "touch: {never: [[post, ball]]}\n");

TEST_F(IncludeModels, PlacesAndNamesEachCopy) {
  write("parts/door.yaml", kDoor);
  const Scene scene = read(
      "models:\n"
      "  - {file: parts/door.yaml, prefix: a/, position: [0, 0, 1]}\n"
      "  - {file: parts/door.yaml, prefix: b/, position: [5, 0, 0], "
      "orientation: {axis: [0, 0, 1], degrees: 90}, set: {bodies.leaf.mass: 20}}\n"
      "bodies: [{name: knob, parent: \"b:leaf\", fixed: true, mass: 0.1, position: [0.8, 0, 0], "
      "shapes: [{sphere: {radius: 0.02}}]}]\n");
  ASSERT_EQ(scene.bodies.size(), 7u);
  EXPECT_EQ(scene.bodies[1].name, "a:leaf");
  EXPECT_EQ(scene.bodies[4].name, "b:leaf");
  EXPECT_EQ(scene.bodies[4].parent, 3);
  EXPECT_EQ(scene.bodies[6].parent, 4);
  EXPECT_EQ(scene.bodies[1].mass, 10.0);
  EXPECT_EQ(scene.bodies[4].mass, 20.0);
  EXPECT_EQ(scene.bodies[0].position, Vec3(0, 0, 2));
  EXPECT_EQ(scene.bodies[4].position, Vec3(0.1, 0, 0)) << "in its parent, which has moved";
  EXPECT_LT((scene.bodies[5].position - Vec3(5, 1, 0)).norm(), 1e-15);
  EXPECT_LT((scene.bodies[5].velocity - Vec3(0, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(scene.materials[scene.bodies[4].material].name, "b:oak");
  EXPECT_EQ(scene.pairs.at(1).first, scene.bodies[4].material);
  EXPECT_EQ(scene.loops.at(1).name, "b:rope");
  EXPECT_LT((scene.loops[1].anchor_b - Vec3(5, 1, 3)).norm(), 1e-15);
  EXPECT_EQ(scene.never_touch.at(1).body_a, 3);
  EXPECT_NO_THROW(static_cast<void>(build(scene)));
}

TEST_F(IncludeModels, ACopyMovesAsTheModelAlone) {
  write("parts/door.yaml", kDoor);
  const Scene alone = read_scene((folder_ / "parts/door.yaml").string());
  const Scene included = read("models: [{file: parts/door.yaml}]\n");
  const Built a = build(alone);
  const Built b = build(included);
  EXPECT_EQ(a.state.q, b.state.q);
  EXPECT_EQ(a.state.v, b.state.v);
  // Conversion writes one flat scene with the same bodies.
  EXPECT_EQ(parse(write_scene(included)).bodies.size(), alone.bodies.size());
}

TEST_F(IncludeModels, TakesRobotModels) {
  write("parts/cart.urdf",
        "<robot name='cart'><link name='box'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
        "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>\n");
  const Scene scene = read(
      "models: [{file: parts/cart.urdf, prefix: left/, position: [0, 0, 3], "
      "import: {base: free}}]\n");
  ASSERT_EQ(scene.bodies.size(), 1u);
  EXPECT_EQ(scene.bodies[0].name, "left:box");
  EXPECT_EQ(scene.bodies[0].position, Vec3(0, 0, 3));
  EXPECT_EQ(scene.bodies[0].joint, JointKind::kFree);
}

TEST_F(IncludeModels, ProblemsKeepTheirOwnPlaces) {
  write("parts/ball.yaml", ball_text("colur: red"));
  EXPECT_EQ(problems("models: [{file: parts/ball.yaml}]\n"),
            "parts/ball.yaml:2:67: bodies[0].colur: unknown key, got colur, want colour\n");
  write("parts/ball.yaml", ball_text(""));
  EXPECT_EQ(problems("models: [{file: parts/ball.yaml, set: {bodies.ball.mass: -1}}]\n"),
            "main.yaml:2:39: models[0].set.bodies[0].mass: out of range, got -1, want a number >= "
            "1e-12, <= 1e+12 kg\n");
  EXPECT_EQ(problems("models: [{file: parts/ball.yaml}, {file: parts/ball.yaml}]\n"),
            "main.yaml:2:35: models[1].prefix: duplicate name, got ball again, want a prefix of "
            "its own for each copy\n");
  EXPECT_EQ(problems("models: [{file: parts/none.yaml}]\n"),
            "main.yaml:2:17: models[0].file: cannot be read: No such file or directory, got "
            "parts/none.yaml, want a readable file\n");
  EXPECT_EQ(problems("models: [{file: ../main.yaml}]\n"),
            "main.yaml:2:17: models[0].file: outside scene folder, got ../main.yaml, want a "
            "relative path of a file beneath it\n");
}

TEST_F(IncludeModels, NoFileIncludesItself) {
  EXPECT_EQ(problems("models: [{file: main.yaml}]\n"),
            "main.yaml:2:17: models[0].file: includes itself, got main.yaml, want another file\n");
  fs::create_symlink(folder_ / "main.yaml", folder_ / "parts/again.yaml");
  EXPECT_NE(problems("models: [{file: parts/again.yaml}]\n").find("includes itself"),
            std::string::npos);
}

TEST(Groups, AreSharedShapesInTheirPlaces) {
  const std::string legs =
      "groups: {legs: [{sphere: {radius: 0.1}}, {box: {size: [1, 1, 1]}, position: [0, 0, 2]}]}\n";
  const Scene scene = parse(scene_text(
      legs +
      "bodies: [{name: table, density: 1, shapes: [{group: legs, position: [1, 0, 0]}, {group: "
      "legs, orientation: {axis: [1, 0, 0], degrees: 180}}]}]\n"));
  ASSERT_EQ(scene.bodies[0].parts.size(), 4u);
  EXPECT_EQ(scene.bodies[0].parts[1].X_BS.p, Vec3(1, 0, 2));
  EXPECT_LT((scene.bodies[0].parts[3].X_BS.p - Vec3(0, 0, -2)).norm(), 1e-15);
  EXPECT_EQ(
      problems_of(scene_text(legs + "bodies: [{name: t, density: 1, shapes: [{group: leg}]}]\n")),
      "scene.yaml:3:49: bodies[0].shapes[0].group: unknown group, got leg, want legs\n");
  EXPECT_NE(problems_of(scene_text("groups: {a: [{group: a}]}\nbodies: [{name: t, density: 1, "
                                   "shapes: [{group: a}]}]\n"))
                .find("a group in a group"),
            std::string::npos);
}

}  // namespace
}  // namespace tenpin::scene
