// What the second order costs beside the first: a pile that falls together and comes to rest, and a
// pyramid. Rigid contacts, round cone; the scenes are those of the benchmark beside other engines.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "base/stopwatch.h"
#include "methods/method.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin {
namespace {

std::string make_scene(const std::string& friction, const std::string& bodies, int order) {
  return "tenpin: 1\nname: order\nseed: 7\nmaterials: {m: {friction: " + friction +
         ", restitution: 0}}\nbodies:\n" + bodies +
         "method: {time-stepping: {order: " + std::to_string(order) +
         ", solver: cone}}\nuntil: 1000\n";
}

// side x side x 10 balls above a floor and between walls.
std::string make_pile(int side, int order) {
  const std::string wall = std::to_string(-(0.055 * side + 0.05));
  const std::string corner = std::to_string(-0.055 * (side - 1));
  std::string bin = "  - {name: bin, fixed: true, material: m, shapes: [{plane: {}}";
  for (const char* normal : {"1, 0, 0", "-1, 0, 0", "0, 1, 0", "0, -1, 0"}) {
    bin += std::string(", {plane: {normal: [") + normal + "], offset: " + wall + "}}";
  }
  const std::string count = std::to_string(side);
  return make_scene("0.4",
                    bin + "]}\n  - {name: ball, material: m, mass: 1, position: [" + corner + ", " +
                        corner + ", 0.06], shapes: [{sphere: {radius: 0.05}}], repeat: {grid: [" +
                        count + ", " + count + ", 10], spacing: 0.11, jitter: 0.004}}\n",
                    order);
}

std::string make_pyramid(int rows, int order) {
  std::string bodies = "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n";
  for (int row = 0; row < rows; ++row) {
    const int count = rows - row;
    bodies +=
        "  - {name: row" + std::to_string(row) + ", material: m, mass: 1, position: [" +
        std::to_string(-0.11 * (count - 1)) + ", 0, " + std::to_string(0.1 + 0.2 * row) +
        "], shapes: [{box: {half: [0.1, 0.1, 0.1]}}], repeat: {stack: " + std::to_string(count) +
        ", spacing: [0.22, 0, 0]}}\n";
  }
  return make_scene("0.5", bodies, order);
}

struct Counts : methods::StepObserver {
  bool on_step(const methods::StepReport& report, std::span<const contact::ContactRecord> /*all*/,
               const dynamics::State& /*state*/) override {
    ++steps;
    solves += report.solves;
    division += report.division;
    return true;
  }
  std::int64_t steps = 0;
  std::int64_t solves = 0;
  methods::DivisionCounts division;
};

// One run from the start. The last quarter, when most of it rests, is also counted by itself.
void settle(benchmark::State& bench, const std::string& text, double until) {
  const scene::Scene scene = scene::parse_scene(text, "order.yaml");
  const scene::Built built = scene::build(scene);
  const auto method = methods::make_method(built.model, scene.method, 1);
  Counts counts;
  double cpu = 0.0;
  double cpu_at_rest = 0.0;
  for (auto _ : bench) {
    dynamics::State state = built.state;
    for (const double end : {0.75 * until, until}) {
      const Stopwatch watch;
      const auto status = method->advance(end, 1e3, &state, &counts);
      if (status != methods::AdvanceStatus::kReachedEnd) bench.SkipWithError("the run failed");
      cpu_at_rest = watch.cpu();
      cpu += cpu_at_rest;
    }
  }
  const auto steps = static_cast<double>(counts.steps);
  const auto runs = static_cast<double>(bench.iterations());
  bench.counters["ms_per_step"] = 1e3 * cpu / steps;
  bench.counters["ms_per_step_at_rest"] = 4e3 * cpu_at_rest * runs / steps;
  bench.counters["solves_per_step"] = static_cast<double>(counts.solves) / steps;
  bench.counters["impacts"] = static_cast<double>(counts.division.impacts) / runs;
  bench.counters["late"] = static_cast<double>(counts.division.late) / runs;
}

void settle_pile(benchmark::State& bench) {
  const int side = static_cast<int>(bench.range(0));
  settle(bench, make_pile(side, static_cast<int>(bench.range(1))), 1.0);
}
BENCHMARK(settle_pile)
    ->ArgNames({"side", "order"})
    ->ArgsProduct({{5, 10}, {1, 2}})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

void settle_pyramid(benchmark::State& bench) {
  const int rows = static_cast<int>(bench.range(0));
  settle(bench, make_pyramid(rows, static_cast<int>(bench.range(1))), 0.5);
}
BENCHMARK(settle_pyramid)
    ->ArgNames({"rows", "order"})
    ->ArgsProduct({{10, 20}, {1, 2}})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace tenpin
