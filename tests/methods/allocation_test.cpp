// After warm-up a step takes nothing from the heap.
#include <gtest/gtest.h>

#include "support/allocation_count.h"
#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

class Quiet final : public StepObserver {
 public:
  bool on_step(const StepReport& /*report*/, std::span<const contact::ContactRecord> /*contacts*/,
               const dynamics::State& /*state*/) override {
    return true;
  }
};

void expect_no_allocation(const std::string& settings, const std::string& bodies) {
  test::SceneRun run(
      "tenpin: 1\nname: rest\nmaterials: {m: {friction: 0.5, restitution: 0}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n" +
      bodies + "method: {time-stepping: {step: 0.004" + settings + "}}\n");
  Quiet quiet;
  dynamics::State& state = run.built.state;
  ASSERT_EQ(run.method->advance(0.6, 10.0, &state, &quiet), AdvanceStatus::kReachedEnd);
  const long before = count_allocations();
  const AdvanceStatus status = run.method->advance(1.0, 10.0, &state, &quiet);
  EXPECT_EQ(count_allocations(), before) << settings;
  EXPECT_EQ(status, AdvanceStatus::kReachedEnd);
}

TEST(Allocation, RestingStackTakesNone) {
  if (!can_count_allocations()) GTEST_SKIP() << "a sanitizer has a malloc of its own";
  for (const char* settings :
       {", solver: lemke, formulation: position", ", solver: lemke, formulation: velocity",
        ", solver: lemke, formulation: nonlinear", ", solver: lemke, order: 2",
        ", solver: cone, order: 1", ", solver: cone, order: 2", ", formulation: nonlinear",
        ", contact: {compliance: 0.03}"}) {
    expect_no_allocation(settings,
                         "  - {name: a, material: m, mass: 1, position: [0, 0, 0.1],"
                         " shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n"
                         "  - {name: b, material: m, mass: 1, position: [0, 0, 0.3],"
                         " shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n");
  }
}

TEST(Allocation, RollingAndSlidingTakesNone) {
  if (!can_count_allocations()) GTEST_SKIP() << "a sanitizer has a malloc of its own";
  for (const char* settings : {", solver: lemke, order: 1", ", solver: lemke, order: 2",
                               ", solver: cone, order: 1", ", solver: cone, order: 2"}) {
    expect_no_allocation(settings,
                         "  - {name: a, material: m, mass: 1, position: [0, 0, 0.1],"
                         " velocity: [9, 0, 0], shapes: [{sphere: {radius: 0.1}}]}\n"
                         "  - {name: b, material: m, mass: 1, position: [0, 2, 0.1],"
                         " velocity: [9, 0, 0], shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n");
  }
}

}  // namespace
}  // namespace tenpin::methods
