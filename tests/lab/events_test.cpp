// Events and tables in whole runs: their files, their continuation and what is told of them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/check.h"
#include "lab/continue_run.h"
#include "lab/quantities.h"
#include "lab/scene_runs.h"
#include "record/summary.h"
#include "simulation/state_hash.h"

namespace tenpin::lab {
namespace {

// A marble falls on a door, whose latch then lets go; a plate on a table of positions is driven on.
scene::Scene make_scene(const std::string& method, const std::string& more = "") {
  return scene::parse_scene(
      "tenpin: 1\nname: door\nmaterials: {default: {friction: 0.3}}\nbodies:\n"
      "  - {name: door, mass: 0.4, position: [0.15, 0, 0], shapes: [{box: {size: [0.3, 0.2, "
      "0.02]}}],\n     joint: {hinge: {axis: [0, 1, 0], anchor: [-0.15, 0, 0]}}}\n"
      "  - {name: marble, mass: 0.05, position: [0.2, 0, 0.2], shapes: [{sphere: {radius: "
      "0.03}}],\n     forces: [{force: [0.01, 0, 0], during: [0.05, 0.17]}]}\n"
      "  - {name: plate, position: [0, 1, 0], shapes: [{box: {size: [0.3, 0.2, 0.02]}}],\n"
      "     motion: {position: {points: [[0, 0, 0, 0], [0.2, 0.3, 0, 0]]}}}\n"
      "loops:\n  - {name: latch, weld: {bodies: [door, world], anchors: [[0.15, 0, 0], [0.3, 0, "
      "0]]}}\n"
      "events:\n"
      "  - {name: opened, when: {contact: [marble, door]},\n"
      "     do: {release: latch, set: {motion: plate, velocity: [0, 0, 1]}}}\n"
      "  - {name: through, when: {quantity: bodies.marble.position.z, below: -0.3}, do: {stop: "
      "true}}\n"
      "method: {" +
          method + "}\nrecord: {every: 0.02}\n" + more + "until: 1\n",
      "door.yaml");
}

class RunsWithEvents : public testing::TestWithParam<std::string> {};

TEST_P(RunsWithEvents, EndAtTheStopAndContinueWithTheSameBits) {
  const RunFolder folder;
  const scene::Scene scene = make_scene(GetParam());
  const Summary whole = simulate(scene, {.run_file = folder.file("run.h5")});
  ASSERT_EQ(whole.status, methods::AdvanceStatus::kReachedEnd) << whole.message;
  EXPECT_TRUE(whole.is_stopped_by_event);
  ASSERT_EQ(whole.fired.size(), 2U);
  EXPECT_TRUE(whole.fired[0].starts_with("opened at 0.1")) << whole.fired[0];
  EXPECT_LT(whole.t, 1.0);

  const record::RunReader run(folder.file("run.h5"));
  EXPECT_EQ(run.status().state, record::RunState::kFinished);
  EXPECT_EQ(run.header().events, (std::vector<std::string>{"opened", "through"}));
  EXPECT_EQ(record::list_fired_events(run), whole.fired);
  for (const double at : {0.0, 0.1, 0.24, 0.3}) {
    const Continuation rest = read_continuation(run, at, {}, {});
    const Summary again = simulate(rest.scene, {.from = rest.state});
    EXPECT_EQ(again.fired, whole.fired) << "from " << at << " s";
    EXPECT_EQ(again.state_hash, whole.state_hash) << "from " << at << " s";
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, RunsWithEvents,
                         testing::Values("time-stepping: {step: 0.005}",
                                         "time-stepping: {step: 0.005, order: 1}", "analytic: {}",
                                         "impulse: {}"));

// The same place has another energy in another gravity. The ledger says how much.
TEST(EventsInRuns, AChangeOfGravityIsInTheLedger) {
  for (const std::string method : {"time-stepping: {}", "analytic: {}", "impulse: {}"}) {
    const Summary summary = simulate(
        scene::parse_scene(
            "tenpin: 1\nbodies:\n"
            "  - {name: ball, mass: 2, position: [0, 0, 3], shapes: [{sphere: {radius: 0.1}}]}\n"
            "gravity: [0, 0, -10]\nevents: [{name: up, when: {quantity: t, above: 0.5}, do: {set: "
            "{gravity: [0, 0, 5]}}}]\nmethod: {" +
                method + "}\nuntil: 1\n",
            "ball.yaml"),
        {});
    ASSERT_EQ(summary.status, methods::AdvanceStatus::kReachedEnd) << summary.message;
    EXPECT_NEAR(summary.gravity_change, -2 * 15 * (3 - 0.5 * 10 * 0.25), 0.02 * 60) << method;
    EXPECT_NEAR(summary.total_closure, 0.0, 1e-12 * summary.largest_energy) << method;
  }
}

// What is recorded does not change when events happen.
TEST(EventsInRuns, FramesWithinStepsDoNotChangeTheMotion) {
  scene::Scene scene = make_scene("analytic: {}");
  const Summary coarse = simulate(scene, {});
  scene.record.every = 0.003;
  const RunFolder folder;
  const Summary fine = simulate(scene, {.run_file = folder.file("run.h5")});
  EXPECT_EQ(fine.fired, coarse.fired);
  EXPECT_EQ(fine.state_hash, coarse.state_hash);
}

TEST(EventsInRuns, ReactionsOfAReleasedLoopAreZero) {
  const RunFolder folder;
  const record::RunReader run(folder.run(make_scene("time-stepping: {step: 0.005}")));
  const std::vector<Quantity> force =
      find_quantities(run, std::vector<std::string>{"loops.latch.force.z", "joints.door.effort"});
  const std::vector<std::vector<double>> columns = read_quantities(run, force);
  ASSERT_EQ(columns.size(), 2U);
  const std::size_t last = columns[1].size() - 1;
  EXPECT_EQ(columns[1][last], 0.0);  // in the order of the file: joints before loops
  EXPECT_EQ(columns[0].size(), columns[1].size());
}

// Every step is too slow for so short a limit, on every machine.
TEST(StepLimit, EndsTheRunAndLeavesAValidFile) {
  const RunFolder folder;
  try {
    static_cast<void>(simulate(make_scene("time-stepping: {step: 0.005}"),
                               {.step_limit = 1e-12, .run_file = folder.file("run.h5")}));
    FAIL() << "no limit";
  } catch (const LimitError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("a step from t = 0 s on takes longer than 1e-12 s"), std::string::npos)
        << text;
    EXPECT_NE(text.find("--step-limit"), std::string::npos) << text;
  }
  const record::RunReader run(folder.file("run.h5"));
  EXPECT_EQ(run.status().state, record::RunState::kFailed);
  EXPECT_EQ(run.num_frames(), 1);
}

TEST(PairQuantities, ForceAndDistanceOfTwoBodies) {
  const RunFolder folder;
  const scene::Scene scene = scene::parse_scene(
      "tenpin: 1\ngravity: [0, 0, -10]\nmaterials: {default: {friction: 0.5}}\nbodies:\n"
      "  - {name: floor, fixed: true, shapes: [{plane: {}}]}\n"
      "  - {name: a+b, mass: 2, position: [0, 0, 0.5], shapes: [{box: {size: [1, 1, 1]}}]}\n"
      "  - {name: ball, mass: 3, position: [0, 0, 2.1], shapes: [{sphere: {radius: 0.1}}]}\n"
      "method: {time-stepping: {step: 0.01}}\nuntil: 0.1\n",
      "boxes.yaml");
  const record::RunReader run(folder.run(scene));
  const std::vector<Quantity> found = find_quantities(
      run, std::vector<std::string>{"pairs.floor+a+b.force", "pairs.a+b+floor.force.z",
                                    "pairs.a+b+ball.distance", "bodies.ball.position.z",
                                    "pairs.floor+a+b.impulse.z"});
  ASSERT_EQ(found.size(), 5U);
  const std::vector<std::vector<double>> columns = read_quantities(run, found);
  const std::size_t frames = static_cast<std::size_t>(run.num_frames());
  ASSERT_EQ(columns[0].size(), 3 * frames);
  constexpr double kTolerance = 1e-5;  // N   the cone's, relative to 20 N
  EXPECT_NEAR(columns[0][3 * frames - 1], 20.0, kTolerance);
  EXPECT_NEAR(columns[1][frames - 1], -20.0, kTolerance);
  EXPECT_NEAR(columns[4][frames - 1], 20.0 * 0.01, 0.01 * kTolerance);
  EXPECT_NEAR(columns[2][0], 1.0, 1e-12);
  EXPECT_NEAR(columns[2][frames - 1], 1.0 - 0.5 * 10.0 * 0.01, 1e-9);
  EXPECT_NEAR(columns[3][frames - 1], 2.1 - 0.05, 1e-9);
  EXPECT_NE(make_quantity_csv(run, found).find("pairs.a+b+floor.force.z"), std::string::npos);
  EXPECT_THROW((void)find_quantities(run, std::vector<std::string>{"pairs.floor+none.force"}),
               InputError);
}

}  // namespace
}  // namespace tenpin::lab
