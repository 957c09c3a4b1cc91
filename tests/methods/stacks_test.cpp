// Boxes that land on each other: four contacts where three would do, faces that touch in flight and
// press by no more than rounding. Nothing is harder for a complementarity solver at this size.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tenpin::methods
