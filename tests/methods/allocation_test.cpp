// After warm-up a step takes nothing from the heap.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "support/scene_run.h"

namespace {

std::atomic<bool> counting = false;
std::atomic<long> allocations = 0;

void* allocate(std::size_t size) {
  if (counting) ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

// Eigen takes its memory from malloc, past operator new: glibc lets a program stand in front of it.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  if (counting) ++allocations;
  return __libc_malloc(size);
}

namespace tenpin::methods {
namespace {

class Quiet final : public StepObserver {
 public:
  bool on_step(const StepReport& /*report*/, std::span<const contact::ContactRecord> /*contacts*/,
               const dynamics::State& /*state*/) override {
    return true;
  }
};

void expect_no_allocation(const std::string& formulation, const std::string& bodies) {
  test::SceneRun run(
      "tenpin: 1\nname: rest\nmaterials: {m: {friction: 0.5, restitution: 0}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n" +
      bodies + "method: {time-stepping: {step: 0.004, formulation: " + formulation + "}}\n");
  Quiet quiet;
  dynamics::State& state = run.built.state;
  ASSERT_EQ(run.method->advance(0.4, 10.0, &state, &quiet), AdvanceStatus::kReachedEnd);
  allocations = 0;
  counting = true;
  const AdvanceStatus status = run.method->advance(0.8, 10.0, &state, &quiet);
  counting = false;
  EXPECT_EQ(status, AdvanceStatus::kReachedEnd);
  EXPECT_EQ(allocations, 0) << formulation;
}

TEST(Allocation, RestingStackTakesNone) {
  for (const char* formulation : {"position", "velocity", "nonlinear", "position, order: 2"}) {
    expect_no_allocation(formulation,
                         "  - {name: a, material: m, mass: 1, position: [0, 0, 0.1],"
                         " shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n"
                         "  - {name: b, material: m, mass: 1, position: [0, 0, 0.3],"
                         " shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n");
  }
}

TEST(Allocation, RollingAndSlidingTakesNone) {
  for (const char* formulation : {"position", "position, order: 2"}) {
    expect_no_allocation(formulation,
                         "  - {name: a, material: m, mass: 1, position: [0, 0, 0.1],"
                         " velocity: [9, 0, 0], shapes: [{sphere: {radius: 0.1}}]}\n"
                         "  - {name: b, material: m, mass: 1, position: [0, 2, 0.1],"
                         " velocity: [9, 0, 0], shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n");
  }
}

}  // namespace
}  // namespace tenpin::methods
