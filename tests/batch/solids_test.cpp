// Cylinders and hulls: against the stepper, and by distances that follow from geometry alone.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "batch/both.h"
#include "batch/emulated_lanes.h"
#include "batch/shape_points.h"
#include "batch/step.h"

namespace tenpin::test {
namespace {

using batch::kRoom;
using batch::Model;
using batch::Stored;

std::string write_can(const std::string& motion) {
  return "  - {name: can, material: wood, mass: 2, " + motion +
         ", shapes: [{cylinder: {radius: 0.1, length: 0.3}}]}\n";
}

TEST(BatchSolids, StandingCylinderSlidesAlike) {
  const std::string bodies = kPlane + write_can("position: [0, 0, 0.15], velocity: [0.6, 0.2, 0]");
  EXPECT_LE(calc_distance(run_both(bodies, 10)), 1e-9);
  // Later the lowest point changes sides from step to step, and rounding decides when that begins;
  // the stepper does the same from a start that differs by 1e-7 rad/s.
  const Both both = run_both(bodies, 150);
  EXPECT_EQ(both.stored.most_contacts, 9U);  // the marks of the rim, and the lowest point
  const double speed = std::hypot(0.6, 0.2) - 0.3 * 9.81 * 0.15;
  EXPECT_NEAR(both.world.v.head<2>().norm(), speed, 1e-5);
  EXPECT_LE(both.world.q.segment<3>(4).norm(), 1e-5);  // it stands
  EXPECT_LE(both.world.v.tail<3>().norm(), 1e-3);
}

TEST(BatchSolids, CylinderRollsOnItsSideAlike) {
  const Both both = run_both(kPlane + write_can("position: [0, 0, 0.1], orientation: {axis: [0, 1, "
                                                "0], degrees: 90}, velocity: [0, 1, 0]"),
                             300);
  EXPECT_LE(calc_distance(both), 1e-9);
  EXPECT_EQ(both.stored.most_contacts, 2U);
  EXPECT_LE(std::abs(both.world.v[1] + both.world.v[3] * 0.1), 1e-9);  // it rolls
}

TEST(BatchSolids, TiltedCylinderFallsAlike) {
  const Both both = run_both(kPlane + write_can("position: [0, 0, 0.18], orientation: {axis: [1, "
                                                "0, 0], degrees: 30}, velocity: [0.2, 0, 0]"),
                             150);
  EXPECT_LE(calc_distance(both), 1e-8);
}

TEST(BatchSolids, BallMeetsACylinderAlike) {
  const Both both = run_both(
      "materials: {wood: {friction: 0.3, restitution: 0.5}}\n"
      "bodies:\n"
      "  - {name: post, fixed: true, material: wood, shapes: [{cylinder: {radius: 0.2, length: 1}, "
      "orientation: {axis: [0, 1, 0], degrees: 90}}]}\n"
      "  - {name: ball, material: wood, mass: 1, position: [0.1, 0.05, 0.4], "
      "shapes: [{sphere: {radius: 0.1}}]}\n",
      350);
  EXPECT_LE(calc_distance(both), 1e-10);
  EXPECT_LT(both.world.q[2], 0.4);
  EXPECT_GT(both.world.v[1], 0.1);  // down the side
}

// A ball against a loose cylinder, both in the air: momentum is exchanged as the stepper has it.
TEST(BatchSolids, BallPushesALooseCylinderAlike) {
  const Both both = run_both(
      "materials: {wood: {friction: 0.3, restitution: 0.5}}\n"
      "bodies:\n" +
          write_can("position: [0, 0, 0]") +
          "  - {name: ball, material: wood, mass: 1, position: [0.31, 0.02, 0.09], "
          "velocity: [-2, 0, 0], shapes: [{sphere: {radius: 0.1}}]}\n",
      200);
  EXPECT_LE(calc_distance(both), 1e-10);
  EXPECT_GT(both.world.v.segment<3>(3).norm(), 0.5);  // it turns
}

// Scenes in the test look for meshes in the working folder.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::string& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~WorkingFolder() { std::filesystem::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  std::filesystem::path before_;
};

// A pyramid on five corners.
class MeshFile {
 public:
  MeshFile() : folder_(testing::TempDir()) {
    std::ofstream("batch-solids-pyramid.obj")
        << "v 1 1 -0.5\nv -1 1 -0.5\nv -1 -1 -0.5\nv 1 -1 -0.5\nv 0 0 1.5\n"
           "f 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
  }
  [[nodiscard]] static std::string shape() {
    return "shapes: [{mesh: {file: batch-solids-pyramid.obj, scale: 0.1}}]";
  }

 private:
  WorkingFolder folder_;
};

TEST(BatchSolids, HullSlidesAlike) {
  const MeshFile mesh;
  const Both both = run_both(kPlane + ("  - {name: pyramid, material: wood, mass: 2, position: [0, "
                                       "0, 0.05], velocity: [0.6, 0.2, 0], " +
                                       mesh.shape() + "}\n"),
                             150);
  EXPECT_LE(calc_distance(both), 1e-9);
  EXPECT_EQ(both.stored.most_contacts, 4U);
}

TEST(BatchSolids, BallMeetsAHullAlike) {
  const MeshFile mesh;
  const Both both = run_both(
      "materials: {wood: {friction: 0.3, restitution: 0.5}}\n"
      "bodies:\n"
      "  - {name: rock, fixed: true, material: wood, position: [0, 0, 0], " +
          mesh.shape() +
          "}\n"
          "  - {name: ball, material: wood, mass: 1, position: [0.03, 0.02, 0.3], "
          "shapes: [{sphere: {radius: 0.05}}]}\n",
      250);
  EXPECT_LE(calc_distance(both), 1e-9);
  EXPECT_GT(std::hypot(both.world.v[0], both.world.v[1]), 0.1);
}

// The nearest point of a hull by walking over its facets, against a search over points of them.
TEST(BatchSolids, DistancesOfAHullAreTheLeast) {
  const MeshFile mesh;
  const TestScene setup(scene::parse_scene(
      std::string("tenpin: 1\nname: test\nbodies:\n  - {name: rock, fixed: true, ") + mesh.shape() +
          "}\n  - {name: ball, mass: 1, position: [0, 0, 5], shapes: [{sphere: {radius: "
          "0.05}}]}\n" +
          kMethod + "until: 1\n",
      "test.yaml"));
  const Model<double>& model = setup.batch.model;
  const batch::Part<double>& part = model.parts[model.fixed_parts[0]];
  ASSERT_EQ(part.num_facets, 6U);
  const auto solid = batch::place_solid(model, part, {{0, 0, 0}, {1, 0, 0, 0}, false});
  for (int i = 0; i < 200; ++i) {
    const batch::Vector<double> p = {0.4 * std::sin(1.0 * i), 0.4 * std::sin(1.7 * i + 1.0),
                                     0.4 * std::sin(2.3 * i + 2.0) - setup.batch.origin.z()};
    const batch::Vector<double> outside = batch::calc_outside(solid, p);
    const double distance = batch::norm(outside);
    double searched = std::numeric_limits<double>::infinity();
    bool is_inside = true;
    for (int f = 0; f < solid.num_facets; ++f) {
      const batch::Facet<double>& facet = solid.facets[f];
      is_inside = is_inside && dot(facet.normal, p) <= facet.offset;
      const auto a = solid.corners[facet.corners[0]], b = solid.corners[facet.corners[1]],
                 c = solid.corners[facet.corners[2]];
      constexpr int kGrid = 60;
      for (int u = 0; u <= kGrid; ++u) {
        for (int v = 0; u + v <= kGrid; ++v) {
          const auto x = a + ((1.0 * u / kGrid) * (b - a) + (1.0 * v / kGrid) * (c - a));
          searched = std::min(searched, norm(p - x));
        }
      }
    }
    if (is_inside) {
      EXPECT_EQ(distance, 0.0);
      continue;
    }
    EXPECT_LE(distance, searched + 1e-12);
    EXPECT_GE(distance, searched - 0.3 / 60);  // the grid's own distance
  }
}

// All kinds of tests with several lanes.
TEST(BatchSolids, EightLanesHaveTheBitsOfOne) {
  const MeshFile mesh;
  // Layers keep the cylinder and the mesh apart, which a batch would refuse.
  const std::string bodies =
      kPlane + std::string(
                   "  - {name: can, material: wood, mass: 2, position: [0, 0, 0.16], "
                   "orientation: {axis: [1, 0, 0], degrees: 3}, "
                   "shapes: [{cylinder: {radius: 0.1, length: 0.3}, layer: 4, touches: 1}]}\n"
                   "  - {name: rod, material: wood, mass: 1, position: [0, 0.03, 0.37], "
                   "orientation: {axis: [0, 1, 0], degrees: 88}, "
                   "shapes: [{capsule: {radius: 0.05, length: 0.3}}]}\n"
                   "  - {name: rock, material: wood, mass: 1, position: [1, 0, 0.06], "
                   "shapes: [{mesh: {file: batch-solids-pyramid.obj, scale: 0.1}, layer: 8, "
                   "touches: 1}]}\n"
                   "  - {name: ball, material: wood, mass: 1, position: [1.02, 0.01, 0.27], "
                   "shapes: [{sphere: {radius: 0.05}}]}\n");
  const TestScene setup(
      scene::parse_scene("tenpin: 1\nname: test\n" + bodies + kMethod + "until: 1\n", "test.yaml"));
  const std::vector<Model<double>> models = {batch::convert_model<double>(setup.batch.model)};
  std::vector one = {batch::make_world<double, kRoom>(setup.batch, setup.built.state)};
  Stored<double, kRoom> eight = one[0];
  constexpr int kSteps = 120;
  batch::run_on_cpu<double, kRoom>(std::span<const Model<double>>(models), kSteps, Workers(1), one);
  using LanedWorld = batch::World<double, EmulatedLanes<8>, 1, kRoom>;
  std::vector<double> reals(LanedWorld::kReals);
  std::vector<batch::Word> words(LanedWorld::kWords);
  Fibres fibres(8, true, [&](int) {
    const LanedWorld w = {reals.data(), words.data(), models.data(), {}};
    check_start(w, true, &eight);
    w.lanes.sync();
    run_world(w, true, kSteps, &eight);
  });
  fibres.run();
  EXPECT_EQ(one[0].flags, 0U) << batch::describe_flags(one[0].flags, one[0].steps);
  EXPECT_GE(one[0].most_contacts, 10U);
  EXPECT_EQ(calc_digest(eight), calc_digest(one[0]));
}

std::string refuse(const std::string& bodies) {
  try {
    const TestScene setup(scene::parse_scene(
        "tenpin: 1\nname: test\n" + bodies + kMethod + "until: 1\n", "test.yaml"));
  } catch (const scene::SceneError& error) {
    return print_problems(error.problems());
  }
  return "";
}

TEST(BatchSolids, FacesThatMeetAreRefused) {
  EXPECT_EQ(refuse("bodies:\n  - {name: table, fixed: true, shapes: [{box: {half: [1, 1, 0.1]}}]}\n"
                   "  - {name: can, mass: 1, position: [0, 0, 1], "
                   "shapes: [{cylinder: {radius: 0.1, length: 0.3}}]}\n"),
            "test.yaml:5:5: bodies.can: a batch cannot do boxes that meet cylinders (table and "
            "can), want spheres, capsules or a plane on one side\n");
  const WorkingFolder folder(TENPIN_SOURCE_DIR "/experiments/MC95/bowling");
  const std::string text = refuse(
      "bodies:\n  - {name: pin, mass: 1, position: [0, 0, 1], "
      "shapes: [{mesh: {file: pin-neck.obj}}]}\n");
  EXPECT_NE(text.find("vertices, more than 32"), std::string::npos) << text;
}

}  // namespace
}  // namespace tenpin::test
