#include "scene/import/mjcf_attach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "math/rotation.h"
#include "math/trig.h"
#include "scene/import/import.h"

namespace tenpin::scene {
namespace {

const std::string kFolder = TENPIN_SOURCE_DIR "/tests/scene/import/models/attach/";

int index_of(const Scene& scene, const std::string& name) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.bodies[i].name == name) return static_cast<int>(i);
  }
  ADD_FAILURE() << "no body " << name;
  return 0;
}
const Body& body(const Scene& scene, const std::string& name) {
  return scene.bodies[static_cast<std::size_t>(index_of(scene, name))];
}

// A scene names bodies without '/', and writes ':' for it.
TEST(MjcfAttach, BodiesHangWhereTheyAreAttached) {
  const Scene scene = import_model(kFolder + "main.xml");
  EXPECT_EQ(scene.bodies.size(), 5u) << "the model's other body is not attached";
  EXPECT_EQ(body(scene, "a:shoulder").parent, index_of(scene, "base"));
  EXPECT_EQ(body(scene, "a:shoulder").position, Vec3(1, 0, 0));
  EXPECT_EQ(body(scene, "b:shoulder").parent, kWorld);
  EXPECT_EQ(body(scene, "b:shoulder").position, Vec3(6, 0, 0));
  EXPECT_EQ(body(scene, "b:fore").parent, index_of(scene, "b:shoulder"));
}

TEST(MjcfAttach, EachModelKeepsItsUnitsFoldersAndDefaults) {
  const Scene scene = import_model(kFolder + "main.xml");
  EXPECT_NEAR(body(scene, "base").properties.upper, 0.5 * kPi, 1e-15);
  EXPECT_EQ(body(scene, "a:shoulder").properties.upper, 0.75);
  const Mat3 turn = to_matrix(body(scene, "a:shoulder").orientation);
  EXPECT_NEAR(turn(1, 0), std::sin(1.5), 1e-15);
  EXPECT_EQ(body(scene, "a:shoulder").part_files[0].path, "child/shapes/wedge.obj");
  EXPECT_EQ(body(scene, "base").properties.damping, 9.0);
  EXPECT_EQ(body(scene, "b:shoulder").properties.damping, 0.5);
  EXPECT_EQ(body(scene, "b:fore").part_options[0].layer, 0u);
}

TEST(MjcfAttach, WhatTheModelSaysAboutItsBodiesComesAlong) {
  const Scene scene = import_model(kFolder + "main.xml");
  ASSERT_EQ(scene.loops.size(), 2u);
  EXPECT_EQ(scene.loops[1].body_a, index_of(scene, "b:shoulder"));
  EXPECT_EQ(scene.loops[1].body_b, index_of(scene, "b:fore"));
  ASSERT_EQ(scene.never_touch.size(), 2u) << "one names a body that is not there";
  EXPECT_EQ(body(scene, "a:fore").properties.motor.stiffness, 30.0);
  EXPECT_EQ(body(scene, "b:shoulder").properties.motor.stiffness, 2.0);
  const auto has = [&](const std::string& words) {
    return std::any_of(scene.notes.begin(), scene.notes.end(), [&](const std::string& note) {
      return note.find(words) != std::string::npos;
    });
  };
  EXPECT_TRUE(has("<sensor>")) << "not copied, and so listed";
}

std::string problem_of(const std::string& attach, const std::string& file) {
  try {
    static_cast<void>(import_text("<mujoco><asset><model name='m' file='" + file +
                                      "'/></asset><worldbody>" + attach + "</worldbody></mujoco>",
                                  kFolder + "t.xml"));
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

TEST(MjcfAttach, BadAttachmentsAreRefused) {
  const std::string good = "<attach model='m' body='shoulder' prefix='p'/>";
  EXPECT_EQ(problem_of(good, "child/arm.xml"), "");
  EXPECT_NE(
      problem_of("<attach model='n' body='shoulder'/>", "child/arm.xml").find("unknown model"),
      std::string::npos);
  EXPECT_NE(problem_of("<attach model='m' body='leg'/>", "child/arm.xml").find("unknown body"),
            std::string::npos);
  EXPECT_NE(problem_of(good, "nowhere.xml").find("cannot be read"), std::string::npos);
  EXPECT_NE(problem_of(good, "../meshes.xml").find("outside"), std::string::npos);
  EXPECT_NE(problem_of(good + good, "child/arm.xml").find("a second"), std::string::npos);
  EXPECT_NE(problem_of("<attach model='m' body='x' prefix='p'/>", "self.xml").find("within itself"),
            std::string::npos);
}

}  // namespace
}  // namespace tenpin::scene
