// Boxes that land on each other: four contacts where three would do, faces that touch in flight and
// press by no more than rounding. Nothing is harder for a complementarity solver at this size.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "base/rng.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using test::SceneRun;

class StackDraw {
 public:
  explicit StackDraw(std::uint64_t seed) : stream_(seed, 0) {}

  template <std::size_t kCount>
  std::string choose(const char* const (&among)[kCount]) {
    return among[stream_.index(counter_++, kCount)];
  }
  int count(int lower, int upper) {
    return lower + static_cast<int>(
                       stream_.index(counter_++, static_cast<std::uint32_t>(upper - lower + 1)));
  }

 private:
  RandomStream stream_;
  std::uint64_t counter_ = 0;
};

std::string draw_stack(std::uint64_t seed) {
  StackDraw draw(seed);
  std::string text = "tenpin: 1\nname: stack\nmaterials: {all: {friction: " +
                     draw.choose({"0", "0.1", "0.5", "1"}) +
                     ", restitution: " + draw.choose({"0", "0.2", "0.5", "0.8", "1"}) +
                     "}}\nbodies:\n"
                     "  - {name: floor, fixed: true, material: all, shapes: [{plane: {}}]}\n";
  double height = 0.1;
  const int num_boxes = draw.count(2, 4);
  for (int i = 0; i < num_boxes; ++i) {
    height += std::stod(draw.choose({"0", "0", "0.01", "0.05"}));
    text += "  - {name: box" + std::to_string(i) +
            ", material: all, mass: " + draw.choose({"1", "1", "5", "0.2"}) + ", position: [" +
            draw.choose({"0", "0", "0.02", "-0.05"}) + ", " + draw.choose({"0", "0", "0.01"}) +
            ", " + std::to_string(height) + "], shapes: [{box: {half: [0.1, 0.1, 0.1]}}]" +
            draw.choose({"", "", ", angular_velocity: [0.3, 0.2, -0.1]"}) + "}\n";
    height += 0.2;
  }
  return text + "method: {time-stepping: {step: " + draw.choose({"0.01", "0.004"}) +
         ", restitution: " + draw.choose({"none", "newton", "poisson"}) + "}}\n";
}

TEST(Stacks, LandUnderEveryLaw) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SceneRun run(draw_stack(seed));
    EXPECT_EQ(run.run_until(0.5), AdvanceStatus::kReachedEnd) << run.last.message << "\n"
                                                              << draw_stack(seed);
    run.expect_ledger_closes();
  }
}

// Bricks that jut out, each by less than the tower above it allows: they stand. Nothing between two
// of them is violated by free flight, in which they fall together.
TEST(Stacks, OverhangingBricksStandUnderEveryFormulation) {
  for (const char* formulation : {"velocity", "position", "nonlinear"}) {
    for (const char* solver : {"lemke", "cone"}) {
      SceneRun run(
          "tenpin: 1\nname: bricks\nmaterials: {brick: {friction: 0.6}}\nbodies:\n"
          "  - {name: floor, fixed: true, material: brick, shapes: [{plane: {}}]}\n"
          "  - {name: a, mass: 2, material: brick, position: [0, 0, 0.05],"
          " shapes: [{box: {size: [0.4, 0.2, 0.1]}}]}\n"
          "  - {name: b, mass: 2, material: brick, position: [0.065, 0, 0.15],"
          " shapes: [{box: {size: [0.4, 0.2, 0.1]}}]}\n"
          "  - {name: c, mass: 2, material: brick, position: [0.16, 0, 0.25],"
          " shapes: [{box: {size: [0.4, 0.2, 0.1]}}]}\n"
          "  - {name: d, mass: 2, material: brick, position: [0.35, 0, 0.35],"
          " shapes: [{box: {size: [0.4, 0.2, 0.1]}}]}\n"
          "method: {time-stepping: {order: 1, step: 0.01, solver: " +
          std::string(solver) + ", formulation: " + formulation + "}}\n");
      ASSERT_EQ(run.run_until(1.0), AdvanceStatus::kReachedEnd) << run.last.message;
      EXPECT_LT((run.position("d") - Vec3(0.35, 0.0, 0.35)).norm(), 1e-9)
          << solver << " " << formulation;
      EXPECT_LT(std::fabs(run.work[contact::Ledger::kProjection]), 1e-9);
    }
  }
}

}  // namespace
}  // namespace tenpin::methods
