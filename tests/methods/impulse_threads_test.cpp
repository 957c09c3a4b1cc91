// Groups of bodies that cannot meet are simulated by several threads, with the same bits.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/text.h"
#include "support/scene_run.h"

namespace tenpin::methods::impulse {
namespace {

using test::SceneRun;

std::string make_box(const std::string& name, double x, double y, double z) {
  return "  - {name: " + name + ", material: m, mass: 1, position: [" + to_text(x) + ", " +
         to_text(y) + ", " + to_text(z) + "], shapes: [{box: {half: [0.1, 0.1, 0.1]}}]}\n";
}

// Towers that stand, boxes that land on each other, pendulums that hit posts, and balls that are
// shot from place to place: groups form, meet and part.
std::string make_yard() {
  std::string text =
      "tenpin: 1\nmaterials: {m: {friction: 0.4, restitution: 0.5}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n";
  for (int k = 0; k < 4; ++k) {
    const double x = 2.0 * k;
    const std::string n = std::to_string(k);
    text += make_box("low" + n, x, 0, 0.1) + make_box("high" + n, x, 0, 0.3);
    text += make_box("under" + n, x, 2, 0.1) + make_box("falling" + n, x + 0.05, 2, 0.6);
    text += "  - {name: ball" + n + ", material: m, mass: 0.3, position: [" + to_text(x - 0.9) +
            ", 0, 0.25], velocity: [12, 0.5, 1], angular_velocity: [1, 2, " + n +
            "], shapes: [{sphere: {radius: 0.08}}]}\n";
    text += "  - {name: post" + n + ", fixed: true, material: m, position: [" + to_text(x) +
            ", 4, 0.5], shapes: [{box: {half: [0.05, 0.3, 0.5]}}]}\n";
    text += "  - {name: bob" + n + ", material: m, mass: 1, position: [" + to_text(x + 0.5) +
            ", 4, 0.8], joint: {hinge: {axis: [0, 1, 0], anchor: [-0.4, 0, 0.4], rate: 1}},"
            " shapes: [{sphere: {radius: 0.1}}]}\n";
  }
  return text + "method: {impulse: {interval: 0.01}}\n";
}

struct Trace {
  std::vector<double> numbers;  // of states, records, ledgers and counts
  int most_active = 0;

  template <typename... Values>
  void add(Values... values) {
    (numbers.push_back(static_cast<double>(values)), ...);
  }
};

Trace run_yard(int threads, double t) {
  SceneRun run(make_yard(), threads);
  Trace trace;
  run.watch = [&](const StepReport& report, std::span<const contact::ContactRecord> contacts,
                  const dynamics::State& state) {
    trace.numbers.insert(trace.numbers.end(), state.q.begin(), state.q.end());
    trace.numbers.insert(trace.numbers.end(), state.v.begin(), state.v.end());
    for (const contact::ContactRecord& r : contacts) {
      trace.add(r.body_a, r.body_b, r.gap, r.impulse.x(), r.impulse.y(), r.impulse.z(),
                r.normal_work, r.friction_work, r.residual);
    }
    for (const double work : report.ledger.work) trace.add(work);
    trace.add(report.ledger.closure, report.certificate.residual, report.certificate.penetration,
              report.events.events, report.events.impacts, report.events.heap_operations,
              report.num_contacts, report.num_active, report.guarded);
    trace.most_active = std::max(trace.most_active, report.num_active);
  };
  EXPECT_EQ(run.run_until(t), AdvanceStatus::kReachedEnd) << run.last.message;
  return trace;
}

TEST(ImpulseThreads, NumberChangesNoBit) {
  const Trace one = run_yard(1, 1.0);
  EXPECT_GE(one.most_active, 10);  // several groups are busy at the same time
  for (const int threads : {2, 3, 4, 8}) {
    const Trace many = run_yard(threads, 1.0);
    ASSERT_EQ(many.numbers.size(), one.numbers.size()) << threads;
    EXPECT_EQ(
        std::memcmp(many.numbers.data(), one.numbers.data(), one.numbers.size() * sizeof(double)),
        0)
        << threads;
  }
}

// The earliest failure is told, whichever thread met it.
TEST(ImpulseThreads, FailuresAreTheSame) {
  std::string messages[2];
  for (int k = 0; k < 2; ++k) {
    SceneRun run(
        "tenpin: 1\nbodies:\n"
        "  - {name: floor, fixed: true, shapes: [{plane: {}}]}\n"
        "  - {name: spinner, mass: 1, position: [0, 0, 0.37], angular_velocity: [0, 1e6, 0],"
        " shapes: [{box: {half: [0.3, 0.1, 0.2]}}]}\n"
        "  - {name: ball, mass: 1, position: [5, 0, 0.3], shapes: [{sphere: {radius: 0.1}}]}\n"
        "  - {name: low, mass: 1, position: [9, 0, 0.3], shapes: [{sphere: {radius: 0.1}}]}\n"
        "gravity: [0, 0, 0]\nmethod: {impulse: {cap: 1}}\n",
        1 + k);
    EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kSolverFailed);
    messages[k] = run.last.message;
  }
  EXPECT_EQ(messages[0], messages[1]);
  EXPECT_NE(messages[0].find("looked at more than 1004 times"), std::string::npos) << messages[0];
}

}  // namespace
}  // namespace tenpin::methods::impulse
