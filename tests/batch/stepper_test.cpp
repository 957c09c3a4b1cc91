// Worlds against the stepper, which shares no code with them but the law.
#include <gtest/gtest.h>

#include <cmath>

#include "batch/both.h"

namespace tenpin::test {
namespace {

using batch::kRoom;
using batch::Model;

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

// Plain sweeps circle about the answer of one step, in which a ball pushes a pin that slides on its
// feet.
TEST(BatchStepper, SweepsThatCircleAreDamped) {
  const TestScene lane = make_lane();
  const std::vector<Model<double>> models = {batch::convert_model<double>(lane.batch.model)};
  dynamics::State state = lane.built.state;
  state.q[0] = 0.056111776344478136;
  state.v[0] = -0.036267739813774846;
  std::vector worlds = {batch::make_world<double, kRoom>(lane.batch, state)};
  batch::run_on_cpu<double, kRoom>(std::span<const Model<double>>(models), 340, Workers(1), worlds);
  EXPECT_EQ(worlds[0].flags, 0U);
  EXPECT_EQ(worlds[0].steps, 340U);
  EXPECT_GT(worlds[0].most_sweeps, 400U);
  EXPECT_LE(worlds[0].worst_residual, lane.batch.model.tolerance);
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
  EXPECT_EQ(
      refusal(start + ball +
              "  - {name: can, material: wood, mass: 1, position: [1, 0, 1], shapes: "
              "[{ellipsoid: {semiaxes: [0.1, 0.2, 0.3]}}]}\n" +
              kMethod + "until: 1\n"),
      "test.yaml:7:5: bodies.can: a batch cannot do ellipsoids, want spheres, capsules, sharp "
      "boxes, cylinders and small meshes\n");
  EXPECT_EQ(refusal(start +
                    "  - {name: door, material: wood, mass: 1, position: [1, 0, 1], joint: {hinge: "
                    "{axis: [0, 0, 1]}}, shapes: [{sphere: {radius: 0.1}}]}\n" +
                    kMethod + "until: 1\n"),
            "test.yaml:6:5: bodies.door: a batch cannot do joints\n");
}

}  // namespace
}  // namespace tenpin::test
