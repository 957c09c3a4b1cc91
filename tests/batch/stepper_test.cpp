// Worlds against the stepper, which shares no code with them but the law.
#include <gtest/gtest.h>

#include <cmath>

#include "batch/worlds.h"
#include "support/scene_run.h"

namespace tenpin::test {
namespace {

using batch::kRoom;
using batch::Model;
using batch::Stored;

constexpr const char* kMethod =
    "method: {time-stepping: {step: 0.001, order: 1, solver: cone, tolerance: 1.0e-12, "
    "contact: {compliance: 0.03}, restitution: newton}}\n";

struct Both {
  SceneRun stepper;
  dynamics::State world;  // at the end
  Stored<double, kRoom> stored;
};

Both run_both(const std::string& bodies, int steps) {
  const std::string yaml = "tenpin: 1\nname: test\n" + bodies + kMethod;
  Both both = {.stepper = SceneRun(yaml), .world = {}, .stored = {}};
  const TestScene setup(scene::parse_scene(yaml + "until: 1000\n", "test.yaml"));
  const std::vector<Model<double>> models = {batch::convert_model<double>(setup.batch.model)};
  std::vector worlds = {batch::make_world<double, kRoom>(setup.batch, setup.built.state)};
  batch::run_on_cpu<double, kRoom>(std::span<const Model<double>>(models), steps, Workers(1),
                                   worlds);
  both.stored = worlds[0];
  read_state(setup.batch, worlds[0], &both.world);
  EXPECT_EQ(both.stepper.run_until(steps * 1e-3), methods::AdvanceStatus::kReachedEnd);
  EXPECT_EQ(worlds[0].flags, 0U);
  EXPECT_EQ(worlds[0].steps, static_cast<batch::Word>(steps));
  // Works and the change of energy agree in every step, to rounding of the energy.
  EXPECT_LE(both.stored.worst_closure, 1e-12 * both.stepper.largest_energy);
  return both;
}

// A quaternion and its negative are the same rotation.
double calc_distance(const Both& both) {
  const dynamics::State& a = both.stepper.built.state;
  const dynamics::State& b = both.world;
  double distance = (a.v - b.v).lpNorm<Eigen::Infinity>();
  for (Eigen::Index i = 0; i < a.q.size(); i += 7) {
    const auto turn_a = a.q.segment<4>(i + 3), turn_b = b.q.segment<4>(i + 3);
    distance = std::max({distance, (a.q.segment<3>(i) - b.q.segment<3>(i)).norm(),
                         std::min((turn_a - turn_b).norm(), (turn_a + turn_b).norm())});
  }
  return distance;
}

constexpr const char* kPlane =
    "materials: {wood: {friction: 0.3, restitution: 0.5}}\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, material: wood, shapes: [{plane: {}}]}\n";

TEST(BatchStepper, BallSlidesAndRollsAlike) {
  const Both both = run_both(std::string(kPlane) +
                                 "  - {name: ball, material: wood, mass: 2, position: [0, 0, 0.1], "
                                 "velocity: [3, 1, 0], angular_velocity: [0, 0, 5], "
                                 "shapes: [{sphere: {radius: 0.1}}]}\n",
                             1000);
  EXPECT_LE(calc_distance(both), 1e-12 * 3.0);
  // It has come to roll: the point that touches stands still.
  const Vec3 v = both.world.v.head<3>(), w = both.world.v.tail<3>();
  EXPECT_LE((v + w.cross(Vec3(0, 0, -0.1))).head<2>().norm(), 1e-9);
  EXPECT_GT(v.norm(), 1.0);
}

TEST(BatchStepper, BallBouncesAlike) {
  const Both both = run_both(std::string(kPlane) +
                                 "  - {name: ball, material: wood, mass: 2, position: [0, 0, 0.3], "
                                 "velocity: [1, 0, 0], shapes: [{sphere: {radius: 0.1}}]}\n",
                             400);
  EXPECT_LE(calc_distance(both), 1e-11);
  EXPECT_GT(both.stored.work_friction, -1.0);
}

// Three different moments: the free flight of an asymmetric top.
TEST(BatchStepper, SpinningBoxFliesAlike) {
  const Both both = run_both(std::string(kPlane) +
                                 "  - {name: box, material: wood, mass: 2, position: [0, 0, 5], "
                                 "angular_velocity: [3, 4, 5], "
                                 "shapes: [{box: {half: [0.1, 0.2, 0.3]}}]}\n",
                             500);
  EXPECT_LE(calc_distance(both), 1e-11);
}

// Four corners on the floor: the forces are not unique, the motion is.
TEST(BatchStepper, BoxSlidesAlike) {
  const Both both = run_both(std::string(kPlane) +
                                 "  - {name: box, material: wood, mass: 2, position: [0, 0, 0.1], "
                                 "velocity: [1, 0.5, 0], "
                                 "shapes: [{box: {half: [0.1, 0.2, 0.1]}}]}\n",
                             200);
  EXPECT_LE(calc_distance(both), 1e-9);
}

TEST(BatchStepper, CapsuleLandsOnABoxAlike) {
  const Both both = run_both(
      "materials: {wood: {friction: 0.3, restitution: 0}}\n"
      "bodies:\n"
      "  - {name: table, fixed: true, material: wood, "
      "shapes: [{box: {half: [1, 1, 0.1]}, position: [0, 0, -0.1]}]}\n"
      "  - {name: rod, material: wood, mass: 1, position: [0.2, 0, 0.06], "
      "orientation: {axis: [0, 1, 0], degrees: 90}, "
      "shapes: [{capsule: {radius: 0.05, length: 0.3}}]}\n",
      150);
  EXPECT_LE(calc_distance(both), 1e-9);
}

TEST(BatchStepper, PinStands) {
  TestScene lane = make_lane();
  const std::vector<Model<double>> models = {batch::convert_model<double>(lane.batch.model)};
  dynamics::State state = lane.built.state;
  state.v.head<6>().setZero();  // the ball waits
  std::vector worlds = {batch::make_world<double, kRoom>(lane.batch, state)};
  batch::run_on_cpu<double, kRoom>(std::span<const Model<double>>(models), 500, Workers(1), worlds);
  dynamics::State end;
  read_state(lane.batch, worlds[0], &end);
  EXPECT_EQ(worlds[0].flags, 0U);
  EXPECT_LE((end.q - state.q).lpNorm<Eigen::Infinity>(), 2e-6);  // m  it sinks in by its compliance
  EXPECT_LE(end.v.lpNorm<Eigen::Infinity>(), 1e-5);
}

TEST(BatchStepper, SpentSweepsStopEveryWorld) {
  TestScene lane = make_lane();
  lane.batch.model.max_sweeps = 1;
  const std::vector<Model<double>> models = {batch::convert_model<double>(lane.batch.model)};
  auto worlds = make_throws<double>(lane, 4);
  batch::run_on_cpu<double, kRoom>(std::span<const Model<double>>(models), 5, Workers(1), worlds);
  for (const auto& world : worlds) {
    EXPECT_EQ(world.flags, batch::kNotCertified);
    EXPECT_EQ(world.steps, 0U);
  }
}

TEST(BatchStepper, OverlapAtTheStartIsFlagged) {
  const TestScene setup(std::string("tenpin: 1\nname: test\n") + kPlane +
                        "  - {name: ball, material: wood, mass: 2, position: [0, 0, 0.09], "
                        "shapes: [{sphere: {radius: 0.1}}]}\n" +
                        kMethod + "until: 1\n");
  const std::vector<Model<double>> models = {batch::convert_model<double>(setup.batch.model)};
  std::vector worlds = {batch::make_world<double, kRoom>(setup.batch, setup.built.state)};
  batch::run_on_cpu<double, kRoom>(std::span<const Model<double>>(models), 1, Workers(1), worlds);
  EXPECT_EQ(worlds[0].flags, batch::kStartsOverlapping);
}

std::string refusal(const std::string& yaml) {
  try {
    const TestScene setup(yaml);
  } catch (const scene::SceneError& error) {
    return print_problems(error.problems());
  }
  return "";
}

TEST(BatchScene, RefusesByNameAndPlace) {
  const std::string ball =
      "  - {name: ball, material: wood, mass: 2, position: [0, 0, 1], shapes: [{sphere: {radius: "
      "0.1}}]}\n";
  const std::string start = std::string("tenpin: 1\nname: test\n") + kPlane;
  EXPECT_EQ(refusal(start + ball + kMethod + "until: 1\n"), "");
  EXPECT_EQ(refusal(start + ball + "until: 1\n").substr(0, 12), "test.yaml: m");  // order 2
  EXPECT_EQ(refusal(start + ball +
                    "  - {name: can, material: wood, mass: 1, position: [1, 0, 1], shapes: "
                    "[{cylinder: {radius: 0.1, length: 0.2}}]}\n" +
                    kMethod + "until: 1\n"),
            "test.yaml:7:5: bodies.can: a batch cannot do cylinders, want spheres, capsules and "
            "sharp boxes\n");
  EXPECT_EQ(refusal(start +
                    "  - {name: door, material: wood, mass: 1, position: [1, 0, 1], joint: {hinge: "
                    "{axis: [0, 0, 1]}}, shapes: [{sphere: {radius: 0.1}}]}\n" +
                    kMethod + "until: 1\n"),
            "test.yaml:6:5: bodies.door: a batch cannot do joints\n");
}

}  // namespace
}  // namespace tenpin::test
