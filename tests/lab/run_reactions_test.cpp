// Reactions of joints, motors, stops and loops in run files, against exact values.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "lab/quantities.h"
#include "lab/scene_runs.h"
#include "record/csv.h"
#include "record/run_reader.h"

namespace tenpin::lab {
namespace {

constexpr double kGravity = 9.81;  // m/s^2

std::string read_text(const std::string& bodies, const std::string& method,
                      const std::string& until, const std::string& contacts = "frames") {
  return "tenpin: 1\nname: reactions\nbodies:\n" + bodies + "method: {" + method +
         "}\nrecord: {every: 0.001, contacts: " + contacts + "}\nuntil: " + until + "\n";
}

// A quantity of the last frame.
std::vector<double> read_last(const record::RunReader& run, const std::string& name) {
  const std::vector<std::string> names = {name};
  const std::vector<Quantity> quantities = find_quantities(run, names);
  const std::vector<double> values = read_quantities(run, quantities).front();
  const std::size_t width = quantities.front().components.size();
  return {values.end() - static_cast<std::ptrdiff_t>(width), values.end()};
}

class EveryMethodRecords : public testing::TestWithParam<std::string> {
 protected:
  const RunFolder folder_;

  record::RunReader run(const std::string& bodies, const std::string& until,
                        const std::string& contacts = "frames") const {
    const scene::Scene scene =
        scene::parse_scene(read_text(bodies, GetParam(), until, contacts), "reactions.yaml");
    return record::RunReader(folder_.run(scene));
  }
};

// At the bottom, with the rate w: the pivot carries m (g + l w^2). The mean over the first
// millisecond, in which the rod turns by w h, is off by (w h)^2 of it.
TEST_P(EveryMethodRecords, APendulumAtTheBottom) {
  const auto run = this->run(
      "  - {name: bob, mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, 0, -0.5],\n"
      "     joint: {hinge: {axis: [0, 1, 0], anchor: [0, 0, 0.5], rate: 3}}}\n",
      "0.001");
  const double pull = 2.0 * (kGravity + 0.5 * 9.0);
  const std::vector<double> force = read_last(run, "joints.bob.force");
  EXPECT_NEAR(force[2], pull, 2e-5 * pull);
  EXPECT_NEAR(force[1], 0.0, 1e-9);
  EXPECT_NEAR(read_last(run, "joints.bob.drive")[0], 0.0, 1e-3);
}

// A door 0.8 m wide turns with the rate w: its weight bends the hinges, and they pull it inwards.
TEST_P(EveryMethodRecords, AHingedDoor) {
  const auto run = this->run(
      "  - {name: door, mass: 10, inertia: [2, 3, 1], position: [0.4, 0, 1],\n"
      "     joint: {hinge: {axis: [0, 0, 1], anchor: [-0.4, 0, 0], rate: 2}}}\n",
      "0.001");
  const std::vector<double> force = read_last(run, "joints.door.force");
  const std::vector<double> torque = read_last(run, "joints.door.torque");
  EXPECT_NEAR(force[2], 10.0 * kGravity, 1e-3);
  EXPECT_NEAR(force[0], -10.0 * 0.4 * 4.0, 1e-3);
  EXPECT_NEAR(torque[1], -10.0 * kGravity * 0.4, 0.1);
  EXPECT_NEAR(torque[2], 0.0, 1e-3);
}

// A motor holds a bar level; then a stop does. Both give the same torque, under their own names.
TEST_P(EveryMethodRecords, AMotorAndAStopThatCarryWeight) {
  const std::string bar =
      "  - {name: bar, mass: 2, inertia: [0.2, 0.2, 0.2], position: [0.5, 0, 0],\n"
      "     joint: {hinge: {axis: [0, 1, 0], anchor: [-0.5, 0, 0], ";
  const double torque = -2.0 * kGravity * 0.5;
  {
    const auto run = this->run(bar + "motor: {torque: -9.81}}}}\n", "0.02");
    EXPECT_NEAR(read_last(run, "joints.bar.drive")[0], torque, 1e-6);
    EXPECT_NEAR(read_last(run, "joints.bar.stop")[0], 0.0, 1e-9);
    EXPECT_NEAR(read_last(run, "joints.bar.torque")[1], torque, 1e-6);
  }
  if (GetParam().starts_with("impulse")) return;  // its stops bounce in their envelope
  {
    const auto run = this->run(bar + "limits: [-1, 0]}}}\n", "0.02");
    EXPECT_NEAR(read_last(run, "joints.bar.stop")[0], torque, 1e-6);
    EXPECT_NEAR(read_last(run, "joints.bar.drive")[0], 0.0, 1e-6);
    EXPECT_NEAR(read_last(run, "joints.bar.force")[2], 2.0 * kGravity, 1e-6);
  }
}

// Two upright cranks carry a beam: half of it each, one of them through the loop.
TEST_P(EveryMethodRecords, AFourBarLoop) {
  const std::string link = ", mass: 1, inertia: [0.1, 0.1, 0.1]";
  const auto run = this->run(
      "  - {name: left, position: [0, 0, -0.5]" + link +
          ",\n     joint: {hinge: {axis: [0, 1, 0], anchor: [0, 0, 0.5]}}}\n"
          "  - {name: right, position: [2, 0, -0.5]" +
          link +
          ",\n     joint: {hinge: {axis: [0, 1, 0], anchor: [0, 0, 0.5]}}}\n"
          "  - {name: beam, parent: left, position: [1, 0, -0.5], mass: 4, inertia: [1, 1, 1],\n"
          "     joint: {hinge: {axis: [0, 1, 0], anchor: [-1, 0, 0]}}}\n"
          "loops:\n"
          "  - {name: closing, hinge: {bodies: [beam, right], anchors: [[1, 0, 0], [0, 0, -0.5]],\n"
          "     axes: [[0, 1, 0], [0, 1, 0]]}}\n",
      "0.02");
  // The loop pushes its second body down by half of the beam, and the beam up.
  EXPECT_NEAR(read_last(run, "loops.closing.force")[2], -2.0 * kGravity, 1e-6);
  EXPECT_NEAR(read_last(run, "joints.beam.force")[2], 2.0 * kGravity, 1e-6);
  EXPECT_NEAR(read_last(run, "joints.left.force")[2], 3.0 * kGravity, 1e-6);
  EXPECT_NEAR(read_last(run, "joints.right.force")[2], 3.0 * kGravity, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethodRecords,
                         testing::Values("time-stepping: {step: 0.001, order: 1}",
                                         "time-stepping: {step: 0.001, order: 2}", "analytic: {}",
                                         "impulse: {interval: 0.001}"),
                         [](const auto& test) {
                           return "method" + std::to_string(test.index);
                         });

// The force of a contact stands beside its impulse: weight, in newtons.
TEST(RecordedForces, OfAContactAreItsImpulsePerTime) {
  for (const std::string contacts : {"frames", "steps"}) {
    const RunFolder folder;
    const record::RunReader run(folder.run(scene::parse_scene(
        read_text("  - {name: floor, fixed: true, shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
                  "  - {name: ball, mass: 3, position: [0, 0, 0.1], shapes: [{sphere: {radius: "
                  "0.1}}]}\n",
                  "time-stepping: {step: 0.002}", "0.02", contacts),
        "ball.yaml")));
    ASSERT_GT(run.num_contacts(), 0);
    for (const record::ContactRow& row : run.read_contacts(0, run.num_contacts())) {
      EXPECT_NEAR(row.force[2], 3.0 * kGravity, 1e-9) << contacts;
      EXPECT_NEAR(row.duration, 0.002, 1e-12);
    }
  }
}

// One row per joint and step, by name, also when all steps are recorded.
TEST(RecordedForces, AreATableOfTheRun) {
  const RunFolder folder;
  const record::RunReader run(folder.run(scene::parse_scene(
      read_text("  - {name: bob, mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, 0, -0.5],\n"
                "     joint: {hinge: {axis: [0, 1, 0], anchor: [0, 0, 0.5]}}}\n",
                "time-stepping: {step: 0.002}", "0.02", "steps"),
      "bob.yaml")));
  ASSERT_EQ(run.num_reactions(), 10);
  std::ostringstream out;
  record::write_csv(run, record::CsvTable::kReactions, &out);
  EXPECT_NE(out.str().find("\nbob,1,joint,0,"), std::string::npos) << out.str();
  for (const record::ReactionRow& row : run.read_reactions(0, 10)) {
    EXPECT_NEAR(row.force[2], 2.0 * kGravity, 1e-9);
  }
}

}  // namespace
}  // namespace tenpin::lab
