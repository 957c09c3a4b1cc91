#include <gtest/gtest.h>
#include <urdf_parser/urdf_parser.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "math/trig.h"
#include "scene/import/import.h"
#include "scene/import/read_any.h"
#include "scene/import/world_poses.h"
#include "scene/write.h"

namespace tenpin::scene {
namespace {

namespace fs = std::filesystem;

std::string model_file(const std::string& name) {
  return TENPIN_SOURCE_DIR "/tests/scene/import/models/" + name;
}

const Body* find(const Scene& scene, const std::string& name) {
  for (const Body& body : scene.bodies) {
    if (body.name == name) return &body;
  }
  return nullptr;
}

TEST(Urdf, LinksAndJointsAreBodies) {
  const Scene scene = import_model(model_file("arm.urdf"));
  ASSERT_EQ(scene.bodies.size(), 5u);
  const Body& base = *find(scene, "base");
  EXPECT_EQ(base.joint, JointKind::kFixed);  // the root is called world
  EXPECT_EQ(base.position, Vec3(0, 0, 1));
  EXPECT_EQ(std::get<shapes::Box>(base.parts[0].shape).half, Vec3(0.2, 0.1, 0.1));
  const Body& upper = *find(scene, "upper");
  EXPECT_EQ(upper.joint, JointKind::kHinge);
  EXPECT_EQ(upper.parent, 0);
  EXPECT_FALSE(upper.touches_parent);
  EXPECT_EQ(upper.properties.axis, Vec3(0, 0, 1));
  EXPECT_EQ(upper.properties.lower, -1.0);
  EXPECT_EQ(upper.properties.upper, 2.0);
  EXPECT_EQ(upper.properties.damping, 0.5);
  EXPECT_EQ(upper.properties.friction, 0.1);
  // Flange and tool are fixed to it: 2 kg at (0.1, 0, 0), 0.5 kg at (0.4, 0.1, 0).
  EXPECT_EQ(upper.mass, 2.5);
  EXPECT_LT((upper.center - Vec3(0.16, 0.02, 0.0)).norm(), 1e-15);
  EXPECT_NEAR(upper.inertia(2, 2), 0.041 + 2.0 * 0.5 / 2.5 * (0.09 + 0.01), 1e-15);
  // Turned by a quarter: ixx and iyy change places, the product its sign.
  EXPECT_NEAR(upper.inertia(0, 0), 0.031 + 0.4 * 0.01, 1e-15);
  EXPECT_NEAR(upper.inertia(0, 1), -0.001 - 0.4 * 0.3 * 0.1, 1e-15);
  ASSERT_EQ(upper.parts.size(), 3u);
  EXPECT_EQ(std::get<shapes::Cylinder>(upper.parts[0].shape).half_length, 0.2);
  EXPECT_EQ(upper.part_files[2].path, "parts/wedge.obj");
  EXPECT_EQ(upper.part_files[2].scale, 0.1);
  EXPECT_EQ(find(scene, "wheel")->properties.upper, kNoLimit);
  EXPECT_EQ(find(scene, "wheel")->properties.axis, Vec3(1, 0, 0));
}

TEST(Urdf, MimicIsACoupling) {
  const Scene scene = import_model(model_file("arm.urdf"));
  ASSERT_EQ(scene.loops.size(), 1u);
  const Loop& loop = scene.loops[0];
  EXPECT_EQ(loop.kind, Loop::Kind::kCoupling);
  EXPECT_EQ(scene.bodies[static_cast<std::size_t>(loop.body_a)].name, "right");
  EXPECT_EQ(scene.bodies[static_cast<std::size_t>(loop.body_b)].name, "left");
  EXPECT_EQ(loop.polynomial, (std::array<double, 5>{0.01, -2.0, 0.0, 0.0, 0.0}));
}

TEST(Urdf, WhatIsNotUsedIsListed) {
  const Scene scene = import_model(model_file("arm.urdf"));
  std::string all;
  for (const std::string& note : scene.notes) all += note.substr(note.rfind('/') + 1) + "\n";
  EXPECT_EQ(all,
            "arm.urdf:27: changes the motion: <limit velocity> not used; also lines 31-32\n"
            "arm.urdf:36: changes the motion: <gazebo> not used, nor the element in it\n"
            "arm.urdf:4: root link world is fixed to the world (--base free lets it go)\n"
            "arm.urdf: fixed to a moving link, and so part of it: flange of upper, tool of upper\n"
            "arm.urdf: appearance only: 6 places not used: <limit effort> (3), "
            "<safety_controller>, <transmission>, <visual> mesh that cannot be read\n");
}

TEST(Urdf, LinksWithoutCollisionShapesShowTheirVisualOnes) {
  const std::string visual =
      "<visual><origin xyz='1 2 3'/><geometry><box size='2 4 6'/></geometry>"
      "<material name='paint'/></visual><visual><geometry><mesh filename='no.obj'/></geometry>"
      "</visual><visual><geometry><box/></geometry></visual>";
  const std::string ball = "<collision><geometry><sphere radius='1'/></geometry></collision>";
  const std::string head =
      "<robot name='r'><material name='paint'><color rgba='1 0.5 0 1'/></material><link name='a'>";
  const Scene seen = import_text(head + visual + "</link></robot>", model_file("r.urdf"));
  ASSERT_EQ(seen.bodies.size(), 1u);
  ASSERT_EQ(seen.bodies[0].parts.size(), 1u);
  EXPECT_EQ(std::get<shapes::Box>(seen.bodies[0].parts[0].shape).half, Vec3(1, 2, 3));
  EXPECT_EQ(seen.bodies[0].parts[0].X_BS.p, Vec3(1, 2, 3));
  EXPECT_EQ(seen.bodies[0].part_options[0].layer, 0u);
  EXPECT_EQ(seen.bodies[0].part_options[0].touches, 0u);
  EXPECT_EQ(seen.bodies[0].colour, "#ff8000");
  ASSERT_EQ(seen.notes.size(), 2u) << testing::PrintToString(seen.notes);
  EXPECT_NE(seen.notes[1].find("appearance only: 2 places"), std::string::npos);
  const Scene touched = import_text(head + visual + ball + "</link></robot>", model_file("r.urdf"));
  ASSERT_EQ(touched.bodies[0].parts.size(), 1u);
  EXPECT_EQ(touched.bodies[0].part_options[0].layer, 1u);
  EXPECT_EQ(touched.bodies[0].colour, "#ff8000");
  for (const Body& body : {seen.bodies[0], touched.bodies[0]}) {
    ASSERT_EQ(body.visuals.size(), 1u);
    EXPECT_EQ(std::get<shapes::Box>(body.visuals[0].placed.shape).half, Vec3(1, 2, 3));
    EXPECT_EQ(body.visuals[0].placed.X_BS.p, Vec3(1, 2, 3));
    EXPECT_EQ(body.visuals[0].colour, "#ff8000");
  }
}

TEST(Urdf, PlanarFloatingAndStuckJoints) {
  const Scene scene = import_model(model_file("puck.urdf"));
  ASSERT_EQ(scene.bodies.size(), 5u);  // table, two between, puck with bolt, drone
  const Body& puck = *find(scene, "puck");
  EXPECT_EQ(puck.joint, JointKind::kHinge);
  EXPECT_EQ(find(scene, "puck~1")->joint, JointKind::kSlider);
  EXPECT_EQ(find(scene, "puck~2")->joint, JointKind::kSlider);
  EXPECT_EQ(find(scene, "puck~1")->properties.axis.z(), 0.0);
  EXPECT_EQ(find(scene, "puck~1")->properties.axis.dot(find(scene, "puck~2")->properties.axis),
            0.0);
  EXPECT_EQ(puck.mass, 2.0);
  ASSERT_EQ(scene.never_touch.size(), 1u);  // it slides on the table by its joint
  const Body& drone = *find(scene, "drone");
  EXPECT_EQ(drone.joint, JointKind::kFree);
  EXPECT_EQ(drone.parent, kWorld);
  EXPECT_EQ(drone.position, Vec3(0, 0, 1.06));
  EXPECT_EQ(std::get<shapes::Capsule>(drone.parts[0].shape).half_length, 0.05);
}

TEST(Urdf, TheRootIsFixedOrFreeAsAsked) {
  const std::string text =
      "<robot name='r'><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
      "</inertial></link></robot>";
  EXPECT_EQ(import_text(text, "r.urdf").bodies[0].joint, JointKind::kFree);
  EXPECT_TRUE(import_text(text, "r.urdf", {.base = Base::kFixed}).bodies.empty());
  const Scene arm = import_model(model_file("puck.urdf"));
  EXPECT_EQ(arm.bodies[0].joint, JointKind::kFixed);  // no mass
}

TEST(Urdf, ScenesReadBackAsWritten) {
  for (const std::string name : {"arm.urdf", "puck.urdf"}) {
    EXPECT_EQ(write_scene(import_model(model_file(name))), write_scene(read_any(model_file(name))));
  }
}

// ---- against ROS's own parser
Pose to_pose(const urdf::Pose& p) {
  return {.R = to_matrix(Quat(p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z)),
          .p = {p.position.x, p.position.y, p.position.z}};
}

// urdfdom reads angles in doubles; its quaternions are good to rounding.
constexpr double kTolerance = 1e-12;

void compare_with_urdfdom(const std::string& file, const ImportOptions& options) {
  const auto theirs = urdf::parseURDFFile(file);
  ASSERT_NE(theirs, nullptr) << file;
  const Scene ours = import_model(file, options);
  const std::vector<Pose> poses = world_poses(ours);
  double mass = 0.0, our_mass = 0.0;
  int num_moving = 0;
  for (const auto& [name, link] : theirs->links_) {
    Pose X_WL;
    bool moves = ours.bodies.front().joint == JointKind::kFree;
    for (const urdf::Link* at = link.get(); at->parent_joint != nullptr;
         at = at->getParent().get()) {
      X_WL = to_pose(at->parent_joint->parent_to_joint_origin_transform) * X_WL;
      moves = moves || at->parent_joint->type != urdf::Joint::FIXED;
    }
    if (moves && link->inertial) mass += link->inertial->mass;
    const Body* body = find(ours, name);
    if (link->parent_joint == nullptr || link->parent_joint->type == urdf::Joint::FIXED) continue;
    ++num_moving;
    ASSERT_NE(body, nullptr) << file << " " << name;
    const Pose& pose = poses[static_cast<std::size_t>(body - ours.bodies.data())];
    EXPECT_LT((pose.p - X_WL.p).norm(), kTolerance) << file << " " << name;
    EXPECT_LT((pose.R - X_WL.R).norm(), kTolerance) << file << " " << name;
    const urdf::Joint& joint = *link->parent_joint;
    const Vec3 axis(joint.axis.x, joint.axis.y, joint.axis.z);
    EXPECT_LT((body->properties.axis - axis.normalized()).norm(), kTolerance) << file << name;
    if (joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::PRISMATIC) {
      EXPECT_EQ(body->properties.lower, joint.limits->lower) << file << " " << name;
      EXPECT_EQ(body->properties.upper, joint.limits->upper) << file << " " << name;
    }
    if (joint.dynamics) {
      EXPECT_EQ(body->properties.damping, joint.dynamics->damping);
      EXPECT_EQ(body->properties.friction, joint.dynamics->friction);
    }
  }
  for (const Body& body : ours.bodies) our_mass += body.mass;
  EXPECT_GT(num_moving, 0) << file;
  EXPECT_NEAR(our_mass, mass, kTolerance * mass) << file;
}

TEST(Urdf, AgreesWithUrdfdom) {
  compare_with_urdfdom(model_file("arm.urdf"), {});
}

TEST(Urdf, AgreesWithUrdfdomOnModelsOfOthers) {
  const std::string folder = "/usr/share/doc/dart/data/";
  if (!fs::exists(folder)) {
    FAIL() << "dart-doc is in packages.txt and not installed";
  }
  for (const std::string name : {"urdf/KR5/KR5 sixx R650.urdf", "urdf/drchubo/drchubo.urdf",
                                 "sdf/atlas/atlas_v3_no_head.urdf"}) {
    compare_with_urdfdom(folder + name, {});
  }
}

}  // namespace
}  // namespace tenpin::scene
