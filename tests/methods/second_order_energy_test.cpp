// The second order creates no energy: rims, edges and corners whose contacts jump, in random
// throws and in heaps.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/rng.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::Ledger;
using test::SceneRun;

constexpr const char* kCoin = "cylinder: {radius: 0.1, length: 0.01}";
constexpr const char* kCylinder = "cylinder: {radius: 0.05, length: 0.2}";
constexpr const char* kCapsule = "capsule: {radius: 0.05, length: 0.2}";
// A cone with six sides, its tip up.
constexpr const char* kCone =
    "polyhedron: {points: [[0.1, 0, -0.04], [0.05, 0.087, -0.04], [-0.05, 0.087, -0.04],"
    " [-0.1, 0, -0.04], [-0.05, -0.087, -0.04], [0.05, -0.087, -0.04], [0, 0, 0.12]]}";

std::string three(const RandomStream& random, std::uint64_t first, double lower, double upper) {
  std::string text = "[";
  for (std::uint64_t k = 0; k < 3; ++k) {
    text += (k > 0 ? ", " : "") + std::to_string(random.uniform(first + k, lower, upper));
  }
  return text + "]";
}

std::string thrown_body(const std::string& name, const char* shape, const RandomStream& random,
                        double height) {
  return "  - {name: " + name + ", material: m, mass: 1, position: [" +
         std::to_string(random.uniform(20, -0.05, 0.05)) + ", " +
         std::to_string(random.uniform(21, -0.05, 0.05)) + ", " + std::to_string(height) +
         "], orientation: {axis: " + three(random, 0, -1.0, 1.0) +
         ", radians: " + std::to_string(random.uniform(3, 0.0, 3.0)) +
         "}, velocity: " + three(random, 4, -1.0, 0.5) +
         ", angular_velocity: " + three(random, 8, -8.0, 8.0) + ", shapes: [{" + shape + "}]}\n";
}

std::string over_a_floor(const std::string& bodies, double h, const std::string& options) {
  return "tenpin: 1\nname: thrown\nmaterials: {m: {friction: 0.3, restitution: 0}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n" +
         bodies + "method: {time-stepping: {order: 2, step: " + std::to_string(h) + options +
         "}}\n";
}

struct Gains {
  double worst = 0.0;  // -   largest gain of a step, over the energy before it
  int retries = 0;
};

Gains measure_gains(const std::string& scene, double until) {
  Gains gains;
  SceneRun run(scene);
  double before = -1.0;
  run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
    EXPECT_EQ(report.certificate.scheme_gain, 0.0);
    const double energy = report.ledger.total();
    const double gain = before > 0.0 ? std::max(0.0, energy / before - 1.0) : 0.0;
    gains.worst = std::max(gains.worst, gain);
    gains.retries += report.retries;
    before = energy;
  };
  EXPECT_EQ(run.run_until(until), AdvanceStatus::kReachedEnd) << run.last.message;
  run.expect_ledger_closes();
  return gains;
}

// What smooth contact may gain in a step is O(h^3): far below 1 % of the energy, even where little
// of that is left. With contacts matched by their keys alone one coin in two gained more than 10 %
// in one step, at worst 260 %.
TEST(SecondOrderEnergy, ThrownBodiesGainNothingAtRimsAndCorners) {
  int retries = 0;
  for (const char* solver : {", solver: cone", ", solver: lemke"}) {
    for (const char* shape : {kCoin, kCylinder, kCapsule, kCone}) {
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const RandomStream random(seed, 7);
        const Gains gains = measure_gains(
            over_a_floor(thrown_body("body", shape, random, 0.25), 0.005, solver), 0.8);
        EXPECT_LE(gains.worst, 0.01) << shape << solver << " seed " << seed;
        retries += gains.retries;
      }
    }
  }
  EXPECT_GT(retries, 0);  // some coins rock faster than the step resolves
}

TEST(SecondOrderEnergy, HeapsOfRoundBodiesGainNothing) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    std::string bodies;
    int i = 0;
    for (const char* shape : {kCoin, kCylinder, kCapsule, kCone, kCoin, kCylinder}) {
      const RandomStream random(seed, 100 + static_cast<std::uint64_t>(i));
      bodies += thrown_body("body" + std::to_string(i), shape, random, 0.25 + 0.27 * i);
      ++i;
    }
    const Gains gains = measure_gains(over_a_floor(bodies, 0.005, ""), 0.8);
    EXPECT_LE(gains.worst, 0.002) << seed;
  }
}

// scenes/tilted-coin.yaml: the coin strikes with its rim at 2 m/s. As it rocks, its energy only
// falls.
TEST(SecondOrderEnergy, TiltedCoinOnlyLosesEnergy) {
  constexpr double kStart = 9.81 * 0.25 + 0.5 * 0.07;  // J   weight, and spin with room to spare
  const std::string coin =
      "  - {name: coin, material: m, mass: 1, position: [0, 0, 0.25],"
      " orientation: {axis: [1, 0.3, 0], degrees: 25}, angular_velocity: [0, 2, 5],"
      " shapes: [{cylinder: {radius: 0.1, length: 0.01}}]}\n";
  for (const char* solver : {", solver: cone", ", solver: lemke"}) {
    for (const double h : {0.01, 0.005, 0.0025}) {
      SceneRun run(over_a_floor(coin, h, solver));
      double lowest = kStart;
      run.watch = [&](const StepReport& report, auto /*contacts*/, const auto& /*state*/) {
        EXPECT_LE(report.ledger.total(), lowest + 0.01 * kStart) << report.t << solver << h;
        lowest = std::min(lowest, report.ledger.total());
      };
      ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
      EXPECT_LE(run.last.ledger.total(), 0.8 * kStart) << solver << h;
      run.expect_ledger_closes();
    }
  }
}

}  // namespace
}  // namespace tenpin::methods
