// Bodies that stand, bodies that are lifted, and what both may cost.
#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
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

std::string box(const std::string& name, double mass, double half, const std::string& place,
                const std::string& more = "") {
  const std::string size = std::to_string(half);
  return "  - {name: " + name + ", material: m, mass: " + std::to_string(mass) +
         ", position: " + place + ", " + more + "shapes: [{box: {half: [" + size + ", " + size +
         ", " + size + "]}}]}\n";
}

// mu = 1.01 tan 15 deg.
std::string ramp(const std::string& velocity) {
  return scene("friction: 0.2706286843554339, restitution: 0",
               "  - {name: ramp, fixed: true, material: m, shapes: [{plane: {normal: "
               "[0.25881904510252074, 0, 0.9659258262890683]}}]}\n"
               "  - {name: block, material: m, mass: 1, position: [0.025881904510252074, 0, "
               "0.09659258262890684], orientation: {axis: [0, 1, 0], degrees: 15}, velocity: " +
                   velocity + ", shapes: [{box: {half: [0.2, 0.15, 0.1]}}]}\n");
}

// A block that friction holds does not move, from the first moment on: it crept 16 mm in a second.
TEST(ImpulseRest, BlockOnARampStands) {
  SceneRun run(ramp("[0, 0, 0]"));
  const VecX before = run.built.state.q;
  double impulse = 0.0;
  run.watch = [&](const methods::StepReport& r, auto contacts, const auto&) {
    EXPECT_EQ(r.events.impacts, 0);
    for (const contact::ContactRecord& c : contacts) impulse += c.normal_impulse;
  };
  EXPECT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd);
  EXPECT_EQ(run.built.state.q, before);
  EXPECT_NEAR(impulse, 2.0 * 9.81 * 0.9659258262890683, 1e-6);
  EXPECT_LE(run.worst_residual, 1e-8);
}

// With the least velocity it cannot rest, and is lifted into its envelope. It is thrown against its
// fall, so that it comes down where it was.
TEST(ImpulseRest, LiftedBlockDoesNotCreep) {
  SceneRun run(ramp("[0, 1e-12, 0]"));
  const Vec3 before = run.position("block");
  double farthest = 0.0;
  run.watch = [&](const auto&, auto, const dynamics::State& state) {
    farthest = std::max(farthest, (Vec3(state.q.head<3>()) - before).norm());
  };
  EXPECT_EQ(run.run_until(5.0), AdvanceStatus::kReachedEnd);
  EXPECT_LE(farthest, 1e-3);  // the envelope
}

// Steeper than friction can hold, or over an edge, nothing rests.
TEST(ImpulseRest, WhatCannotStandFalls) {
  SceneRun sliding(scene("friction: 0.2, restitution: 0",
                         "  - {name: ramp, fixed: true, material: m, shapes: [{plane: {normal: "
                         "[0.25881904510252074, 0, 0.9659258262890683]}}]}\n"
                         "  - {name: block, material: m, mass: 1, position: [0.025881904510252074, "
                         "0, 0.09659258262890684], orientation: {axis: [0, 1, 0], degrees: 15}, "
                         "shapes: [{box: {half: [0.2, 0.15, 0.1]}}]}\n"));
  const Vec3 start = sliding.position("block");
  EXPECT_EQ(sliding.run_until(1.0), AdvanceStatus::kReachedEnd);
  EXPECT_GE((sliding.position("block") - start).norm(), 0.1);

  SceneRun tipping(scene("friction: 0.5, restitution: 0",
                         "  - {name: table, fixed: true, material: m, position: [0, 0, -0.1], "
                         "shapes: [{box: {half: [0.5, 0.5, 0.1]}}]}\n" +
                             box("box", 1.0, 0.1, "[0.52, 0, 0.1]")));
  EXPECT_EQ(tipping.run_until(0.5), AdvanceStatus::kReachedEnd);
  EXPECT_LE(tipping.position("box").z(), 0.05);
}

std::string heavy_on_light(const std::string& more = "") {
  return scene("friction: 0.5, restitution: 0.3", kFloor + box("light", 1.0, 0.1, "[0, 0, 0.1]") +
                                                      box("heavy", 3000.0, 0.2, "[0, 0, 0.4]") +
                                                      more);
}

// Three tonnes on one kilogram: a second took 22 s and 220000 lifts.
TEST(ImpulseRest, HeavyOnLightStands) {
  SceneRun run(heavy_on_light());
  const VecX before = run.built.state.q;
  double impulse = 0.0;  // N s   of the floor
  std::int64_t events = 0;
  run.watch = [&](const methods::StepReport& r, auto contacts, const auto&) {
    events += r.events.events;
    for (const contact::ContactRecord& c : contacts) {
      if (c.body_a == 0) impulse += c.normal_impulse;
    }
  };
  EXPECT_EQ(run.run_until(10.0), AdvanceStatus::kReachedEnd);
  EXPECT_EQ(events, 0);
  EXPECT_EQ(run.built.state.q, before);
  EXPECT_NEAR(impulse, 10.0 * 9.81 * 3001.0, 1e-5 * impulse);
  EXPECT_LE(run.worst_residual, 1e-8);
}

// Until it is hit a body stands; then it moves, and all that stand with it.
TEST(ImpulseRest, EndsWhenSomethingHits) {
  SceneRun run(scene("friction: 0.5, restitution: 0.3",
                     kFloor + box("lower", 1.0, 0.1, "[0, 0, 0.1]") +
                         box("upper", 1.0, 0.1, "[0, 0, 0.3]") +
                         "  - {name: ball, material: m, mass: 1, position: [-1, 0, 0.52], "
                         "velocity: [4, 0, 0], shapes: [{sphere: {radius: 0.05}}]}\n"));
  const Vec3 before = run.position("upper");
  EXPECT_EQ(run.run_until(0.2), AdvanceStatus::kReachedEnd);
  EXPECT_EQ(run.position("upper"), before);
  EXPECT_EQ(run.run_until(0.3), AdvanceStatus::kReachedEnd);
  EXPECT_GE(run.position("upper").x(), 0.05);
  EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd);
  EXPECT_NEAR(run.position("lower").z(), 0.1, 2e-3);
  run.expect_ledger_closes();
}

// Boxes fall on each other and settle. Lifts may hold them in their envelopes, and no more.
TEST(ImpulseRest, LiftsAddNoEnergy) {
  for (const char* e : {"0.3", "0.9"}) {
    std::string boxes = kFloor;
    for (int i = 0; i < 6; ++i) {
      boxes += box("b" + std::to_string(i), 1.0 + (i % 2) * 9.0, 0.1,
                   "[0, 0, " + std::to_string(0.11 + 0.21 * i) + "]");
    }
    SceneRun run(scene(std::string("friction: 0.5, restitution: ") + e, boxes));
    double rest = 0.0;  // J
    double mass = 0.0;
    for (int i = 0; i < 6; ++i) {
      rest += (1.0 + (i % 2) * 9.0) * 9.81 * (0.1 + 0.2 * i);
      mass += 1.0 + (i % 2) * 9.0;
    }
    EXPECT_EQ(run.run_until(1.5), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_LE(run.last.ledger.total(), rest + 6.0 * mass * 9.81 * 1e-3) << e;
    EXPECT_EQ(run.last.certificate.excess_work, 0.0);
    run.expect_ledger_closes();
  }
}

// Arms that overlap where they begin were thrown apart with 33 times their energy, certified.
TEST(ImpulseRest, OverlapIsAFailure) {
  const auto arm = [](const std::string& name, const std::string& place) {
    return "  - {name: " + name + ", material: m, mass: 1, position: " + place +
           ", joint: {hinge: {axis: [0, 1, 0], anchor: [-0.25, 0, 0]}}, "
           "shapes: [{box: {half: [0.25, 0.05, 0.05]}}]}\n";
  };
  SceneRun run(scene("friction: 0.3, restitution: 0.3",
                     arm("a", "[0.25, 0, 0]") + arm("b", "[0.3, 0, 0.06]")));
  EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kCertificateFailed);
  EXPECT_NE(run.last.message.find("a and b overlap by 0.04"), std::string::npos)
      << run.last.message;
  EXPECT_FALSE(run.last.certificate.passed);
  EXPECT_EQ(run.built.state.t, 0.0);
}

// Bodies in a box without gravity, slower and slower: what is slow follows from where they are, not
// from how they began.
TEST(ImpulseRest, EqualStatesAdvanceEqually) {
  std::string bodies;
  for (const char* wall : {"1, 0, 0", "-1, 0, 0", "0, 1, 0", "0, -1, 0", "0, 0, 1", "0, 0, -1"}) {
    bodies += std::string(bodies.empty() ? "  - {name: room, fixed: true, material: m, shapes: ["
                                         : ", ") +
              "{plane: {normal: [" + wall + "], offset: -0.3}}";
  }
  bodies += "]}\n" + box("a", 1.0, 0.1, "[-0.1, 0.02, 0]", "velocity: [3, 1, 0.5], ") +
            box("b", 2.0, 0.08, "[0.15, 0, 0.03]", "angular_velocity: [1, 2, 3], ");
  const std::string text =
      "gravity: [0, 0, 0]\n" + scene("friction: 0.5, restitution: 0.3", bodies);
  SceneRun whole(text);
  EXPECT_EQ(whole.run_until(4.0), AdvanceStatus::kReachedEnd) << whole.last.message;
  const RandomStream random(7, 1);
  for (std::uint64_t i = 0; i < 6; ++i) {
    SceneRun first(text);
    SceneRun second(text);
    const double t = 0.01 * std::floor(random.uniform(i, 10.0, 390.0));
    EXPECT_EQ(first.run_until(t), AdvanceStatus::kReachedEnd);
    second.built.state = first.built.state;
    EXPECT_EQ(second.run_until(4.0), AdvanceStatus::kReachedEnd);
    EXPECT_EQ(whole.built.state.q, second.built.state.q) << t;
    EXPECT_EQ(whole.built.state.v, second.built.state.v) << t;
  }
}

// By Newton's law the rod would leave with 2.71 J of its 2.52 J.
TEST(ImpulseRest, NewtonsLawGainsNoEnergy) {
  SceneRun run("gravity: [0, 0, 0]\n" +
               scene("friction: 1, restitution: 0.9",
                     std::string(kFloor) +
                         "  - {name: rod, material: m, mass: 1, position: [0, 0, 0.45], velocity: "
                         "[1, 0.2, -2], orientation: {axis: [0, 1, 0], degrees: 45}, shapes: "
                         "[{capsule: {radius: 0.05, length: 0.6}}]}\n",
                     "law: newton"));
  std::int64_t guarded = 0;
  run.watch = [&](const methods::StepReport& r, auto, const auto&) {
    guarded += r.guarded;
  };
  EXPECT_EQ(run.run_until(0.3), AdvanceStatus::kReachedEnd);
  EXPECT_LE(run.last.ledger.total(), 2.52);
  EXPECT_GE(run.last.ledger.total(), 1.0);  // it still bounces
  EXPECT_GE(guarded, 1);
}

}  // namespace
}  // namespace tenpin
