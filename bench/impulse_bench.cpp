// The impulse-based method: the paper's scenes; heap and hash by the number of bodies; and boxes at
// rest under both methods, whose cost by their number is what the papers dispute about.
#include <benchmark/benchmark.h>

#include <algorithm>
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

void run(const scene::Scene& scene, double until, benchmark::State* state, int threads = 1) {
  Counter counter;
  double simulated = 0.0;
  for (auto _ : *state) {
    scene::Built built = scene::build(scene);
    const auto method = methods::make_method(built.model, scene.method, threads);
    const auto status = method->advance(until, until, &built.state, &counter);
    if (status != methods::AdvanceStatus::kReachedEnd)
      state->SkipWithError("did not reach the end");
    simulated += until;
  }
  state->counters["x_real_time"] = benchmark::Counter(simulated, benchmark::Counter::kIsRate);
  state->counters["events/s"] =
      benchmark::Counter(static_cast<double>(counter.counts.events), benchmark::Counter::kIsRate);
  // Per body and simulated second; naive: all pairs in every event, as without hash and heap.
  const double bodies = static_cast<double>(scene::build(scene).model.num_bodies());
  const auto per_body = [&](std::int64_t n) {
    return static_cast<double>(n) / (simulated * bodies);
  };
  const methods::EventCounts& c = counter.counts;
  state->counters["bodies"] = bodies;
  state->counters["events"] = per_body(c.events);
  state->counters["impacts"] = per_body(c.impacts);
  state->counters["heap"] = per_body(c.heap_operations);
  state->counters["hash"] = per_body(c.hash_looks);
  state->counters["queries"] = per_body(c.distance_queries + c.plane_checks);
  state->counters["naive"] = per_body(c.naive_queries);
  state->counters["steps/query"] =
      static_cast<double>(c.feature_steps) /
      static_cast<double>(std::max<std::int64_t>(c.distance_queries, 1));
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

// Columns of ten balls, more and more of them.
void falling(benchmark::State& state) {
  const std::string columns = std::to_string(state.range(0) / 100);
  const scene::Override wider[] = {{"bodies.ball.repeat.grid", "[" + columns + ", 10, 10]"}};
  const scene::Scene scene =
      scene::read_scene(TENPIN_SOURCE_DIR "/experiments/MC95/cost/falling.yaml", wider);
  run(scene, scene.until, &state);
}
BENCHMARK(falling)->RangeMultiplier(10)->Range(100, 10000)->Unit(benchmark::kMillisecond);

// Scenes made for other methods, that come to rest: forty dominoes, a thousand balls in a bin.
void shared_scene(benchmark::State& state, const std::string& name) {
  const scene::Override by_impulses[] = {{"method", "{impulse: {}}"}};
  const scene::Scene scene =
      scene::read_scene(TENPIN_SOURCE_DIR "/scenes/" + name + ".yaml", by_impulses);
  run(scene, scene.until, &state);
}
BENCHMARK_CAPTURE(shared_scene, dominoes, "dominoes")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(shared_scene, pile_of_balls, "pile-of-balls")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

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

// Sixteen heaps of boxes that fall on each other: groups that never meet, shared by the threads.
void heaps(benchmark::State& state) {
  const char* text =
      "tenpin: 1\nmaterials: {m: {friction: 0.4, restitution: 0.3}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n"
      "  - {name: box, material: m, mass: 1, position: [0, 0, 0.15], shapes: [{box: {size: [0.2, "
      "0.2, 0.2]}}], repeat: {grid: [4, 4, 6], spacing: [2, 2, 0.3], jitter: 0.03}}\n"
      "method: {impulse: {}}\nuntil: 1\n";
  run(scene::parse_scene(text, "heaps.yaml"), 1.0, &state, static_cast<int>(state.range(0)));
}
BENCHMARK(heaps)->DenseRange(1, 4)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
