// What MJCF elements become, by exact values; masses, joints and geoms in general are compared with
// MuJoCo itself in mujoco_oracle_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "scene/import/import.h"
#include "scene/import/read_any.h"
#include "scene/write.h"

namespace tenpin::scene {
namespace {

std::string model_file(const std::string& name) {
  return TENPIN_SOURCE_DIR "/tests/scene/import/models/" + name;
}

Scene from(const std::string& text) {
  return import_text("<mujoco>" + text + "</mujoco>", model_file("inline.xml"));
}

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

void expect_near(const Vec3& a, const Vec3& b) {
  EXPECT_LT((a - b).norm(), 1e-15) << a.transpose() << " is not " << b.transpose();
}

TEST(Mjcf, AModelRunsWithItsOwnStepForTenSeconds) {
  const Scene scene = from("<option timestep='0.01' gravity='0 0 -1'/>");
  EXPECT_EQ(name_of(scene.method), "time-stepping");
  EXPECT_EQ(std::get<TimeSteppingOptions>(scene.method).step, 0.01);
  EXPECT_EQ(scene.until, 10.0);
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -1));
  EXPECT_EQ(std::get<TimeSteppingOptions>(from("").method).step, 0.002);
}

TEST(Mjcf, SeveralJointsAreAChainOfMasslessBodies) {
  const Scene scene = import_model(model_file("joints.xml"));
  const int first = index_of(scene, "base~1");
  EXPECT_EQ(scene.bodies[static_cast<std::size_t>(first)].mass, 0.0);
  EXPECT_EQ(body(scene, "base~2").parent, first);
  EXPECT_EQ(body(scene, "base").parent, first + 1);
  EXPECT_EQ(body(scene, "base~1").position, Vec3(0, 0, 2));
  EXPECT_EQ(body(scene, "base").position, Vec3(0, 0, 0));
  EXPECT_EQ(body(scene, "base~1").properties.lower, -1.25);  // ref = 0.25
  EXPECT_EQ(body(scene, "base~1").properties.at, 0.25);
  EXPECT_GT(body(scene, "base").mass, 0.0);
}

TEST(Mjcf, WhatIsFixedToAMovingBodyIsPartOfIt) {
  const Scene scene = import_model(model_file("joints.xml"));
  EXPECT_EQ(body(scene, "arm").parts.size(), 2u);
  EXPECT_EQ(body(scene, "finger~1").parent, index_of(scene, "arm"));
  EXPECT_EQ(body(scene, "post").joint, JointKind::kFixed);
  EXPECT_EQ(body(scene, "flag").parent, index_of(scene, "post"));
  EXPECT_NE(std::find(scene.notes.begin(), scene.notes.end(),
                      model_file("joints.xml") +
                          ": fixed to a moving link, and so part of it: fixed tool of arm"),
            scene.notes.end());
}

TEST(Mjcf, ParentsAndWorldTouchAsInMujoco) {
  const Scene scene = import_model(model_file("contacts.xml"));
  EXPECT_TRUE(body(scene, "first").touches_parent);  // the base does not move
  EXPECT_FALSE(body(scene, "second~1").touches_parent);
  EXPECT_FALSE(body(scene, "third").touches_parent);
  const auto never = [&](const std::string& a, const std::string& b) {
    return std::count_if(scene.never_touch.begin(), scene.never_touch.end(), [&](BodyPair pair) {
      return pair.body_a == index_of(scene, a) && pair.body_b == index_of(scene, b);
    });
  };
  ASSERT_EQ(scene.never_touch.size(), 3u);
  EXPECT_EQ(never("first", "second"), 1);  // its parent, across the body in between
  EXPECT_EQ(never("first", "third"), 1);
  EXPECT_EQ(never("base", "other"), 1);
  ASSERT_EQ(scene.always_touch.size(), 2u);
  EXPECT_EQ(scene.always_touch[0].body_a, index_of(scene, "first"));
  EXPECT_EQ(scene.always_touch[0].body_b, index_of(scene, "second"));
  EXPECT_EQ(scene.always_touch[1].part_b, 0);
}

TEST(Mjcf, FrictionIsTheLargerOneUnlessPriorityOrPairSaysOtherwise) {
  const Scene scene = import_model(model_file("contacts.xml"));
  const auto material = [&](const std::string& name) {
    return body(scene, name).part_options.front().material;
  };
  const auto friction = [&](const std::string& a, const std::string& b) {
    const int i = std::min(material(a), material(b));
    const int j = std::max(material(a), material(b));
    for (const MaterialPair& pair : scene.pairs) {
      if (pair.first == i && pair.second == j) return pair.friction;
    }
    const auto own = [&](int m) {
      return scene.materials[static_cast<std::size_t>(m)].friction.along;
    };
    return std::sqrt(own(i) * own(j));
  };
  EXPECT_EQ(friction("ground", "base"), 1.0);
  EXPECT_EQ(friction("ground", "first"), 0.9);
  EXPECT_EQ(friction("ground", "second"), 1.0);  // condim 1 with condim 3
  EXPECT_EQ(friction("base", "third"), 0.2);     // priority
  EXPECT_EQ(friction("first", "other"), 0.05);   // pair
  EXPECT_EQ(scene.materials[static_cast<std::size_t>(material("second"))].friction.along, 0.0);
}

TEST(Mjcf, TorsionIsRelativeToSliding) {
  const Scene scene = from(
      "<worldbody><geom size='1' condim='4' friction='0.5 0.02'/>"
      "<geom size='1' condim='3' friction='0.5 0.02'/></worldbody>");
  EXPECT_EQ(scene.materials[0].friction.torsion, 0.04);
  EXPECT_EQ(scene.materials[1].friction.torsion, 0.0);
}

TEST(Mjcf, RollingFrictionNeedsItsDimension) {
  const Scene scene = from(
      "<worldbody><geom size='1' condim='6' friction='0.5 0.02 0.001'/>"
      "<geom size='1' condim='6' friction='0.5'/>"
      "<geom size='1' condim='4' friction='0.5 0.02 0.001'/></worldbody>");
  EXPECT_EQ(scene.materials[0].friction.rolling, 0.001);
  EXPECT_EQ(scene.materials[1].friction.rolling, 0.0001);  // MuJoCo's default
  EXPECT_EQ(scene.materials[2].friction.rolling, 0.0);
  for (const std::string& note : scene.notes) {
    EXPECT_EQ(note.find("rolling"), std::string::npos) << note;
  }
}

// Two fingers whose lengths 2 ja + jb and jc are tied: lengths count from the reference.
TEST(Mjcf, EqualitiesOfTendonsAreCouplings) {
  const auto with = [](const std::string& equality) {
    return from(
        "<worldbody><body name='a'><joint name='ja' axis='0 1 0' ref='20'/><geom size='1'/></body>"
        "<body name='b'><joint name='jb' axis='0 1 0'/><geom size='1'/></body>"
        "<body name='c'><joint name='jc' axis='0 1 0'/><geom size='1'/></body></worldbody>"
        "<tendon><fixed name='s'><joint joint='ja' coef='2'/><joint joint='jb' coef='1'/></fixed>"
        "<fixed name='t'><joint joint='jc' coef='0.5'/></fixed>"
        "<fixed name='u'><joint joint='ja' coef='4'/></fixed>"
        "<spatial name='v'><site site='x'/></spatial></tendon><equality>" +
        equality + "</equality>");
  };
  const auto loop = [&](const std::string& equality) {
    const Scene scene = with(equality);
    return scene.loops.size() == 1 ? scene.loops[0] : Loop();
  };
  using Polynomial = std::array<double, 5>;
  // 2 ja + jb = 0.3
  const Loop both = loop("<tendon tendon1='s' polycoef='0.3'/>");
  EXPECT_EQ(both.kind, Loop::Kind::kCoupling);
  EXPECT_EQ(both.polynomial, (Polynomial{0.15, -0.5, 0, 0, 0}));
  // 4 ja = 0.1 + 3 (jc / 2) + (jc / 2)^2
  const Loop bent = loop("<tendon tendon1='u' tendon2='t' polycoef='0.1 3 1 0 0'/>");
  EXPECT_EQ(bent.polynomial, (Polynomial{0.1 / 4, 1.5 / 4, 0.25 / 4, 0, 0}));
  EXPECT_EQ(bent.body_b, index_of(with(""), "c"));
  // 2 ja + jb = 4 ja, so that ja = jb / 2
  EXPECT_EQ(loop("<tendon tendon1='s' tendon2='u'/>").polynomial, (Polynomial{0, 0.5, 0, 0, 0}));
  EXPECT_EQ(loop("<tendon tendon1='t' polycoef='0.2'/>").body_b, kWorld);
  EXPECT_EQ(loop("<tendon tendon1='t' polycoef='0.2'/>").polynomial, (Polynomial{0.4, 0, 0, 0, 0}));
  const auto has_note = [&](const std::string& equality, const std::string& text) {
    const Scene scene = with(equality);
    EXPECT_TRUE(scene.loops.empty());
    return std::any_of(scene.notes.begin(), scene.notes.end(), [&](const std::string& note) {
      return note.find(text) != std::string::npos;
    });
  };
  EXPECT_TRUE(has_note("<tendon tendon1='s' tendon2='t'/>", "no relation of one joint to another"));
  EXPECT_TRUE(has_note("<tendon tendon1='v'/>", "only fixed tendons"));
  EXPECT_TRUE(has_note("<flex flex='cloth'/>", "flex> not used"));
}

TEST(Mjcf, EqualitiesAreLoops) {
  const Scene scene = import_model(model_file("equality.xml"));
  ASSERT_EQ(scene.loops.size(), 6u);
  const int a = index_of(scene, "a"), b = index_of(scene, "b"), c = index_of(scene, "c");
  const std::vector<Loop>& loops = scene.loops;
  EXPECT_EQ(loops[0].name, "pin");
  EXPECT_EQ(loops[0].kind, Loop::Kind::kBall);
  EXPECT_EQ(loops[0].body_a, b);
  EXPECT_EQ(loops[0].body_b, a);  // its tip is part of it
  expect_near(loops[0].anchor_a, {0.5, 0, 0});
  expect_near(loops[0].anchor_b, {1, 0.5, 0});
  EXPECT_EQ(loops[1].body_b, kWorld);
  expect_near(loops[1].anchor_b, {0, 0, 1.9});
  EXPECT_EQ(loops[2].kind, Loop::Kind::kWeld);
  EXPECT_EQ(loops[2].body_a, c);
  expect_near(loops[2].anchor_a, {0, 1, -2});
  EXPECT_NEAR(loops[2].orientation->w(), 1.0, 1e-15);
  expect_near(loops[3].anchor_a, {0.1, 0.2, 0.3});
  EXPECT_NEAR(loops[3].orientation->z(), std::sqrt(0.5), 1e-15);
  EXPECT_EQ(loops[4].kind, Loop::Kind::kCoupling);
  EXPECT_EQ(loops[4].body_a, a);
  EXPECT_EQ(loops[4].body_b, b);
  EXPECT_EQ(loops[4].polynomial, (std::array<double, 5>{0.1, -2.0, 0.0, 0.5, 0.0}));
  EXPECT_EQ(loops[5].body_b, kWorld);
  EXPECT_EQ(loops[5].polynomial, (std::array<double, 5>{0.3, 0.0, 0.0, 0.0, 0.0}));
}

TEST(Mjcf, EqualitiesOfSitesUseTheirPlaces) {
  const Scene scene = from(
      "<worldbody><site name='s' pos='1 2 3'/><body name='b'><freejoint/><geom size='1'/>"
      "<site name='t' pos='0 0 1' euler='0 0 90'/></body></worldbody>"
      "<equality><connect site1='s' site2='t'/><weld site1='t' site2='s'/></equality>");
  ASSERT_EQ(scene.loops.size(), 2u);
  expect_near(scene.loops[0].anchor_a, {1, 2, 3});
  expect_near(scene.loops[0].anchor_b, {0, 0, 1});
  EXPECT_NEAR(scene.loops[1].orientation->z(), std::sqrt(0.5), 1e-15);
}

TEST(Mjcf, FramesAndReplicasPlaceWhatIsInThem) {
  const Scene scene = from(
      "<worldbody><frame pos='1 0 0' euler='0 0 90'>"
      "<body name='b' pos='1 0 0'><freejoint/><geom size='1' pos='1 0 0'/></body></frame>"
      "<replicate count='3' offset='0 0 2'><body name='r' pos='5 0 0'><freejoint/><geom size='1'/>"
      "</body></replicate></worldbody>");
  expect_near(body(scene, "b").position, {1, 1, 0});
  expect_near(body(scene, "b").parts[0].X_BS.p, {1, 0, 0});
  expect_near(body(scene, "r0").position, {5, 0, 0});
  expect_near(body(scene, "r2").position, {5, 0, 4});
}

TEST(Mjcf, MeshesAreReferencesWhereASceneCanNameThem) {
  const Scene scene = import_model(model_file("meshes.xml"));
  const Body& b = body(scene, "b");
  ASSERT_EQ(b.parts.size(), 5u);
  EXPECT_EQ(b.part_files[0].path, "parts/wedge.obj");
  EXPECT_EQ(b.part_files[1].scale, 2.0);
  EXPECT_EQ(b.part_files[2].path, "");
  // Volumes 1/2, 8/2, 1.5/2, 6/2 and 1/6 at 1000 kg/m^3.
  EXPECT_NEAR(b.mass, 1000.0 * (0.5 + 4.0 + 0.75 + 3.0 + 1.0 / 6.0), 1e-9);
}

TEST(Mjcf, WeightIsLiftedByGravcomp) {
  const Scene scene = from(
      "<worldbody><body name='b' gravcomp='0.5'><freejoint/><geom size='1' mass='2'/></body>"
      "</worldbody>");
  ASSERT_EQ(body(scene, "b").forces.size(), 1u);
  EXPECT_EQ(body(scene, "b").forces[0].force, Vec3(0, 0, 9.81));
}

TEST(Mjcf, FlagsSwitchPartsOfThePhysicsOff) {
  const std::string rest =
      "<worldbody><geom size='1'/><body name='b'><joint name='j' range='-1 1' frictionloss='1' "
      "damping='1'/><geom size='1'/></body></worldbody><actuator><motor joint='j'/></actuator>";
  const Scene scene = from(
      "<option><flag contact='disable' gravity='disable' limit='disable' passive='disable' "
      "frictionloss='disable'/></option>" +
      rest);
  EXPECT_EQ(scene.gravity, Vec3(0, 0, 0));
  EXPECT_EQ(body(scene, "b").part_options[0].layer, 0u);
  EXPECT_EQ(body(scene, "b").properties.upper, kNoLimit);
  EXPECT_EQ(body(scene, "b").properties.damping, 0.0);
  EXPECT_EQ(body(scene, "b").properties.friction, 0.0);
  EXPECT_EQ(body(from(rest), "b").properties.friction, 1.0);
}

TEST(Mjcf, KeyframesAreChosenByName) {
  const std::string text =
      "<worldbody><body name='b'><joint/><geom size='1'/></body></worldbody>"
      "<keyframe><key name='x' qpos='0.5'/><key name='y' qpos='0.75'/></keyframe>";
  EXPECT_EQ(body(from(text), "b").properties.at, 0.5);
  const Scene other =
      import_text("<mujoco>" + text + "</mujoco>", model_file("i.xml"), {.keyframe = "y"});
  EXPECT_EQ(body(other, "b").properties.at, 0.75);
}

// Everything that is not used is listed, by name and line, alike things together.
TEST(Mjcf, WhatIsNotUsedIsListed) {
  const Scene scene = import_text(
      "<mujoco model='m'>\n"
      "<option integrator='RK4'/>\n"
      "<visual><map/><quality/></visual>\n"
      "<asset><texture name='t'/><mesh file='never-used.stl'/></asset>\n"
      "<worldbody>\n"
      "<light/>\n"
      "<geom name='g' size='1' solref='1 1' rgba='1 0 0 1'/>\n"
      "<geom name='h' size='1' solref='1 1'/>\n"
      "<site name='s'/>\n"
      "<geom name='i' size='1' solref='1 1' frction='3'/>\n"
      "<geom name='j' size='1'\n"
      " solref='1 1'/>\n"
      "</worldbody>\n"
      "<sensor><gyro site='s'/></sensor>\n"
      "</mujoco>\n",
      "m.xml");
  const std::vector<std::string> expected = {
      "m.xml:7: changes the motion: <geom solref> not used; also lines 8, 10, 12",
      "m.xml:10: changes the motion: <geom frction> not used",
      "m.xml: appearance only: 7 places not used: <light>, <mesh>, <option integrator>, <sensor>, "
      "<site>, <texture>, <visual>"};
  EXPECT_EQ(scene.notes, expected);
  EXPECT_EQ(scene.bodies[0].colour, "#ff0000");
}

TEST(Mjcf, ModelsStartWhereTheySayEvenIfTheyOverlap) {
  EXPECT_EQ(from("").start.overlaps, Start::Overlaps::kKeep);
}

TEST(Mjcf, UnusedDefaultClassesMoveNothing) {
  const Scene scene = from(
      "<default><default class='never'><joint damping='1'/></default></default>"
      "<worldbody><geom size='1'/></worldbody>");
  ASSERT_EQ(scene.notes.size(), 1u);
  EXPECT_NE(scene.notes[0].find("appearance only: 1 place not used: <joint>"), std::string::npos)
      << scene.notes[0];
}

TEST(Mjcf, IncludesAndMeshesAreFoundBesideTheFileThatNamesThem) {
  const Scene scene = import_model(model_file("nested-newer.xml"));
  EXPECT_EQ(body(scene, "inner").parent, index_of(scene, "outer"));
  EXPECT_EQ(body(scene, "outer").part_files[0].path, "parts/wedge.obj");
}

TEST(Mjcf, ExclusionsThatSayTheSameAreOne) {
  const Scene scene = from(
      "<worldbody><body name='a'><joint/><geom size='1'/><body name='t'><geom size='1'/></body>"
      "</body><body name='b'><joint/><geom size='1'/></body></worldbody><contact>"
      "<exclude body1='a' body2='b'/><exclude body1='b' body2='a'/><exclude body1='t' body2='b'/>"
      "</contact>");
  EXPECT_EQ(scene.never_touch.size(), 1u);
}

TEST(Mjcf, AnEmptyColourIsNone) {
  EXPECT_EQ(from("<worldbody><geom size='1' rgba=''/></worldbody>").bodies[0].colour, "");
}

TEST(Mjcf, MeshesWeighAsTheirInertiaSays) {
  const auto mass = [&](const std::string& inertia) {
    const std::string text =
        "<mujoco><compiler meshdir='parts'/><asset><mesh file='hook.obj' inertia='" + inertia +
        "'/></asset><worldbody><body name='b'><freejoint/><geom type='mesh' mesh='hook' "
        "density='1'/></body></worldbody></mujoco>";
    return body(import_text(text, model_file("i.xml")), "b").mass;
  };
  EXPECT_NEAR(mass("exact"), 4.0, 1e-14);
  EXPECT_NEAR(mass("convex"), 5.0, 1e-14);
  EXPECT_NEAR(mass("shell"), 2.0 * 4.0 + 10.0, 1e-13);
  // The four facets at the inner corner are seen from behind, from the surface's centre.
  EXPECT_GT(mass("legacy"), 4.0);
}

// A model runs as the scene that convert writes, and that reads back as the same.
TEST(Mjcf, ScenesReadBackAsWritten) {
  for (const std::string name : {"joints.xml", "contacts.xml", "equality.xml", "actuators.xml",
                                 "meshes.xml", "defaults.xml", "inertia.xml"}) {
    const Scene direct = import_model(model_file(name));
    const Scene scene = read_any(model_file(name));
    EXPECT_EQ(write_scene(direct), write_scene(scene)) << name;
    EXPECT_EQ(scene.notes, direct.notes);
    const Override change = {.path = "until", .value = "2.5"};
    EXPECT_EQ(read_any(model_file(name), {&change, 1}).until, 2.5);
  }
}

TEST(Mjcf, LongChainsNeedNoStack) {
  std::string text;
  constexpr int kLinks = 9000;
  for (int i = 0; i < kLinks; ++i) text += "<body pos='0 0 1'><joint/><geom size='.1'/>";
  for (int i = 0; i < kLinks; ++i) text += "</body>";
  EXPECT_EQ(from("<worldbody>" + text + "</worldbody>").bodies.size(), std::size_t{kLinks});
}

}  // namespace
}  // namespace tenpin::scene
