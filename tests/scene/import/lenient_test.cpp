// A lenient reading of a URDF file repairs what ROS's or Bullet's readers accept, and a note with
// the line tells each repair. A strict reading refuses the same text.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <string>
#include <variant>

#include "math/trig.h"
#include "scene/import/import.h"
#include "shapes/convex_mesh.h"

namespace tenpin::scene {
namespace {

const std::string kFile = TENPIN_SOURCE_DIR "/tests/scene/import/models/lenient/r.urdf";

// A fixed root `a` and a link `b` of 2 kg, with more in the link and joint.
std::string robot(const std::string& joint, const std::string& in_link = "",
                  const std::string& moments = "ixx='1' iyy='1' izz='1'") {
  return "<robot name='r'><link name='a'/>\n<link name='b'>\n<inertial><mass value='2'/><inertia " +
         moments + "/></inertial>" + in_link + "</link>\n" + joint + "</robot>";
}
std::string joint(const std::string& type, const std::string& inside) {
  return "<joint name='j' type='" + type + "'><parent link='a'/><child link='b'/>\n" + inside +
         "</joint>";
}

bool is_refused(const std::string& text) {
  try {
    static_cast<void>(import_text(text, kFile));
    return false;
  } catch (const SceneError&) {
    return true;
  }
}

// Reads leniently what a strict reading refuses, and expects a note with that line and words.
Scene repaired(const std::string& text, int line, const std::string& words) {
  EXPECT_TRUE(is_refused(text)) << text;
  Scene scene = import_text(text, kFile, {.lenient = true});
  const std::string place = "r.urdf:" + std::to_string(line) + ": ";
  EXPECT_TRUE(std::any_of(scene.notes.begin(), scene.notes.end(),
                          [&](const std::string& note) {
                            return note.find(place) != std::string::npos &&
                                   note.find(words) != std::string::npos;
                          }))
      << words << " in\n"
      << testing::PrintToString(scene.notes);
  return scene;
}

const JointProperties& properties(const Scene& scene) {
  return scene.bodies.back().properties;
}

TEST(Lenient, LimitsThatAreNoRangeAreNone) {
  for (const std::string type : {"revolute", "prismatic"}) {
    const Scene scene = repaired(robot(joint(type, "<limit lower='1' upper='-1'/>")), 5,
                                 "not a range, got 1 to -1");
    EXPECT_EQ(properties(scene).lower, -kNoLimit);
    EXPECT_EQ(properties(scene).upper, kNoLimit);
  }
  EXPECT_EQ(properties(repaired(robot(joint("revolute", "")), 4, "<joint limit> missing")).upper,
            kNoLimit);
}

TEST(Lenient, ALimitWithoutEndsIsNone) {
  const std::string text = robot(joint("revolute", "<limit effort='1'/>"));
  const Scene strict = import_text(text, kFile);
  EXPECT_TRUE(strict.bodies.empty()) << "both ends are 0, and the joint is fixed";
  EXPECT_EQ(import_text(text, kFile, {.lenient = true}).bodies.back().joint, JointKind::kHinge);
}

TEST(Lenient, NumbersAreReadAsOthersDo) {
  const auto place = [&](const std::string& xyz, const std::string& words) {
    return repaired(robot(joint("continuous", "<origin xyz='" + xyz + "'/>")), 5, words)
        .bodies.back()
        .position;
  };
  EXPECT_EQ(place("0.07, -2, 3.5", "is read as 0.07 -2 3.5"), Vec3(0.07, -2, 3.5));
  EXPECT_EQ(place("1.5. 2 3", "is read as 1.5 2 3"), Vec3(1.5, 2, 3));
  EXPECT_EQ(place("1 2 3 4 5", "without its last 2 numbers"), Vec3(1, 2, 3));
  EXPECT_EQ(place("$(optenv PLACE 0.1 0.2 0.3)", "is read as 0.1 0.2 0.3"), Vec3(0.1, 0.2, 0.3));
  EXPECT_EQ(place("$(arg place)", "cannot be resolved"), Vec3(0, 0, 0));
}

TEST(Lenient, WordsAreNotNumbersEvenSo) {
  EXPECT_THROW(static_cast<void>(import_text(robot(joint("continuous", "<origin xyz='1 two 3'/>")),
                                             kFile, {.lenient = true})),
               SceneError);
  EXPECT_THROW(static_cast<void>(import_text(robot(joint("continuous", "<origin xyz='1 2'/>")),
                                             kFile, {.lenient = true})),
               SceneError);
}

TEST(Lenient, AnInertiaThatNoBodyHasBecomesRound) {
  const Scene scene = repaired(
      robot(joint("continuous", ""), "", "ixx='1' iyy='1' izz='4'"), 3,
      "belongs to no rigid body, got principal moments 1, 1, 4 kg m^2: their mean is used");
  EXPECT_LT((scene.bodies.back().inertia - 2.0 * Mat3::Identity()).norm(), 1e-14);
}

TEST(Lenient, AnInertiaThatIsNotPositiveIsThatOfTheShapes) {
  const std::string ball = "<collision><geometry><sphere radius='0.5'/></geometry></collision>";
  for (const std::string moments : {"ixx='0' iyy='0' izz='0'", "ixx='-1' iyy='1' izz='1'"}) {
    const Scene scene = repaired(robot(joint("continuous", ""), ball, moments), 3,
                                 "that of its collision shapes is used");
    EXPECT_LT((scene.bodies.back().inertia - 0.4 * 2.0 * 0.25 * Mat3::Identity()).norm(), 1e-15);
  }
  const Scene bare =
      repaired(robot(joint("continuous", ""), "", "ixx='0' iyy='0' izz='0'"), 3, "ball of water");
  const double radius = std::cbrt(2.0 / 1000.0 * 3.0 / (4.0 * kPi));
  EXPECT_NEAR(bare.bodies.back().inertia(1, 1), 0.4 * 2.0 * radius * radius, 1e-15);
}

TEST(Lenient, LinksThatMoveWithoutMassAreFixedToTheirParents) {
  const std::string tip =
      "<link name='c'><collision><geometry><sphere radius='1'/></geometry></collision></link>\n"
      "<joint name='k' type='continuous'><parent link='b'/><child link='c'/></joint>";
  const Scene scene =
      repaired(robot(joint("continuous", "") + tip), 5, "link c moves without mass: fixed");
  ASSERT_EQ(scene.bodies.size(), 1u);
  EXPECT_EQ(scene.bodies[0].parts.size(), 1u);
  EXPECT_EQ(scene.bodies[0].mass, 2.0);
}

TEST(Lenient, SphericalJointsAreBalls) {
  const Scene scene = repaired(robot(joint("spherical", "<dynamics damping='0.5'/>")), 4,
                               "spherical is read as a ball joint");
  EXPECT_EQ(scene.bodies.back().joint, JointKind::kBall);
  EXPECT_EQ(properties(scene).damping, 0.5);
}

std::string ground(const std::string& geometry) {
  return "<robot name='r'><link name='g'><collision><origin rpy='0 0 0.3'/>\n<geometry>" +
         geometry + "</geometry></collision></link></robot>";
}

TEST(Lenient, PlanesOfBulletArePlanes) {
  const std::string text = ground("<plane normal='0 3 4'/>");
  EXPECT_TRUE(is_refused(text));
  const Scene scene = import_text(text, kFile, {.lenient = true});
  ASSERT_EQ(scene.bodies.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<shapes::Plane>(scene.bodies[0].parts[0].shape));
  const Vec3 normal = scene.bodies[0].parts[0].X_BS.R.col(2);
  const Vec3 expected = Vec3(-0.6 * std::sin(0.3), 0.6 * std::cos(0.3), 0.8);
  EXPECT_LT((normal - expected).norm(), 1e-15) << normal.transpose();
  const std::string moving =
      robot(joint("continuous", ""), "<collision><geometry><plane/></geometry></collision>");
  EXPECT_THROW(static_cast<void>(import_text(moving, kFile, {.lenient = true})), SceneError);
}

TEST(Lenient, FlatMeshesArePlatesBehindTheirSurface) {
  const Scene scene = repaired(ground("<mesh filename='flat.obj' scale='5 5 1'/>"), 2,
                               "stands as a plate 0.01 m thick");
  const auto& mesh = *std::get<shapes::Polyhedron>(scene.bodies[0].parts[0].shape).mesh;
  double low = 1.0, high = -1.0;
  for (const Vec3& v : mesh.vertices) {
    low = std::min(low, v.z());
    high = std::max(high, v.z());
  }
  EXPECT_EQ(high, 0.0);
  EXPECT_NEAR(low, -0.01, 1e-15);
  EXPECT_EQ(scene.bodies[0].part_files[0].path, "") << "the file is flat";
}

TEST(Lenient, MeshesThatCannotBeReadAreLeftOut) {
  EXPECT_TRUE(repaired(ground("<mesh filename='nowhere.obj'/>"), 2, "the shape is left out")
                  .bodies.empty());
  EXPECT_TRUE(
      repaired(ground("<cdf filename='x'/>"), 2, "unknown shape, got <cdf>").bodies.empty());
  EXPECT_THROW(static_cast<void>(
                   import_text(ground("<mesh filename='/etc/passwd'/>"), kFile, {.lenient = true})),
               SceneError)
      << "nothing is read from outside";
}

TEST(Lenient, ZerosAfterTheEndAreSkipped) {
  repaired(robot(joint("continuous", "")) + "\n" + std::string(3, '\0') + "\n", 5,
           "zero bytes after the end");
}

TEST(Lenient, GoodModelsReadTheSame) {
  const std::string file = TENPIN_SOURCE_DIR "/tests/scene/import/models/arm.urdf";
  const Scene strict = import_model(file);
  const Scene lenient = import_model(file, {.lenient = true});
  EXPECT_EQ(strict.notes, lenient.notes);
  ASSERT_EQ(strict.bodies.size(), lenient.bodies.size());
  for (std::size_t i = 0; i < strict.bodies.size(); ++i) {
    EXPECT_EQ(strict.bodies[i].inertia, lenient.bodies[i].inertia);
    EXPECT_EQ(strict.bodies[i].properties.lower, lenient.bodies[i].properties.lower);
  }
}

// Any changed byte gives a scene or problems, never anything else.
TEST(Lenient, DamagedModelsNeverCrash) {
  const std::string file = TENPIN_SOURCE_DIR "/tests/scene/import/models/arm.urdf";
  std::ifstream stream(file);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 7)));
    try {
      static_cast<void>(import_text(damaged, file, {.lenient = true}));
    } catch (const SceneError&) {
    }
  }
}

}  // namespace
}  // namespace tenpin::scene
