// What a step of the second order costs beside one of the first, in the same run: a pile that falls
// together, a pile at rest, and a pyramid. Rigid contacts, round cone.
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

// A thousand balls of 5 cm in a bin that is a little wider than they are.
struct Packing {
  double spacing;  // m   of their centres
  double jitter;   // m
  double beside;   // m   between balls and walls
};

std::string make_pile(const Packing& packing, int order) {
  const std::string corner = std::to_string(-4.5 * packing.spacing);
  const std::string wall = std::to_string(-(4.5 * packing.spacing + 0.05 + packing.beside));
  const std::string above = std::to_string(0.05 + packing.beside);
  std::string bodies = "  - {name: bin, fixed: true, material: m, shapes: [{plane: {}}";
  for (const char* normal : {"1, 0, 0", "-1, 0, 0", "0, 1, 0", "0, -1, 0"}) {
    bodies += std::string(", {plane: {normal: [") + normal + "], offset: " + wall + "}}";
  }
  bodies += "]}\n  - {name: ball, material: m, mass: 1, position: [" + corner + ", " + corner +
            ", " + above + "], shapes: [{sphere: {radius: 0.05}}], repeat: {grid: [10, 10, 10], " +
            "spacing: " + std::to_string(packing.spacing) +
            ", jitter: " + std::to_string(packing.jitter) + "}}\n";
  return make_scene("0.4", bodies, order);
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
  double cpu = 0.0;  // s

  double calc_ms() const { return 1e3 * cpu / static_cast<double>(steps); }
};

// One run from the start.
Counts run_scene(benchmark::State& bench, const std::string& text, double until) {
  const scene::Scene scene = scene::parse_scene(text, "order.yaml");
  const scene::Built built = scene::build(scene);
  const auto method = methods::make_method(built.model, scene.method, 1);
  Counts counts;
  dynamics::State state = built.state;
  const Stopwatch watch;
  const auto status = method->advance(until, 1e3, &state, &counts);
  counts.cpu = watch.cpu();
  if (status != methods::AdvanceStatus::kReachedEnd) bench.SkipWithError("the run failed");
  return counts;
}

// Both orders, `make(order)` being the scene.
template <class Make>
void compare_orders(benchmark::State& bench, Make make, double until) {
  Counts first;
  Counts second;
  for (auto _ : bench) {
    first = run_scene(bench, make(1), until);
    second = run_scene(bench, make(2), until);
  }
  const auto per_step = [](std::int64_t count, const Counts& of) {
    return static_cast<double>(count) / static_cast<double>(of.steps);
  };
  bench.counters["ms_order_1"] = first.calc_ms();
  bench.counters["ms_order_2"] = second.calc_ms();
  bench.counters["ratio"] = second.calc_ms() / first.calc_ms();
  bench.counters["solves_order_1"] = per_step(first.solves, first);
  bench.counters["solves_order_2"] = per_step(second.solves, second);
  bench.counters["impacts"] = per_step(second.division.impacts, second);
  bench.counters["late"] = per_step(second.division.late, second);
}

void pile_1000_collapses(benchmark::State& bench) {
  constexpr Packing kLoose = {.spacing = 0.11, .jitter = 0.004, .beside = 0.01};
  compare_orders(
      bench,
      [&](int order) {
        return make_pile(kLoose, order);
      },
      0.25);
}
BENCHMARK(pile_1000_collapses)->Iterations(1)->Unit(benchmark::kSecond);

void pile_1000_rests(benchmark::State& bench) {
  constexpr Packing kTouching = {.spacing = 0.1, .jitter = 0.0, .beside = 0.0};
  compare_orders(
      bench,
      [&](int order) {
        return make_pile(kTouching, order);
      },
      0.1);
}
BENCHMARK(pile_1000_rests)->Iterations(1)->Unit(benchmark::kSecond);

void pyramid_210_rests(benchmark::State& bench) {
  compare_orders(
      bench,
      [](int order) {
        return make_pyramid(20, order);
      },
      0.5);
}
BENCHMARK(pyramid_210_rests)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace tenpin
