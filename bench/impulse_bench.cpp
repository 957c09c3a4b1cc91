// The impulse-based method: the paper's scenes, and boxes at rest under both methods, whose cost by
// their number is what the papers dispute about.
#include <benchmark/benchmark.h>

#include <string>

#include "methods/method.h"
#include "scene/build.h"
#include "scene/read.h"

namespace {

using namespace tenpin;

struct Counter final : methods::StepObserver {
  bool on_step(const methods::StepReport& report, std::span<const contact::ContactRecord>,
               const dynamics::State&) override {
    counts += report.events;
    return true;
  }
  methods::EventCounts counts;
};

void run(const scene::Scene& scene, double until, benchmark::State* state) {
  Counter counter;
  double simulated = 0.0;
  for (auto _ : *state) {
    scene::Built built = scene::build(scene);
    const auto method = methods::make_method(built.model, scene.method, 1);
    const auto status = method->advance(until, until, &built.state, &counter);
    if (status != methods::AdvanceStatus::kReachedEnd)
      state->SkipWithError("did not reach the end");
    simulated += until;
  }
  state->counters["x_real_time"] = benchmark::Counter(simulated, benchmark::Counter::kIsRate);
  state->counters["events/s"] =
      benchmark::Counter(static_cast<double>(counter.counts.events), benchmark::Counter::kIsRate);
  const auto per_second = [&](std::int64_t n) {
    return static_cast<double>(n) / simulated;
  };
  state->counters["heap"] = per_second(counter.counts.heap_operations);
  state->counters["queries"] = per_second(counter.counts.distance_queries);
  state->counters["naive"] = per_second(counter.counts.naive_queries);
}

void paper_scene(benchmark::State& state, const std::string& name) {
  const scene::Scene scene =
      scene::read_scene(TENPIN_SOURCE_DIR "/experiments/MC95/" + name + "/scene.yaml");
  run(scene, scene.until, &state);
}
BENCHMARK_CAPTURE(paper_scene, pool, "pool")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paper_scene, ramp, "ramp-decelerating")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paper_scene, platter, "platter")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paper_scene, block_drop, "block-drop")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paper_scene, dominoes, "dominoes")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paper_scene, chain, "chain")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paper_scene, coins, "coins")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paper_scene, dish, "dish")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paper_scene, bowling, "bowling")->Unit(benchmark::kMillisecond);

// n boxes that lie on a floor, four contacts each.
void resting(benchmark::State& state, const std::string& method) {
  const std::string text =
      "tenpin: 1\nmaterials: {m: {friction: 0.5, restitution: 0.3}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n"
      "  - {name: box, material: m, mass: 1, position: [0, 0, 0.1], shapes: [{box: {half: [0.1, "
      "0.1, "
      "0.1]}}], repeat: {grid: [" +
      std::to_string(state.range(0)) + ", 1, 1], spacing: 0.5}}\nmethod: {" + method +
      "}\nuntil: 1\n";
  run(scene::parse_scene(text, "resting.yaml"), 1.0, &state);
}
BENCHMARK_CAPTURE(resting, impulse, "impulse: {}")
    ->RangeMultiplier(10)
    ->Range(1, 10000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(resting, time_stepping, "time-stepping: {step: 0.01}")
    ->RangeMultiplier(10)
    ->Range(1, 1000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
