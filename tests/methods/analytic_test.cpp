// What the analytical method must get right without friction, against closed-form mechanics.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/text.h"
#include "math/trig.h"
#include "methods/analytic/root.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

constexpr double kG = 9.81;

std::string method(const std::string& options) {
  return "method: {analytic: {" + options + "}}\n";
}

std::string smooth(double e) {
  return "tenpin: 1\nmaterials: {m: {friction: 0, restitution: " + to_text(e) + "}}\nbodies:\n";
}

const std::string kFloor =
    "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n";

std::string ball(const std::string& name, double mass, const std::string& more) {
  return "  - {name: " + name + ", material: m, mass: " + to_text(mass) + ", " + more +
         ", shapes: [{sphere: {radius: 0.1}}]}\n";
}

// The times of all bounces are known: t1 = sqrt(2 H / g), then 2 e^k t1 each.
TEST(AnalyticBounce, EveryBounceComesInTimeUntilTheBallRests) {
  const double e = 0.5;
  SceneRun run(smooth(e) + kFloor + ball("ball", 2, "position: [0, 0, 1.1], velocity: [1, 0, 0]") +
               method(""));
  std::vector<double> times;
  run.watch = [&](const StepReport&, auto contacts, const dynamics::State& state) {
    if (!contacts.empty() && contacts[0].normal_work < -1e-12) times.push_back(state.t);
  };
  ASSERT_EQ(run.run_until(3.0), AdvanceStatus::kReachedEnd) << run.last.message;
  const double t1 = std::sqrt(2.0 / kG);
  double t = t1, hop = t1;
  ASSERT_GE(times.size(), 8U);
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_NEAR(times[k], t, 1e-11) << k;
    hop *= e;
    t += 2.0 * hop;
  }
  EXPECT_LE(times.size(), 20U);  // hops below the event tolerance are none
  EXPECT_NEAR(run.position("ball").z(), 0.1, 1e-12);
  EXPECT_NEAR(run.position("ball").x(), 3.0, 1e-12);
  EXPECT_LE(run.worst_penetration, 1e-9);
  run.expect_ledger_closes();
}

TEST(AnalyticBounce, ElasticBallKeepsItsEnergyOverAThousandCollisions) {
  SceneRun run(smooth(1.0) + kFloor + ball("ball", 2, "position: [0, 0, 1.1]") + method(""));
  int collisions = 0;
  run.watch = [&](const StepReport&, auto contacts, const dynamics::State&) {
    collisions += !contacts.empty() && contacts[0].normal_impulse > 0.0 ? 1 : 0;
  };
  const double t1 = std::sqrt(2.0 / kG);
  ASSERT_EQ(run.run_until(2000.0 * t1), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(collisions, 1000, 1);
  EXPECT_NEAR(run.last.ledger.total() / (2.0 * kG * 1.1), 1.0, 1e-9);
  EXPECT_LE(run.worst_penetration, 1e-9);
}

// Five balls of different masses in a box of planes, under gravity.
TEST(AnalyticBounce, ElasticBallsInABoxKeepTheirEnergyOverAThousandCollisions) {
  std::string text = smooth(1.0) + "  - {name: box, fixed: true, material: m, shapes: [";
  for (const char* wall : {"[1, 0, 0]", "[-1, 0, 0]", "[0, 1, 0]", "[0, -1, 0]", "[0, 0, -1]"}) {
    text += std::string("{plane: {normal: ") + wall + ", offset: -0.5}}, ";
  }
  text += "{plane: {normal: [0, 0, 1], offset: -0.5}}]}\n";
  for (int i = 0; i < 5; ++i) {
    text += ball("b" + std::to_string(i), 1.0 + i,
                 "position: [" + to_text(-0.3 + 0.3 * (i % 3)) + ", " + to_text(0.05 * i) + ", " +
                     to_text(-0.2 + 0.4 * (i / 3)) + "], velocity: [" + to_text(3.0 - 0.1 * i) +
                     ", " + to_text(1.0 + 0.2 * i) + ", " + to_text(0.3 * i - 2.0) + "]");
  }
  SceneRun run(text + method(""));
  int collisions = 0;
  double first = 0.0, worst = 0.0;
  run.watch = [&](const StepReport& report, auto contacts, const dynamics::State&) {
    for (const contact::ContactRecord& r : contacts) collisions += r.normal_impulse > 0.0 ? 1 : 0;
    if (first == 0.0) first = report.ledger.total();
    worst = std::max(worst, std::fabs(report.ledger.total() - first));
  };
  for (double t = 1.0; collisions < 1000 && t < 200.0; t += 1.0) {
    ASSERT_EQ(run.run_until(t), AdvanceStatus::kReachedEnd) << run.last.message;
  }
  EXPECT_GE(collisions, 1000);
  EXPECT_LE(worst, 1e-9 * run.largest_energy);
  EXPECT_LE(run.worst_penetration, 1e-9);
}

// A gap that begins at zero, up to rounding, and comes back is a hop: its end is what is sought.
TEST(AnalyticEvents, TheBeginningOfAHopIsNotItsEnd) {
  using scene::AnalyticOptions;
  for (const auto search :
       {AnalyticOptions::Events::kRegulaFalsi, AnalyticOptions::Events::kBisection}) {
    for (const double start : {0.0, 1e-17, 9e-14}) {
      for (const double end : {0.7, 0.01, 0.001}) {
        const auto gap = [&](double x) {
          return start + 0.001 * x * (end - x);
        };
        analytic::Bracket bracket{
            .low = 0.0, .high = 1.0, .value_low = start, .value_high = gap(1.0)};
        const int rounds =
            shrink_bracket(gap, {.search = search, .value = 1e-13, .width = 1e-15}, &bracket);
        EXPECT_NEAR(bracket.high, end, 2e-10 / end) << start;
        EXPECT_LE(rounds, 70);
      }
    }
  }
}

std::string galperin(double ratio) {
  return "tenpin: 1\ngravity: [0, 0, 0]\nmaterials: {m: {friction: 0, restitution: 1}}\nbodies:\n"
         "  - {name: wall, fixed: true, material: m, shapes: [{plane: {normal: [1, 0, 0]}}]}\n" +
         ball("light", 1, "position: [0.101, 0, 0]") +
         ball("heavy", ratio, "position: [0.302, 0, 0], velocity: [-1, 0, 0]") + method("");
}

// A heavy ball drives a light one against a wall: they collide pi times the root of their masses'
// ratio, rounded down. In the midst of it a microsecond has a hundred collisions.
TEST(AnalyticEvents, CollisionsCountTheDigitsOfPi) {
  for (const auto& [ratio, count] : {std::pair(1e4, 314), std::pair(1e6, 3141)}) {
    SceneRun run(galperin(ratio));
    int collisions = 0;
    run.watch = [&](const StepReport&, auto contacts, const dynamics::State&) {
      for (const contact::ContactRecord& r : contacts) collisions += r.normal_impulse > 0.0 ? 1 : 0;
    };
    ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_EQ(collisions, count);
    EXPECT_NEAR(run.last.ledger.kinetic / (0.5 * ratio), 1.0, 1e-9);
    EXPECT_LE(run.worst_penetration, 1e-9);
  }
}

TEST(AnalyticEvents, ARunThatGetsNowhereEndsWithAWord) {
  SceneRun run(galperin(1e12));
  EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kSolverFailed);
  EXPECT_NE(run.last.message.find("time does not go on"), std::string::npos) << run.last.message;
  EXPECT_NE(run.last.message.find("light"), std::string::npos) << run.last.message;
}

// A bullet of radius 1 mm with 10^5 m/s passes a board of 1 mm in 30 ns, if one lets it.
TEST(AnalyticEvents, NothingPassesThroughAThinBoard) {
  SceneRun run(
      "tenpin: 1\ngravity: [0, 0, 0]\nmaterials: {m: {friction: 0, restitution: 1}}\nbodies:\n"
      "  - {name: board, fixed: true, material: m, shapes: [{box: {size: [0.001, 1, 1]}}]}\n"
      "  - {name: bullet, material: m, mass: 1, position: [-100, 0, 0], velocity: [100000, 0, 0],"
      " shapes: [{sphere: {radius: 0.001}}]}\n" +
      method(""));
  ASSERT_EQ(run.run_until(0.01), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(run.twist("bullet").v.x(), -1e5, 1e-6);
  EXPECT_NEAR(run.position("bullet").x(), -900.0 - 2.0 * 0.0015, 1e-6);
}

// A spinning stick over the edge of a thin plate: its ends dip below the plate's level beside it,
// and one of them hits the edge from the side within a step.
TEST(AnalyticEvents, SpinningStickDoesNotPassAThinPlate) {
  SceneRun run(
      "tenpin: 1\ngravity: [0, 0, 0]\nmaterials: {m: {friction: 0, restitution: 1}}\nbodies:\n"
      "  - {name: plate, fixed: true, material: m, shapes: [{box: {size: [1, 1, 0.0001]}}]}\n"
      "  - {name: stick, material: m, mass: 1, position: [0.6, 0, 0.05],"
      " angular_velocity: [0, 300, 0], shapes: [{box: {size: [0.5, 0.02, 0.02]}}]}\n" +
      method(""));
  int hits = 0;
  run.watch = [&](const StepReport&, auto contacts, const dynamics::State&) {
    for (const contact::ContactRecord& r : contacts) hits += r.normal_impulse > 0.0 ? 1 : 0;
  };
  ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_GE(hits, 1);
  EXPECT_LE(run.worst_penetration, 1e-9);
  const double energy = 0.5 * (0.5 * 0.5 + 0.02 * 0.02) / 12.0 * 300.0 * 300.0;
  EXPECT_NEAR(run.last.ledger.kinetic / energy, 1.0, 1e-9);
}

// f = m g cos(theta) at every instant.   [B89, Fig. 7]
TEST(AnalyticForces, BlockOnAnInclineIsPushedByItsWeight) {
  for (const double degrees : {0.0, 30.0, 57.0}) {
    const auto [s, c] = sin_cos(degrees * kPi / 180.0);
    SceneRun run(smooth(0.0) + "  - {name: ramp, fixed: true, material: m, shapes: [{plane: " +
                 "{normal: [" + to_text(s) + ", 0, " + to_text(c) +
                 "]}}]}\n  - {name: block, material: m, mass: 2, position: [" + to_text(0.1 * s) +
                 ", 0, " + to_text(0.1 * c) + "], orientation: {axis: [0, 1, 0], degrees: " +
                 to_text(degrees) + "}, shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n" + method(""));
    double worst = 0.0, before = 0.0;
    run.watch = [&, cosine = c](const StepReport& report, auto contacts, const dynamics::State&) {
      double impulse = 0.0;
      for (const contact::ContactRecord& r : contacts) impulse += r.normal_impulse;
      worst = std::max(worst, std::fabs(impulse / (report.t - before) / (2.0 * kG * cosine) - 1.0));
      before = report.t;
    };
    ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_LE(worst, 1e-12) << degrees;
    EXPECT_NEAR(run.twist("block").v.norm(), kG * s, 1e-11);
    EXPECT_LE(run.worst_penetration, 1e-12);
    EXPECT_LE(run.worst_residual, 1e-10);
    run.expect_ledger_closes();
  }
}

std::string row_of_balls(int n, double e, const std::string& options) {
  std::string text =
      "tenpin: 1\ngravity: [0, 0, 0]\nmaterials: {m: {friction: 0, restitution: " + to_text(e) +
      "}}\nbodies:\n";
  text += ball("b0", 1, "position: [-0.3, 0, 0], velocity: [1, 0, 0]");
  for (int i = 1; i < n; ++i) {
    text += ball("b" + std::to_string(i), 1, "position: [" + to_text(0.2 * i) + ", 0, 0]");
  }
  return text + method(options);
}

// [B89, Fig. 11]
TEST(AnalyticCollisions, ThreeBallsByBothModels) {
  SceneRun at_once(row_of_balls(3, 1.0, "collisions: simultaneous"));
  ASSERT_EQ(at_once.run_until(1.0), AdvanceStatus::kReachedEnd) << at_once.last.message;
  SceneRun in_turn(row_of_balls(3, 1.0, "collisions: propagation"));
  ASSERT_EQ(in_turn.run_until(1.0), AdvanceStatus::kReachedEnd) << in_turn.last.message;
  const double simultaneous[] = {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0};
  const double propagated[] = {0.0, 0.0, 1.0};
  for (int i = 0; i < 3; ++i) {
    const std::string name = "b" + std::to_string(i);
    EXPECT_NEAR(at_once.twist(name).v.x(), simultaneous[i], 1e-12);
    EXPECT_NEAR(in_turn.twist(name).v.x(), propagated[i], 1e-12);
  }
}

// A heavy ball falls with a light one onto the floor: both rest after one solve, whatever the ratio
// of masses; passed on impulse by impulse it takes ever more.   [B89, Fig. 12]
TEST(AnalyticCollisions, HeavyOnLightComesToRestAtOnce) {
  for (const double ratio : {9.0, 1e3, 1e6}) {
    SceneRun run(smooth(0.0) + kFloor + ball("light", 1, "position: [0, 0, 0.6]") +
                 ball("heavy", ratio, "position: [0, 0, 0.8]") + method(""));
    ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_NEAR(run.position("heavy").z(), 0.3, 1e-9) << ratio;
    EXPECT_NEAR(run.position("light").z(), 0.1, 1e-9) << ratio;
    EXPECT_NEAR(run.twist("heavy").v.norm(), 0.0, 1e-9);
    EXPECT_LE(run.worst_penetration, 1e-9);
  }
}

// A rests on the fixed B; C strikes A from below, which leaves without another push from B.
// [B89, Fig. 13]
TEST(AnalyticCollisions, NoImpulseWhereBodiesPart) {
  SceneRun run(smooth(1.0) +
               "  - {name: B, fixed: true, material: m, shapes: ["
               "{box: {size: [0.2, 1, 0.2]}, position: [-0.4, 0, 0.4]},"
               " {box: {size: [0.2, 1, 0.2]}, position: [0.4, 0, 0.4]}]}\n"
               "  - {name: A, material: m, mass: 1, position: [0, 0, 0.55],"
               " shapes: [{box: {size: [0.9, 0.2, 0.1]}}]}\n" +
               ball("C", 1, "position: [0, 0, 0.2], velocity: [0, 0, 4]") + method(""));
  double by_B = 0.0, by_C = 0.0, before = -1.0;
  run.watch = [&](const StepReport& report, auto contacts, const dynamics::State&) {
    for (const contact::ContactRecord& r : contacts) {
      const bool of_C = r.body_a == run.body("C") || r.body_b == run.body("C");
      if (report.t == before) (of_C ? by_C : by_B) += r.normal_impulse;
    }
    before = report.t;
  };
  ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_GT(by_C, 1.0);
  EXPECT_EQ(by_B, 0.0);
}

// The same seat on three legs and on four, on a slope and then over its edge: forces are not
// unique with four, the motion is.
TEST(AnalyticForces, FourLegsMoveAsThree) {
  const auto chair = [](const std::string& legs) {
    const auto [s, c] = sin_cos(0.3);
    return smooth(0.0) + "  - {name: slope, fixed: true, material: m, shapes: [{plane: {normal: [" +
           to_text(s) + ", 0, " + to_text(c) +
           "]}}]}\n  - {name: chair, material: m, mass: 3, inertia: [0.1, 0.15, 0.2], "
           "center_of_mass: [0, 0, 0], position: [" +
           to_text(0.3 * s) + ", 0, " + to_text(0.3 * c) +
           "], orientation: {axis: [0, 1, 0], radians: 0.3}, shapes: [" + legs + "]}\n" +
           method("");
  };
  const auto leg = [](double x, double y) {
    return "{sphere: {radius: 0.05}, position: [" + to_text(x) + ", " + to_text(y) + ", -0.25]}";
  };
  const std::string three = leg(0.2, 0.2) + ", " + leg(0.2, -0.2) + ", " + leg(-0.2, 0.0);
  SceneRun on_three(chair(three));
  SceneRun on_four(chair(leg(0.2, 0.2) + ", " + leg(0.2, -0.2) + ", " + leg(-0.2, 0.2) + ", " +
                         leg(-0.2, -0.2)));
  ASSERT_EQ(on_three.run_until(1.0), AdvanceStatus::kReachedEnd) << on_three.last.message;
  ASSERT_EQ(on_four.run_until(1.0), AdvanceStatus::kReachedEnd) << on_four.last.message;
  EXPECT_LE((on_three.position("chair") - on_four.position("chair")).norm(), 1e-10);
  EXPECT_LE((on_three.twist("chair").v - on_four.twist("chair").v).norm(), 1e-10);
  EXPECT_TRUE(on_three.last.existence.normals_independent);
  EXPECT_FALSE(on_four.last.existence.normals_independent);
}

// A block slides off a ledge: it tips when its centre has passed the edge, not before and not
// after.   [B89, §4.2]
TEST(AnalyticForces, BlockTipsWhereItsCentrePassesTheEdge) {
  SceneRun run(smooth(0.0) +
               "  - {name: ledge, fixed: true, material: m, position: [-1, 0, -0.5],"
               " shapes: [{box: {size: [2, 1, 1]}}]}\n"
               "  - {name: block, material: m, mass: 1, position: [-0.5, 0, 0.1],"
               " velocity: [0.5, 0, 0], shapes: [{box: {size: [0.6, 0.4, 0.2]}}]}\n" +
               method(""));
  double tips = -1.0;
  run.watch = [&](const StepReport& report, auto, const dynamics::State& state) {
    if (tips < 0.0 && std::fabs(state.v[4]) > 1e-6) tips = report.t;
  };
  ASSERT_EQ(run.run_until(1.3), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(tips, 1.0, 0.06);  // the end of the step that begins there
  EXPECT_LE(run.worst_penetration, 1e-9);
  EXPECT_LE(run.worst_residual, 1e-8);
  EXPECT_NEAR(run.last.ledger.total(), kG * 0.1 + 0.125, 1e-8);
}

// All integrators follow the same motion, and both searches find the same events.
TEST(AnalyticIntegrators, AgreeOnADoublePendulumOverAFloor) {
  const std::string pendulum =
      smooth(0.8) + kFloor +
      "  - {name: support, fixed: true, position: [0, 0, 1.9]}\n"
      "  - {name: upper, parent: support, joint: {hinge: {axis: [0, -1, 0], at: -0.5}}, material: "
      "m,"
      " mass: 1, center_of_mass: [0.5, 0, 0], inertia: 0.08333333333333333}\n"
      "  - {name: lower, parent: upper, joint: {hinge: {axis: [0, -1, 0], at: -0.5}}, material: m,"
      " mass: 1, center_of_mass: [0.5, 0, 0], inertia: 0.08333333333333333, position: [1, 0, 0],"
      " shapes: [{sphere: {radius: 0.01}, position: [1, 0, 0]}]}\n";
  SceneRun best(pendulum + method(""));
  ASSERT_EQ(best.run_until(1.0), AdvanceStatus::kReachedEnd) << best.last.message;
  EXPECT_LT(best.work[contact::Ledger::kNormal], -0.01);  // it did hit the floor
  best.expect_ledger_closes();
  for (const char* options :
       {"integrator: runge-kutta", "integrator: adams", "events: bisection"}) {
    SceneRun other(pendulum + method(options));
    ASSERT_EQ(other.run_until(1.0), AdvanceStatus::kReachedEnd) << other.last.message;
    EXPECT_LE((other.built.state.q - best.built.state.q).norm(), 1e-8) << options;
  }
}

}  // namespace
}  // namespace tenpin::methods
