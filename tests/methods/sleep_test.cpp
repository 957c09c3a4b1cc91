// Sleep changes what a step costs and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/check.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

constexpr double kG = 9.81;
constexpr double kStep = 1.0 / 240.0;

std::string scene(const std::string& bodies, const std::string& options) {
  return "tenpin: 1\nname: sleep\nseed: 2\nmaterials: {m: {friction: 0.5, restitution: 0}}\n"
         "bodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n" +
         bodies + "method: {time-stepping: {solver: cone, " + options + "}}\n";
}

std::string pyramid(int rows) {
  std::string text;
  for (int row = 0; row < rows; ++row) {
    const int count = rows - row;
    text +=
        "  - {name: row" + std::to_string(row) + ", material: m, mass: 1, position: [" +
        std::to_string(-0.11 * (count - 1)) + ", 0, " + std::to_string(0.1 + 0.2 * row) +
        "], shapes: [{box: {size: [0.2, 0.2, 0.2]}}], repeat: {stack: " + std::to_string(count) +
        ", spacing: [0.22, 0, 0]}}\n";
  }
  return text;
}

struct Night {
  VecX q, v;
  std::int64_t slept = 0;    // bodies, over the steps
  int asleep = 0;            // in the last step
  int solves = 0;            // in the last step
  std::size_t contacts = 0;  // recorded in the last step
  double load = 0.0;         // N s   of those on the floor, upwards
  bool certified = true;
};

Night run_night(const std::string& text, double until) {
  SceneRun run(text);
  Night night;
  run.watch = [&](const StepReport& report, std::span<const contact::ContactRecord> contacts,
                  const dynamics::State&) {
    night.slept += report.asleep;
    night.contacts = contacts.size();
    night.certified = night.certified && report.certificate.passed;
    night.load = 0.0;
    for (const contact::ContactRecord& c : contacts) {
      if (c.body_a == 0) night.load += c.impulse.z();
    }
  };
  EXPECT_EQ(run.run_until(until), AdvanceStatus::kReachedEnd) << run.last.message;
  run.expect_ledger_closes();
  night.q = run.built.state.q;
  night.v = run.built.state.v;
  night.asleep = run.last.asleep;
  night.solves = run.last.solves;
  return night;
}

// Asleep or awake, the pyramid stays where it is, and its report is the same.
TEST(Sleep, PyramidRestsAsIfAwake) {
  struct Case {
    std::string options;
    int rows;
  };
  for (const auto& [options, rows] :
       {Case{"order: 1", 5}, Case{"order: 2", 5}, Case{"contact: {compliance: 0.03}", 4},
        Case{"formulation: nonlinear", 2}}) {
    const int num_boxes = rows * (rows + 1) / 2;
    const Night awake = run_night(scene(pyramid(rows), options), 1.5);
    const Night asleep = run_night(scene(pyramid(rows), options + ", sleeping: true"), 1.5);
    EXPECT_EQ(awake.slept, 0);
    EXPECT_EQ(asleep.asleep, num_boxes) << options;
    EXPECT_EQ(asleep.solves, 0) << options;
    EXPECT_EQ(asleep.contacts, awake.contacts) << options;
    EXPECT_TRUE(asleep.certified) << options;
    EXPECT_EQ(asleep.v.lpNorm<Eigen::Infinity>(), 0.0) << options;
    // What the certificate allows the awake one: its tolerance of the largest impulse's velocity.
    const double speed = 1e-6 * num_boxes * kG * kStep;
    EXPECT_LE((asleep.q - awake.q).lpNorm<Eigen::Infinity>(), 1.5 * speed) << options;
    EXPECT_NEAR(asleep.load, awake.load, 1e-5 * awake.load) << options;
  }
}

// A ball comes in when three that touch have long slept: they answer in the same step and in the
// same way. (The response of redundant contacts to an impact is not unique, whether they slept or
// not.)
TEST(Sleep, WakesOnTouchAndAnswersAsIfAwake) {
  const std::string bodies =
      "  - {name: row, material: m, mass: 1, position: [0, 0, 0.1],"
      " shapes: [{sphere: {radius: 0.1}}], repeat: {stack: 3, spacing: [0.2, 0, 0]}}\n"
      "  - {name: apart, material: m, mass: 1, position: [0, 3, 0.1],"
      " shapes: [{box: {size: [0.2, 0.2, 0.2]}}], repeat: {stack: 2, spacing: 0.2}}\n"
      "  - {name: ball, material: m, mass: 2, position: [-3, 0.02, 0.1], velocity: [3, 0, 0],"
      " angular_velocity: [0, 30, 0], shapes: [{sphere: {radius: 0.1}}]}\n";
  for (const std::string options : {"order: 1", "order: 2"}) {
    std::vector<std::vector<VecX>> paths;
    std::int64_t struck = 0;
    for (const std::string sleeping : {"false", "true"}) {
      SceneRun run(scene(bodies, options + ", tolerance: 1e-9, sleeping: " + sleeping));
      std::vector<VecX>& path = paths.emplace_back();
      int before = 0;
      run.watch = [&](const StepReport& report, auto, const dynamics::State& state) {
        path.push_back(state.q);
        // Three wake of five who sleep; the ball never does.
        if (before == 5 && report.asleep == 2) struck = report.step;
        before = report.asleep;
      };
      ASSERT_EQ(run.run_until(1.1), AdvanceStatus::kReachedEnd) << run.last.message;
      run.expect_ledger_closes();
      EXPECT_EQ(run.last.asleep, sleeping == "true" ? 2 : 0) << options;
    }
    ASSERT_GT(struck, 200) << options;
    const auto moves = [&](const std::vector<VecX>& path) {
      std::size_t step = 100;
      while (step < path.size() && std::fabs(path[step][0] - path[99][0]) < 1e-6) ++step;
      return step;
    };
    EXPECT_EQ(moves(paths[0]), moves(paths[1])) << options;
    EXPECT_LE((paths[0][struck - 2] - paths[1][struck - 2]).lpNorm<Eigen::Infinity>(), 1e-9);
    // Errors grow in what follows, as any do.
    EXPECT_LE((paths[0][struck + 5] - paths[1][struck + 5]).lpNorm<Eigen::Infinity>(), 1e-7);
  }
}

// Who sleeps is part of the state: a run that is taken up from it goes on bit by bit.
TEST(Sleep, IsPartOfTheState) {
  for (const std::string order : {"order: 1", "order: 2"}) {
    const std::string text = scene(pyramid(3) +
                                       "  - {name: ball, material: m, mass: 1, position: [2, 0, 3],"
                                       " shapes: [{sphere: {radius: 0.1}}]}\n",
                                   order + ", sleeping: true");
    SceneRun whole(text);
    ASSERT_EQ(whole.run_until(0.5), AdvanceStatus::kReachedEnd);
    ASSERT_EQ(whole.last.asleep, 6);
    SceneRun second(text);
    second.built.state = whole.built.state;
    ASSERT_EQ(whole.run_until(1.5), AdvanceStatus::kReachedEnd);
    ASSERT_EQ(second.run_until(1.5), AdvanceStatus::kReachedEnd);
    EXPECT_EQ(whole.built.state.q, second.built.state.q);
    EXPECT_EQ(whole.built.state.v, second.built.state.v);
    EXPECT_EQ(whole.built.state.memory, second.built.state.memory);
    EXPECT_EQ(whole.last.num_active, second.last.num_active);
  }
}

// A body with an external force wakes with its island; what a lifted one leaves rests on without
// it.
TEST(Sleep, EndsWhereTheStateIsChanged) {
  for (const auto& [order, by_velocity] :
       {std::pair("order: 1", true), std::pair("order: 1", false), std::pair("order: 2", true),
        std::pair("order: 2", false)}) {
    SceneRun run(scene(pyramid(2), std::string(order) + ", sleeping: true"));
    ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
    ASSERT_EQ(run.last.asleep, 3);
    by_velocity ? run.built.state.v[12] = 1.0 : run.built.state.q[16] += 0.5;
    ASSERT_EQ(run.run_until(1.0 + kStep), AdvanceStatus::kReachedEnd);
    EXPECT_EQ(run.last.asleep, by_velocity ? 0 : 2);
    EXPECT_GT(run.built.state.v.lpNorm<Eigen::Infinity>(), 0.01);
  }
}

TEST(Sleep, NobodySleepsOnWhatMoves) {
  SceneRun run(
      scene("  - {name: belt, motion: {velocity: [0.1, 0, 0]}, material: m, position: [0, 0, 1],"
            " shapes: [{box: {size: [1, 1, 0.2]}}]}\n"
            "  - {name: box, material: m, mass: 1, position: [0, 0, 1.2], velocity: [0.1, 0, 0],"
            " shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n",
            "sleeping: true"));
  ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
  EXPECT_EQ(run.last.asleep, 0);
  EXPECT_NEAR(run.position("box").x(), 0.1, 1e-6);
}

TEST(Sleep, SaysWhatItCannotDo) {
  EXPECT_THROW(SceneRun("tenpin: 1\nname: no\nbodies: []\nmethod: {time-stepping: {"
                        "solver: cone, sleeping: true, formulation: velocity}}\n"),
               InputError);
}

}  // namespace
}  // namespace tenpin::methods
