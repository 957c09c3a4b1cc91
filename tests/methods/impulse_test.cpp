// The impulse-based method on scenes whose outcome is known.   [MC95]
#include <gtest/gtest.h>

#include <cmath>

#include "support/scene_run.h"

namespace tenpin {
namespace {

using contact::Ledger;
using methods::AdvanceStatus;
using test::SceneRun;

constexpr const char* kFloor =
    "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n";

std::string scene(const std::string& material, const std::string& bodies,
                  const std::string& options = "") {
  return "tenpin: 1\nmaterials: {m: {" + material + "}}\nbodies:\n" + bodies +
         "method: {impulse: {" + options + "}}\n";
}

std::string ball(const std::string& name, const std::string& place, const std::string& more = "") {
  return "  - {name: " + name + ", material: m, mass: 1, position: " + place + ", " + more +
         "shapes: [{sphere: {radius: 0.1}}]}\n";
}

// Counts over a whole run.
struct Counts {
  explicit Counts(SceneRun* run) {
    run->watch = [this](const methods::StepReport& r, auto, const auto&) {
      impacts += r.events.impacts;
      micro += r.events.microcollisions;
      queries += r.events.distance_queries + r.events.plane_checks;
      largest = std::max(largest, r.events.impacts);
    };
  }
  std::int64_t impacts = 0, micro = 0, queries = 0, largest = 0;
};

TEST(Impulse, ElasticBounceKeepsItsEnergy) {
  SceneRun run(scene("friction: 0.3, restitution: 1", kFloor + ball("ball", "[0, 0, 10.1]")));
  const Counts counts(&run);
  EXPECT_EQ(run.run_until(290.0), AdvanceStatus::kReachedEnd);
  EXPECT_GE(counts.impacts, 100);
  EXPECT_NEAR(run.last.ledger.total(), 9.81 * 10.1, 1e-9 * 9.81 * 10.1);
  run.expect_ledger_closes();
}

// A ball that bounces ever lower comes to rest: the number of impacts in a time is bounded, and
// what is left of the bounce stays within the envelope.
TEST(Impulse, ZenosBallEndsWithinTheEnvelope) {
  SceneRun run(scene("friction: 0.3, restitution: 0.5", kFloor + ball("ball", "[0, 0, 1.1]")));
  const Counts counts(&run);
  EXPECT_EQ(run.run_until(10.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(run.position("ball").z(), 0.1, 2e-3);
  EXPECT_LE(counts.largest, 20);
  run.expect_ledger_closes();
}

// A declared cap ends a run that has too many impacts; the state is the last certified one.
TEST(Impulse, CapEndsTheRun) {
  SceneRun run(scene("friction: 0.3, restitution: 0.9",
                     kFloor + ball("ball", "[0, 0, 0.101]", "velocity: [0, 0, -1], "),
                     "interval: 1, cap: 3"));
  EXPECT_EQ(run.run_until(2.0), AdvanceStatus::kSolverFailed);
  EXPECT_NE(run.last.message.find("more than 3 impacts"), std::string::npos);
  EXPECT_EQ(run.built.state.t, 0.0);
}

// Without gravity nothing but impulses between the bodies: momentum, angular momentum about the
// origin, and with e = 1 and no friction energy, are kept.
TEST(Impulse, MomentumIsKept) {
  const std::string boxes =
      "  - {name: a, material: m, mass: 2, position: [0, 0, 0], velocity: [1, 0, 0], "
      "angular_velocity: [1, 2, 3], shapes: [{box: {half: [0.3, 0.2, 0.1]}}]}\n"
      "  - {name: b, material: m, mass: 1, position: [1, 0.1, 0.05], velocity: [-1, 0, 0], "
      "angular_velocity: [0, -4, 1], shapes: [{box: {half: [0.2, 0.2, 0.2]}}]}\n"
      "  - {name: c, material: m, mass: 3, position: [-1, 0.1, 0.05], velocity: [2, 0, 0], "
      "shapes: [{capsule: {radius: 0.1, length: 0.4}}]}\n";
  SceneRun run("gravity: [0, 0, 0]\n" + scene("friction: 0.4, restitution: 0.7", boxes));
  const Counts counts(&run);
  const Vec3 before(2.0 * 1 - 1 + 3.0 * 2, 0, 0);
  EXPECT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
  EXPECT_GE(counts.impacts, 2);
  Vec3 after = Vec3::Zero();
  for (const auto& [name, mass] : {std::pair("a", 2.0), {"b", 1.0}, {"c", 3.0}}) {
    after += mass * run.twist(name).v;
  }
  EXPECT_LE((after - before).norm(), 1e-13);
  run.expect_ledger_closes();
}

// A row of balls struck at its end: the last one leaves with what came in.
TEST(Impulse, LastBallOfARowLeaves) {
  std::string balls = ball("striker", "[-1, 0, 0]", "velocity: [1, 0, 0], ");
  for (int i = 0; i < 5; ++i) {
    balls += ball("b" + std::to_string(i), "[" + std::to_string(0.2 * i) + ", 0, 0]");
  }
  SceneRun run("gravity: [0, 0, 0]\n" + scene("friction: 0, restitution: 1", balls));
  EXPECT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(run.twist("b4").v.x(), 1.0, 1e-12);
  for (const char* name : {"striker", "b0", "b1", "b2", "b3"}) {
    EXPECT_NEAR(run.twist(name).v.x(), 0.0, 1e-12) << name;
  }
}

std::string ramp(double mu, double speed, const std::string& options) {
  const double s = 0.25881904510252074, c = 0.9659258262890683;
  const auto vector = [](double x, double z) {
    return "[" + std::to_string(x) + ", 0, " + std::to_string(z) + "]";
  };
  return scene("friction: " + std::to_string(mu) + ", restitution: 0.2",
               "  - {name: ramp, fixed: true, material: m, shapes: [{plane: {normal: "
               "[0.25881904510252074, 0, 0.9659258262890683]}}]}\n"
               "  - {name: block, material: m, mass: 1, position: [0.012940952255126037, 0, "
               "0.048296291314453416], orientation: {axis: [0, 1, 0], degrees: 15}, velocity: " +
                   vector(speed * c, -speed * s) +
                   ", shapes: [{box: {half: [0.1, 0.08, 0.05]}}]}\n",
               options);
}

double along(const SceneRun& run) {
  const Vec3 p = run.position("block");
  return 0.9659258262890683 * p.x() - 0.25881904510252074 * p.z();
}

// [MC95, §Block on ramp experiments]: the slope of the velocity is g (sin - mu cos) within 1 %. Not
// from the first moment: a block that is put down on the ramp is lifted into the envelope first.
TEST(Impulse, RampAccelerations) {
  for (const auto& [mu, speed, a] :
       {std::tuple(0.3, 1.0, -0.303675), std::tuple(0.25, 0.0, 0.170110)}) {
    SceneRun run(ramp(mu, speed, ""));
    std::vector<double> way;
    for (const double t : {0.5, 1.5, 2.5}) {
      EXPECT_EQ(run.run_until(t), AdvanceStatus::kReachedEnd);
      way.push_back(along(run));
    }
    EXPECT_NEAR(way[2] - 2.0 * way[1] + way[0], a, 0.01 * std::fabs(a)) << mu;
    run.expect_ledger_closes();
  }
}

// With microcollisions the block stops after 1.6465 m and stays; without them it creeps.
// [MC95, §Static contact and microcollisions]
TEST(Impulse, MicrocollisionsHoldTheBlock) {
  SceneRun held(ramp(0.3, 1.0, ""));
  EXPECT_EQ(held.run_until(4.0), AdvanceStatus::kReachedEnd);
  const double at_rest = along(held);
  EXPECT_NEAR(at_rest, 1.6465, 0.01 * 1.6465);
  EXPECT_EQ(held.run_until(8.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(along(held), at_rest, 1e-4);

  SceneRun creeping(ramp(0.3, 1.0, "microcollisions: false"));
  EXPECT_EQ(creeping.run_until(4.0), AdvanceStatus::kReachedEnd);
  const double before = along(creeping);
  EXPECT_EQ(creeping.run_until(8.0), AdvanceStatus::kReachedEnd);
  EXPECT_GT(along(creeping), before + 0.01);
}

// While the block is held, neither its normal impulses nor friction do work.
TEST(Impulse, MicrocollisionsDoNoWork) {
  SceneRun run(ramp(0.4, 0.1, ""));
  EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);  // it has come to rest, and swings
  const Counts counts(&run);
  run.work.fill(0.0);
  EXPECT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
  EXPECT_GE(counts.micro, 50);
  EXPECT_EQ(counts.micro, counts.impacts);
  EXPECT_LE(std::fabs(run.work[Ledger::kNormal]), 1e-14);
  EXPECT_LE(std::fabs(run.work[Ledger::kFriction]), 1e-14);
  EXPECT_EQ(run.work[Ledger::kProjection], 0.0);
}

// A ball that rolls on a spinning disc goes round at 2/7 of its rate.
TEST(Impulse, BallOnPlatterOrbits) {
  SceneRun run(
      scene("friction: 0.5, restitution: 0.5",
            "  - {name: platter, material: m, motion: {angular_velocity: [0, 0, 6]}, "
            "position: [0, 0, -0.02], shapes: [{cylinder: {radius: 0.5, length: 0.04}}]}\n"
            "  - {name: ball, material: m, mass: 0.26, position: [0.1, 0, 0.02], "
            "velocity: [0, 0.17142857142857143, 0], angular_velocity: [21.428571428571427, 0, 0], "
            "shapes: [{sphere: {radius: 0.02}}]}\n"));
  double angle = 0.0;
  double last = 0.0;
  run.watch = [&](const auto&, auto, const dynamics::State& state) {
    const double now = std::atan2(state.q[1], state.q[0]);
    angle += std::remainder(now - last, 2.0 * M_PI);
    last = now;
  };
  EXPECT_EQ(run.run_until(14.66), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(angle / 14.66, 12.0 / 7.0, 0.005 * 12.0 / 7.0);
  const Vec3 p = run.position("ball");
  EXPECT_NEAR(std::hypot(p.x(), p.y()), 0.1, 0.002);
  run.expect_ledger_closes();
}

// The cost of rest does not grow with time, and goes as the number of bodies.
TEST(Impulse, RestIsBoundedInCost) {
  const auto cost = [](int boxes) {
    std::string bodies = kFloor;
    for (int i = 0; i < boxes; ++i) {
      bodies += "  - {name: box" + std::to_string(i) + ", material: m, mass: 1, position: [" +
                std::to_string(0.5 * i) +
                ", 0, 0.1001], shapes: [{box: {half: [0.1, 0.1, 0.1]}}]}\n";
    }
    SceneRun run(scene("friction: 0.5, restitution: 0.3", bodies));
    EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
    const Counts counts(&run);
    EXPECT_EQ(run.run_until(3.0), AdvanceStatus::kReachedEnd);
    return static_cast<double>(counts.queries);
  };
  const double one = cost(1);
  EXPECT_LE(one, 2.0 * 1000);  // per second: three looks for each of some hundred bounces
  EXPECT_LE(cost(10), 11.0 * one);
}

// Nor does a jammed pile stall it. How often its balls are looked at is some times the rate at
// which one of them bounces within the envelope; seen: up to 7 times.
TEST(Impulse, PileAtRestIsBoundedInCost) {
  SceneRun run(scene(
      "friction: 0.3, restitution: 0.3",
      "  - {name: bin, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}, "
      "{plane: {normal: [1, 0, 0], offset: -0.2}}, {plane: {normal: [-1, 0, 0], offset: -0.2}}, "
      "{plane: {normal: [0, 1, 0], offset: -0.2}}, {plane: {normal: [0, -1, 0], offset: -0.2}}]}\n"
      "  - {name: ball, material: m, mass: 1, position: [-0.11, -0.11, 0.06], shapes: [{sphere: "
      "{radius: 0.05}}], repeat: {grid: [3, 3, 3], spacing: 0.11, jitter: 0.005}}\n"));
  constexpr double kBalls = 27.0;
  const double rate = std::sqrt(9.81 / 5e-4);  // 1/s
  for (int second = 1; second <= 4; ++second) {
    std::int64_t events = 0;
    run.watch = [&](const methods::StepReport& r, auto, const auto&) {
      events += r.events.events;
    };
    EXPECT_EQ(run.run_until(second), AdvanceStatus::kReachedEnd);
    EXPECT_LE(static_cast<double>(events), 10.0 * rate * kBalls) << second;
  }
  run.expect_ledger_closes();
}

// A saved state goes on bit by bit, in a method of its own.
TEST(Impulse, ResumesBitByBit) {
  const std::string text =
      scene("friction: 0.4, restitution: 0.4",
            kFloor + ball("a", "[0, 0, 0.5]", "velocity: [0.3, 0, 0], ") +
                "  - {name: b, material: m, mass: 1, position: [0.3, 0, 0.3], angular_velocity: "
                "[3, 4, 5], shapes: [{box: {half: [0.1, 0.05, 0.08]}}]}\n");
  SceneRun whole(text);
  SceneRun first(text);
  SceneRun second(text);
  EXPECT_EQ(whole.run_until(2.0), AdvanceStatus::kReachedEnd);
  EXPECT_EQ(first.run_until(0.73), AdvanceStatus::kReachedEnd);
  second.built.state = first.built.state;
  EXPECT_EQ(second.run_until(2.0), AdvanceStatus::kReachedEnd);
  EXPECT_EQ(whole.built.state.q, second.built.state.q);
  EXPECT_EQ(whole.built.state.v, second.built.state.v);
}

// The hybrid: a double pendulum swings against a wall; joints hold, the wall is hit, energy is
// never gained.
TEST(Impulse, MechanismsAreHitThroughTheirJoints) {
  SceneRun run(
      scene("friction: 0.3, restitution: 0.5",
            "  - {name: wall, fixed: true, material: m, position: [-0.35, 0, -0.5], "
            "shapes: [{box: {half: [0.1, 0.5, 1]}}]}\n"
            "  - {name: upper, material: m, mass: 1, position: [0.25, 0, 0], "
            "joint: {hinge: {axis: [0, 1, 0], anchor: [-0.25, 0, 0]}}, "
            "shapes: [{box: {half: [0.25, 0.03, 0.03]}}]}\n"
            "  - {name: lower, parent: upper, material: m, mass: 1, position: [0.5, 0, 0], "
            "joint: {hinge: {axis: [0, 1, 0], anchor: [-0.25, 0, 0]}}, "
            "shapes: [{box: {half: [0.25, 0.03, 0.03]}}]}\n"));
  const Counts counts(&run);
  EXPECT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
  EXPECT_GE(counts.impacts, 1);
  EXPECT_LE(run.last.ledger.total(), 1e-9);  // it began at rest, at height 0
  EXPECT_LE(run.worst_closure, 1e-9 * run.largest_energy);
  EXPECT_LE(run.worst_penetration, 1e-3);
}

// One rod of 1 m on a hinge, hanging down at angle 0, with stops.
std::string rod_with_stops(const std::string& limits, const std::string& method) {
  return "tenpin: 1\nbodies:\n"
         "  - {name: rod, mass: 2, inertia: [0.16666666666666666, 0.16666666666666666, 1e-3],"
         " center_of_mass: [0, 0, -0.5], joint: {hinge: {axis: [0, -1, 0], at: 1, limits: " +
         limits + "}}}\n" + method;
}

// A rod falls against the stop of its hinge, and rests there within the envelope, which is 1 % of a
// metre where nothing has a shape.
TEST(Impulse, StopHoldsTheRodUp) {
  SceneRun run(rod_with_stops("[0.5, 2]", "method: {impulse: {envelope: 1e-4}}\n"));
  const Counts counts(&run);
  double lowest = 1.0;
  run.watch = [&](const auto&, auto, const dynamics::State& state) {
    lowest = std::min(lowest, state.q[0]);
  };
  EXPECT_EQ(run.run_until(3.0), AdvanceStatus::kReachedEnd);
  EXPECT_GE(lowest, 0.5);
  EXPECT_NEAR(run.built.state.q[0], 0.5, 1e-4 / 0.5);
  EXPECT_LE(run.worst_residual, 1e-12);
  EXPECT_EQ(run.worst_penetration, 0.0);
  EXPECT_LE(run.worst_closure, 1e-12 * run.largest_energy);
}

// A stop is hit through all joints: two links fall, and the elbow comes to its stop. Time-stepping
// with small steps moves them the same way.
TEST(Impulse, StopsAreHitThroughTheMechanism) {
  const auto arm = [](const std::string& method) {
    return "tenpin: 1\nbodies:\n"
           "  - {name: upper, mass: 1, inertia: [0.02, 0.02, 1e-3], position: [0.25, 0, 0],"
           " joint: {hinge: {axis: [0, 1, 0], anchor: [-0.25, 0, 0]}}}\n"
           "  - {name: lower, parent: upper, mass: 1, inertia: [0.02, 0.02, 1e-3],"
           " position: [0.5, 0, 0], joint: {hinge: {axis: [0, 1, 0], anchor: [-0.25, 0, 0],"
           " limits: [-0.3, 0.3]}}}\n" +
           method;
  };
  SceneRun impulses(arm("method: {impulse: {envelope: 1e-6}}\n"));
  SceneRun steps(arm("method: {time-stepping: {step: 0.0001}}\n"));
  const Counts counts(&impulses);
  EXPECT_EQ(impulses.run_until(0.45), AdvanceStatus::kReachedEnd);
  EXPECT_EQ(steps.run_until(0.45), AdvanceStatus::kReachedEnd);
  EXPECT_GE(counts.impacts, 1);
  EXPECT_LE((impulses.built.state.q - steps.built.state.q).norm(), 1e-3);
  EXPECT_LE((impulses.built.state.v - steps.built.state.v).norm(), 1e-2);
  EXPECT_LE(impulses.worst_closure, 1e-9 * impulses.largest_energy);
}

TEST(Impulse, LawsDiffer) {
  for (const char* law : {"poisson", "energetic", "newton"}) {
    SceneRun run(scene("friction: 0.5, restitution: 0.6",
                       std::string(kFloor) +
                           "  - {name: rod, material: m, mass: 1, position: [0, 0, 0.6], velocity: "
                           "[1, 0.2, 0], orientation: {axis: [0, 1, 0], degrees: 40}, shapes: "
                           "[{capsule: {radius: 0.05, length: 0.6}}]}\n",
                       std::string("law: ") + law));
    EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << law;
    EXPECT_LE(run.worst_residual, 1e-10) << law;
    run.expect_ledger_closes();
  }
}

TEST(Impulse, RefusesWhatItCannotDo) {
  EXPECT_THROW(SceneRun(scene("friction: {along: 0.5, across: 0.2, axis: [1, 0, 0]}",
                              kFloor + ball("b", "[0, 0, 1]"))),
               std::exception);
}

}  // namespace
}  // namespace tenpin
