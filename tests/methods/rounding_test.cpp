// Steps in which nothing is left to measure by: all has come to rest, and there is no gravity.
#include <gtest/gtest.h>

#include <string>

#include "base/rng.h"
#include "base/text.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

// A ball flies at the floor, where another lies, without gravity; both hits are plastic.
std::string draw_hit(std::uint64_t seed, const std::string& method) {
  const RandomStream random(seed, 0);
  const auto draw = [&](std::uint64_t i, double lower, double upper) {
    return lower + (upper - lower) * random.uniform(i);
  };
  const double vx = draw(0, -2.0, 2.0);
  const double vy = draw(1, -2.0, 2.0);
  const double vz = draw(2, -2.0, -0.1);
  const std::string friction = to_text(seed % 3 == 0 ? 0.0 : draw(3, 0.1, 1.0));
  const double part = seed % 2 == 0 ? 0.0 : 1.0;
  return "tenpin: 1\nname: hit\ngravity: [0, 0, 0]\nmaterials: {m: {friction: " + friction +
         ", restitution: 0}}\nbodies:\n"
         "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
         "  - {name: ball, mass: " +
         to_text(draw(4, 0.1, 5.0)) + ", material: m, position: [0, 0, 0.4], velocity: [" +
         to_text(part * vx) + ", " + to_text(part * vy) + ", " + to_text(vz) +
         "], shapes: [{sphere: {radius: 0.1}}]}\n"
         "  - {name: other, mass: 1, material: m, position: [" +
         to_text(0.3 * vx) + ", " + to_text(0.3 * vy) +
         ", 0.1], shapes: [{sphere: {radius: 0.1}}]}\n"
         "method: {time-stepping: {" +
         method + "}}\n";
}

// Lemke's algorithm found no answer to a right side that was rounding.
TEST(Rounding, BallsThatRestTogetherAreCertified) {
  SceneRun run(
      "tenpin: 1\nname: rest\ngravity: [0, 0, 0]\nmaterials: {m: {friction: 0, restitution: 0}}\n"
      "bodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
      "  - {name: ball, mass: 0.561, material: m, position: [0, 0, 0.4],"
      " velocity: [-0.193, 1.42, -1.34], angular_velocity: [3.039, -0.242, 1.14],"
      " shapes: [{sphere: {radius: 0.1}}]}\n"
      "  - {name: other, mass: 1, material: m, position: [-0.0579, 0.426, 0.1],"
      " shapes: [{sphere: {radius: 0.1}}]}\n"
      "method: {time-stepping: {order: 2, solver: lemke}}\n");
  EXPECT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << run.last.message;
}

TEST(Rounding, PlasticHitsWithoutGravityAreCertified) {
  for (const char* method : {"order: 1, solver: lemke", "order: 1, solver: cone",
                             "order: 2, solver: lemke", "order: 2, solver: cone"}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      SceneRun run(draw_hit(seed, method));
      EXPECT_EQ(run.run_until(2.0), AdvanceStatus::kReachedEnd)
          << method << ", seed " << seed << ": " << run.last.message;
      EXPECT_LT(run.worst_residual, 1e-6);
    }
  }
}

// A ball hits the floor head on and keeps, at most, the rounding of its velocity: in the piece of
// the step that is left, that is all there is to measure by.
TEST(Rounding, BallThatStopsWithinAStepIsMeasuredByItsSpeedBefore) {
  struct Hit {
    const char* mass;
    const char* height;
    const char* velocity;
    const char* radius;
    const char* friction;
  };
  for (const Hit& hit :
       {Hit{"0.79", "0.215", "-0.5", "0.118", "0"}, Hit{"1.24", "0.278", "-3", "0.211", "0"},
        Hit{"2.78", "0.326", "-0.5", "0.101", "0"}, Hit{"2.18", "0.268", "-1", "0.158", "0"}}) {
    SceneRun run("tenpin: 1\nname: hit\ngravity: [0, 0, 0]\nmaterials: {m: {friction: " +
                 std::string(hit.friction) +
                 ", restitution: 0}}\nbodies:\n"
                 "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
                 "  - {name: ball, mass: " +
                 hit.mass + ", material: m, position: [0, 0, " + hit.height +
                 "], velocity: [0, 0, " + hit.velocity + "], shapes: [{sphere: {radius: " +
                 hit.radius + "}}]}\nmethod: {time-stepping: {}}\n");
    EXPECT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_LT(run.worst_residual, 1e-9);
  }
}

// Slow is not still: a hit at a micrometre per second has its law, too.
TEST(Rounding, SlowHitIsResolved) {
  SceneRun run(
      "tenpin: 1\nname: slow\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: floor, fixed: true, shapes: [{plane: {}}]}\n"
      "  - {name: ball, mass: 1, position: [0, 0, 0.10000001], velocity: [0, 0, -1e-6],"
      " shapes: [{sphere: {radius: 0.1}}]}\n"
      "method: {time-stepping: {}}\n");
  EXPECT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
  EXPECT_NEAR(run.twist("ball").v.z(), 0.0, 1e-11);
  EXPECT_GT(run.position("ball").z(), 0.1 - 1e-11);
}

}  // namespace
}  // namespace tenpin::methods
