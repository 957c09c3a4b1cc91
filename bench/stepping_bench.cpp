// Steps per second of the time-stepping method on the papers' scenes and on resting stacks.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "methods/method.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin {
namespace {

// Runs a scene of scenes/ from its start again and again; items are steps.
void run_changed(benchmark::State& bench, const std::string& name,
                 std::span<const scene::Override> changes) {
  const scene::Scene scene =
      scene::read_scene(std::string(TENPIN_SOURCE_DIR) + "/scenes/" + name + ".yaml", changes);
  const scene::Built built = scene::build(scene);
  const auto method = methods::make_method(built.model, scene.method, 1);
  std::int64_t steps = 0;
  for (auto _ : bench) {
    dynamics::State state = built.state;
    const auto status = method->advance(scene.until, scene.until, &state, nullptr);
    if (status != methods::AdvanceStatus::kReachedEnd) bench.SkipWithError("the run failed");
    steps += state.step;
  }
  bench.SetItemsProcessed(steps);
}

void run_scene(benchmark::State& bench, const std::string& name, const std::string& formulation) {
  const std::vector<scene::Override> changes = {
      {.path = "method.time-stepping.formulation", .value = formulation},
      {.path = "method.time-stepping.solver", .value = "lemke"}};
  run_changed(bench, name, changes);
}

// The two orders beside each other, with rigid contacts and the round cone.
void run_order(benchmark::State& bench, const std::string& name, const std::string& until,
               const std::string& order) {
  const std::vector<scene::Override> changes = {
      {.path = "method.time-stepping.order", .value = order},
      {.path = "method.time-stepping.solver", .value = "cone"},
      {.path = "method.time-stepping.contact", .value = "rigid"},
      {.path = "until", .value = until}};
  run_changed(bench, name, changes);
}

BENCHMARK_CAPTURE(run_order, rod_1, "falling-rod", "1", "1");
BENCHMARK_CAPTURE(run_order, rod_2, "falling-rod", "1", "2");
BENCHMARK_CAPTURE(run_order, balls_1, "four-balls", "1", "1");
BENCHMARK_CAPTURE(run_order, balls_2, "four-balls", "1", "2");
BENCHMARK_CAPTURE(run_order, stack_1, "stack", "1", "1");
BENCHMARK_CAPTURE(run_order, stack_2, "stack", "1", "2");
BENCHMARK_CAPTURE(run_scene, rod_position, "falling-rod", "position");
BENCHMARK_CAPTURE(run_scene, rod_nonlinear, "falling-rod", "nonlinear");
BENCHMARK_CAPTURE(run_scene, balls_position, "four-balls", "position");
BENCHMARK_CAPTURE(run_scene, balls_velocity, "four-balls", "velocity");
BENCHMARK_CAPTURE(run_scene, balls_nonlinear, "four-balls", "nonlinear");
BENCHMARK_CAPTURE(run_scene, tumbling_body, "tumbling-body", "position");
BENCHMARK_CAPTURE(run_scene, heavy_on_light, "heavy-on-light", "position");
BENCHMARK_CAPTURE(run_scene, stack_of_ten, "stack", "position")->Unit(benchmark::kSecond);

}  // namespace
}  // namespace tenpin
