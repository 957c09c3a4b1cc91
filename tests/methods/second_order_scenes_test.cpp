// The second order where several of its parts meet: loops that touch, Poisson's law, threads,
// crowds.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dynamics/loops.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::Ledger;
using test::SceneRun;

constexpr double kFreeFall = 9.81;

std::string by_order_two(double h, const std::string& options = "") {
  return "method: {time-stepping: {order: 2, step: " + std::to_string(h) + options + "}}\n";
}

// A four-bar linkage whose coupler falls onto a floor that is too high for it, and rests there.
std::string linkage(double h, const std::string& options) {
  return "tenpin: 1\nname: linkage\nmaterials: {m: {friction: 0.3, restitution: 0}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {offset: -0.1}}]}\n"
         "  - {name: crank, material: m, mass: 1, inertia: [0.1, 0.1, 0.1],"
         " center_of_mass: [0, 0, 0.15], joint: {hinge: {axis: [0, 1, 0], rate: 2}}}\n"
         "  - {name: coupler, parent: crank, material: m, mass: 1, inertia: [0.1, 0.1, 0.1],"
         " center_of_mass: [0.5, 0, 0], position: [0, 0, 0.3], joint: {hinge: {axis: [0, 1, 0]}},"
         " orientation: {axis: [0, -1, 0], radians: 0.6435011087932844},"
         " shapes: [{capsule: {radius: 0.02, length: 0.9, axis: x}, position: [0.5, 0, 0]}]}\n"
         "  - {name: rocker, material: m, mass: 1, inertia: [0.1, 0.1, 0.1],"
         " center_of_mass: [0, 0, 0.45], position: [0.8, 0, 0], joint: {hinge: {axis: [0, 1, "
         "0]}}}\n"
         "loops:\n  - {name: closing, hinge: {bodies: [coupler, rocker],"
         " anchors: [[1, 0, 0], [0, 0, 0.9]], axes: [[0, 1, 0], [0, 1, 0]]}}\n" +
         by_order_two(h, options);
}

// Motion, impact and rest of a loop: closed all the time, and the same end whatever the step.
TEST(SecondOrderLoops, LinkageFallsOnAFloorAndStaysClosed) {
  for (const char* solver : {", solver: lemke", ", solver: cone"}) {
    std::vector<double> ends;
    for (const double h : {0.004, 0.002, 0.001}) {
      SceneRun run(linkage(h, solver));
      double open = 0.0;
      std::int64_t impacts = 0;
      run.watch = [&](const StepReport& report, auto /*contacts*/, const dynamics::State& state) {
        std::vector<Pose> X_WB;
        update_poses(run.built.model, state.q, state.t, &X_WB);
        dynamics::LoopRows rows;
        rows.update(run.built.model, run.built.model.mechanisms[0], X_WB, state.q);
        open = std::max(open, rows.errors().lpNorm<Eigen::Infinity>());
        impacts += report.division.impacts;
      };
      ASSERT_EQ(run.run_until(1.5), AdvanceStatus::kReachedEnd) << run.last.message;
      EXPECT_LE(open, 1e-9) << h << solver;
      EXPECT_GT(impacts, 0) << h << solver;
      EXPECT_LE(run.worst_penetration, 1e-9) << h << solver;
      run.expect_ledger_closes();
      ends.push_back(run.built.state.q[0]);
    }
    EXPECT_LE(std::fabs(ends[1] - ends[2]), 0.4 * std::fabs(ends[0] - ends[2]) + 1e-9) << solver;
  }
}

std::string thrown_ball(double g, const std::string& material, const std::string& state) {
  return "tenpin: 1\nname: thrown\ngravity: [0, 0, " + std::to_string(-g) + "]\nmaterials: {m: {" +
         material +
         "}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
         "  - {name: ball, material: m, mass: 1, " +
         state + ", shapes: [{sphere: {radius: 0.1}}]}\n";
}

// By Poisson's law a ball without friction gives back e of its speed, and so e^2 of its height.
TEST(SecondOrderPoisson, BouncesReachTheirHeights) {
  for (const double e : {0.7, 0.8, 1.0}) {
    SceneRun run(thrown_ball(kFreeFall, "friction: 0, restitution: " + std::to_string(e),
                             "position: [0, 0, 1.1]") +
                 by_order_two(1.0 / 240.0, ", restitution: poisson"));
    double energy = kFreeFall * 1.1;
    std::int64_t impacts = 0;
    run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
      impacts += report.division.impacts;
      if (report.division.impacts > 0)
        energy = kFreeFall * 0.1 + (energy - kFreeFall * 0.1) * e * e;
      EXPECT_NEAR(report.ledger.total(), energy, 1e-12 * kFreeFall) << e;
    };
    ASSERT_EQ(run.run_until(1.4), AdvanceStatus::kReachedEnd);
    EXPECT_GE(impacts, 2);
    run.expect_ledger_closes();
  }
}

// A ball that strikes the floor aslant slides through the impact if mu (1 + e) |v_n| < (2/7) |v_t|,
// and leaves it rolling otherwise. Compression and restitution have their share of friction each.
TEST(SecondOrderPoisson, ObliqueImpactTakesFrictionInBothPhases) {
  const std::string state = "position: [0, 0, 0.105], velocity: [1, 0, -1]";
  for (const double mu : {0.1, 0.9}) {
    const std::string material = "restitution: 0.5, friction: " + std::to_string(mu);
    SceneRun run(thrown_ball(0.0, material, state) + by_order_two(0.01, ", restitution: poisson"));
    ASSERT_EQ(run.run_until(0.02), AdvanceStatus::kReachedEnd) << run.last.message;
    const dynamics::Twist V = run.twist("ball");
    const double v_t = mu < 0.2 ? 1.0 - mu * 1.5 : 5.0 / 7.0;
    EXPECT_NEAR(V.v.z(), 0.5, 1e-12) << mu;
    EXPECT_NEAR(V.v.x(), v_t, 1e-12) << mu;
    EXPECT_NEAR(V.w.y() * 0.1, 2.5 * (1.0 - v_t), 1e-12) << mu;
    run.expect_ledger_closes();
  }
}

// Piles, boxes, trees and impacts, in several islands.
std::string heap(const std::string& options) {
  return "tenpin: 1\nname: heap\nseed: 3\nmaterials: {m: {friction: 0.4, restitution: 0.3}}\n"
         "bodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
         "  - {name: ball, material: m, mass: 1, position: [0, 0, 0.06],"
         " shapes: [{sphere: {radius: 0.05}}], repeat: {grid: [2, 2, 2], spacing: 0.11, jitter: "
         "0.004}}\n"
         "  - {name: box, material: m, mass: 1, position: [1, 0, 0.12],"
         " shapes: [{box: {size: [0.2, 0.2, 0.2]}}], repeat: {stack: 2, spacing: [0.02, 0.01, "
         "0.21]}}\n"
         "  - {name: rod, material: m, mass: 1, position: [-1, 0, 0.3],"
         " orientation: {axis: [0, 1, 0], degrees: 60},"
         " shapes: [{capsule: {radius: 0.02, length: 0.3}}]}\n" +
         by_order_two(0.004, options);
}

TEST(SecondOrderThreads, DoNotChangeABit) {
  for (const char* options :
       {", solver: lemke", ", solver: cone, restitution: newton", ", solver: cone, passes: 1"}) {
    const auto run_with = [&](int threads) -> dynamics::State {
      SceneRun run(heap(options), threads);
      EXPECT_EQ(run.run_until(0.6), AdvanceStatus::kReachedEnd) << run.last.message;
      return run.built.state;
    };
    const dynamics::State one = run_with(1);
    for (const int threads : {2, 8}) {
      const dynamics::State many = run_with(threads);
      EXPECT_EQ(many.q, one.q) << threads << options;
      EXPECT_EQ(many.v, one.v) << threads << options;
    }
  }
}

// 6 x 6 x 5 balls in a bin. Packed, all of them touch their neighbours, and the walls.
std::string crowd(bool is_packed) {
  const double spacing = is_packed ? 0.1 : 0.11;
  const std::string corner = std::to_string(-2.5 * spacing);
  const std::string wall = std::to_string(-2.5 * spacing - (is_packed ? 0.05 : 0.06));
  std::string bin = "  - {name: bin, fixed: true, material: m, shapes: [{plane: {}}";
  for (const char* normal : {"1, 0, 0", "-1, 0, 0", "0, 1, 0", "0, -1, 0"}) {
    bin += std::string(", {plane: {normal: [") + normal + "], offset: " + wall + "}}";
  }
  return "tenpin: 1\nname: crowd\nseed: 7\nmaterials: {m: {friction: 0.4, restitution: 0}}\n"
         "bodies:\n" +
         bin + "]}\n  - {name: ball, material: m, mass: 1, position: [" + corner + ", " + corner +
         (is_packed ? ", 0.05" : ", 0.06") +
         "], shapes: [{sphere: {radius: 0.05}}], repeat: {grid: [6, 6, 5], spacing: " +
         std::to_string(spacing) + (is_packed ? "}}\n" : ", jitter: 0.004}}\n") +
         "method: {time-stepping: {solver: cone, order: 2}}\n";
}

// A group that is too large for its impacts to be placed one by one: late, but certified, without
// overlap, and without gain beyond the scheme's own error.
TEST(SecondOrderCrowd, LateImpactsTakeEnergyAway) {
  SceneRun run(crowd(false));
  std::int64_t late = 0;
  double before = 0.0;
  double gain = 0.0;
  run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
    late += report.division.late;
    if (report.step > 1) gain = std::max(gain, report.ledger.total() - before);
    before = report.ledger.total();
  };
  ASSERT_EQ(run.run_until(0.25), AdvanceStatus::kReachedEnd) << run.last.message;
  run.expect_ledger_closes();
  EXPECT_GT(late, 0);
  EXPECT_LE(gain, 1e-5 * run.largest_energy);
  EXPECT_LE(run.worst_penetration, 1e-8);
}

// Redundant contacts, of which most carry nothing: positions are not worth many systems.
TEST(SecondOrderCrowd, PackedBallsRestWithoutEffort) {
  SceneRun run(crowd(true));
  const VecX q = run.built.state.q;
  int most = 0;
  run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
    most = std::max(most, report.pivots);
  };
  ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_LE(most, 10);
  EXPECT_LE((run.built.state.q - q).lpNorm<Eigen::Infinity>(), 1e-10);
}

}  // namespace
}  // namespace tenpin::methods
