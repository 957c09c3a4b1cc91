#include "scene/read.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <variant>

#include "scene/scene_text.h"
#include "scene/write.h"
#include "shapes/convex_mesh.h"

namespace tenpin::scene {
namespace {

constexpr double kRounding = 1e-15;  // a few operations on numbers of order one

const Body& only_body(const Scene& scene) {
  return scene.bodies.at(0);
}

TEST(Read, AnEmptySceneHasTheDefaults) {
  const Scene scene = parse(scene_text(""));
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(scene.seed, 0u);
  EXPECT_TRUE(scene.bodies.empty());
  ASSERT_EQ(scene.materials.size(), 1u);
  EXPECT_EQ(scene.materials[0].friction.along, 0.5);
  EXPECT_EQ(scene.materials[0].restitution, 0.0);
  EXPECT_EQ(name_of(scene.method), "time-stepping");
  EXPECT_EQ(std::get<TimeSteppingOptions>(scene.method).step, 1.0 / 240.0);
  EXPECT_EQ(scene.until, 1.0);
}

TEST(Read, JsonIsAScene) {
  const Scene scene = parse(R"({"tenpin": 1, "bodies": [{"name": "a", "mass": 1, "shapes": )"
                            R"([{"sphere": {"radius": 1}}]}], "until": 2})");
  EXPECT_EQ(only_body(scene).name, "a");
  EXPECT_EQ(scene.until, 2.0);
}

TEST(Read, MaterialsPairsAndReferences) {
  const Scene scene = parse(scene_text(
      "materials: {default: {friction: 0.7}, ice: {friction: {along: 0.1, across: 0.2, axis: [3, "
      "0, 0], "
      "static: 0.3, stribeck_speed: 0.01, torsion: 0.5, viscous: 2}, restitution: 0.9}}\n"
      "pairs: [{between: [ice, default], friction: 0.05, restitution: 1}]\n"
      "bodies: [{name: a, fixed: true, material: ice}, {name: b, fixed: true}]\n"));
  ASSERT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.materials[0].friction.across, 0.7);
  const Friction& ice = scene.materials[1].friction;
  EXPECT_EQ(ice.axis, Vec3(1, 0, 0));
  EXPECT_EQ(ice.stat, 0.3);
  EXPECT_EQ(ice.torsion, 0.5);
  EXPECT_EQ(scene.pairs.at(0).first, 1);
  EXPECT_EQ(scene.pairs.at(0).second, 0);
  EXPECT_EQ(scene.bodies[0].material, 1);
  EXPECT_EQ(scene.bodies[1].material, 0);
}

TEST(Read, BadMaterialsDoNotBlameTheirUsers) {
  EXPECT_EQ(problems_of(ball_text("material: ice", "materials: {ice: {friction: -1}}\n")),
            "scene.yaml:2:29: materials.ice.friction: out of range, got -1, "
            "want a number >= 0, <= 1000\n");
}

TEST(Read, MassAloneGivesTheInertiaOfUniformDensity) {
  const Body body = only_body(parse(ball_text("")));
  EXPECT_EQ(body.mass, 1.0);
  EXPECT_NEAR(body.inertia(0, 0), 0.4 * 0.01, kRounding);
  EXPECT_NEAR(body.inertia(0, 1), 0.0, kRounding);
  EXPECT_EQ(body.center, Vec3::Zero());
}

TEST(Read, DensityGivesMassCentreAndInertia) {
  const Body body =
      only_body(parse(scene_text("bodies: [{name: a, density: 2, shapes: [{box: {size: [1, 2, 3]}, "
                                 "position: [0, 0, 1]}]}]\n")));
  EXPECT_NEAR(body.mass, 12.0, 12 * kRounding);
  EXPECT_NEAR((body.center - Vec3(0, 0, 1)).norm(), 0.0, kRounding);
  EXPECT_NEAR(body.inertia(0, 0), 12.0 * (4 + 9) / 12.0, 100 * kRounding);
}

TEST(Read, GivenInertiaIsTakenAsItIs) {
  const Body body =
      only_body(parse(ball_text("inertia: [[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]], "
                                "center_of_mass: [0, 0.01, 0]")));
  EXPECT_EQ(body.inertia(0, 1), 0.1);
  EXPECT_EQ(body.center.y(), 0.01);
}

TEST(Read, APlanarBodyMayGiveOneMoment) {
  const Body body =
      only_body(parse(ball_text("joint: {planar: {x: [1, 0, 0], y: [0, 0, 2]}}, inertia: 0.002, "
                                "velocity: [1, 0, 2], angular_velocity: [0, -4, 0]")));
  EXPECT_EQ(body.joint, JointKind::kPlanar);
  EXPECT_EQ(body.planar.y, Vec3(0, 0, 1));
  EXPECT_EQ(body.inertia, Mat3(Vec3::Constant(0.002).asDiagonal()));
}

TEST(Read, ABodyWithoutShapesNeedsMassAndInertia) {
  const Body body =
      only_body(parse(scene_text("bodies: [{name: a, mass: 2, inertia: [1, 1, 1]}]\n")));
  EXPECT_EQ(body.mass, 2.0);
  EXPECT_TRUE(body.parts.empty());
}

TEST(Read, OrientationsAgree) {
  const Quat by_degrees =
      only_body(parse(ball_text("orientation: {axis: [0, 0, 5], degrees: 90}"))).orientation;
  const Quat by_radians =
      only_body(parse(ball_text("orientation: {axis: [0, 0, 1], radians: 1.5707963267948966}")))
          .orientation;
  const Quat by_matrix =
      only_body(parse(ball_text("orientation: {matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}")))
          .orientation;
  const Quat by_numbers =
      only_body(parse(ball_text("orientation: [0.7071068, 0, 0, 0.7071068]"))).orientation;
  for (const Quat& q : {by_degrees, by_radians, by_matrix, by_numbers}) {
    EXPECT_NEAR(q.norm(), 1.0, kRounding);
    EXPECT_NEAR(q.z(), std::sqrt(0.5), kRounding);
    EXPECT_NEAR(q.w(), std::sqrt(0.5), kRounding);
  }
}

TEST(Read, RodsLieAlongTheirAxis) {
  for (const auto& [word, axis] : {std::pair("x", Vec3(1, 0, 0)), std::pair("y", Vec3(0, 1, 0)),
                                   std::pair("z", Vec3(0, 0, 1))}) {
    const Body body = only_body(parse(scene_text(
        "bodies: [{name: a, mass: 1, shapes: [{capsule: {radius: 0.1, length: 2, axis: " +
        std::string(word) + "}}]}]\n")));
    const shapes::PlacedShape& part = body.parts.at(0);
    EXPECT_EQ(part.X_BS.R * Vec3::UnitZ(), axis);
    EXPECT_EQ(part.X_BS.R.determinant(), 1.0);
    EXPECT_EQ(std::get<shapes::Capsule>(part.shape).half_length, 1.0);
  }
}

TEST(Read, PlanesFaceTheirNormal) {
  for (const char* normal : {"[0, 0, 1]", "[0, 0, -1]", "[1, 2, -2]", "[1e-9, 0, -1]"}) {
    const Body body =
        only_body(parse(scene_text("bodies: [{name: a, fixed: true, shapes: [{plane: {normal: " +
                                   std::string(normal) + ", offset: 3}}]}]\n")));
    const Pose& X_BS = body.parts.at(0).X_BS;
    EXPECT_NEAR((X_BS.R.transpose() * X_BS.R - Mat3::Identity()).norm(), 0.0, 4 * kRounding)
        << normal;
    EXPECT_NEAR(X_BS.R.determinant(), 1.0, 4 * kRounding);
    EXPECT_NEAR(X_BS.R.col(2).dot(X_BS.p), 3.0, 10 * kRounding) << normal;
  }
}

TEST(Read, PrescribedMotionAndForces) {
  const Scene scene =
      parse(scene_text("bodies:\n"
                       "  - {name: a, motion: {velocity: [1, 0, 0], amplitude: [0, 0, 1], "
                       "frequency: 2}, shapes: [{plane: {}}]}\n"
                       "  - {name: b, density: 1, shapes: [{sphere: {radius: 1}}], forces: "
                       "[{force: [1, 2, 3], drag: 4}, {viscous: 5}]}\n"));
  EXPECT_EQ(scene.bodies[0].joint, JointKind::kPrescribed);
  EXPECT_EQ(scene.bodies[0].motion.frequency, 2.0);
  EXPECT_EQ(scene.bodies[0].line, 3);
  EXPECT_EQ(scene.bodies[1].forces.at(0).drag, 4.0);
  EXPECT_EQ(scene.bodies[1].forces.at(1).viscous, 5.0);
}

TEST(Read, TimeSteppingOptions) {
  const auto options = std::get<TimeSteppingOptions>(
      parse(
          scene_text("method: {time-stepping: {step: 0.5, formulation: nonlinear, directions: 3, "
                     "direction_phase: 0.5, restitution: poisson, lever: printed, active_set: all, "
                     "projection: false, fixed_point: {iterations: 7, tolerance: 1e-5}, "
                     "tolerance: 1e-4}}\n"))
          .method);
  EXPECT_EQ(options.step, 0.5);
  EXPECT_EQ(options.formulation, TimeSteppingOptions::Formulation::kNonlinear);
  EXPECT_EQ(options.directions, 3);
  EXPECT_EQ(options.direction_phase, 0.5);
  EXPECT_EQ(options.restitution, TimeSteppingOptions::Restitution::kPoisson);
  EXPECT_EQ(options.lever, TimeSteppingOptions::Lever::kPrinted);
  EXPECT_EQ(options.active_set, TimeSteppingOptions::ActiveSet::kAll);
  EXPECT_FALSE(options.projection);
  EXPECT_EQ(options.fixed_point_iterations, 7);
  EXPECT_EQ(options.fixed_point_tolerance, 1e-5);
  EXPECT_EQ(options.tolerance, 1e-4);
}

TEST(Read, StepsAreLimitedUnlessForced) {
  const std::string text = scene_text("method: {time-stepping: {step: 1e-10}}\n");
  EXPECT_THROW(static_cast<void>(parse(text)), LimitError);
  EXPECT_EQ(parse_scene(text, "f", {}, {.max_steps = INT64_MAX}).until, 1.0);
}

TEST(Read, SizeIsLimited) {
  EXPECT_THROW(static_cast<void>(parse_scene(scene_text(""), "f", {}, {.max_bytes = 5})),
               LimitError);
}

TEST(Read, ManyProblemsAreCountedNotPrinted) {
  std::string text = "tenpin: 1\n";
  for (int i = 0; i < 30; ++i) {
    text += "key" + std::to_string(i) + ": 1\n";
  }
  const std::string printed = problems_of(text + "until: 1\n");
  EXPECT_EQ(std::count(printed.begin(), printed.end(), '\n'), 21);
  EXPECT_NE(printed.find("... and 10 more problems\n"), std::string::npos);
}

TEST(Read, AMillionProblemsEndTheReading) {
  std::string text = "tenpin: 1\nuntil: 1\nbodies:\n";
  for (int i = 0; i < 5000; ++i) {
    text += "  - x\n";
  }
  try {
    static_cast<void>(parse(text));
    FAIL();
  } catch (const SceneError& error) {
    EXPECT_EQ(error.problems().size(), 1000u);
  }
}

TEST(Read, MissingFilesAndFoldersAreProblems) {
  for (const std::string file : {"/nonexistent/scene.yaml", "/tmp", "/dev/null", "/dev/zero"}) {
    EXPECT_THROW(static_cast<void>(read_scene(file)), SceneError) << file;
  }
}

}  // namespace
}  // namespace tenpin::scene
