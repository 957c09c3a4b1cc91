// Cost of the analytical method: the papers' scenes, the search for events by both rules, walls of
// bricks at rest by complementarity and by linear programs, leaning ones that fall, and long lines
// of dominoes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "base/text.h"
#include "methods/analytic/simulator.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin {
namespace {

using methods::analytic::Simulator;
using methods::analytic::Statistics;

// Runs a scene from its start again and again, from frame to frame as `tenpin run` does; items are
// integrator steps and collisions.
void run_built(benchmark::State& bench, const scene::Scene& scene, double until) {
  const scene::Built built = scene::build(scene);
  Statistics sum;
  std::int64_t steps = 0;
  int contacts = 0;
  for (auto _ : bench) {
    Simulator simulator(built.model, std::get<scene::AnalyticOptions>(scene.method));
    dynamics::State state = built.state;
    methods::StepReport report;
    double frame = 0.0;  // s
    while (state.t < until) {
      if (state.t >= frame) frame = std::min(until, frame + scene.record.every);
      simulator.step(frame, &state, &report);
      contacts = std::max(contacts, report.num_active);
      if (report.status != methods::AdvanceStatus::kReachedEnd) {
        bench.SkipWithError(report.message.c_str());
        return;
      }
    }
    sum = simulator.statistics();
    steps += state.step;
  }
  bench.SetItemsProcessed(steps);
  bench.counters["contacts"] = contacts;
  bench.counters["events"] = static_cast<double>(sum.events);
  bench.counters["collisions"] = static_cast<double>(sum.collisions);
  bench.counters["root_iterations"] = static_cast<double>(sum.root_iterations);
  bench.counters["distances"] = static_cast<double>(sum.distances);
}

void run_scene(benchmark::State& bench, const std::string& file, const std::string& events) {
  const scene::Override change{.path = "method.analytic.events", .value = events};
  const scene::Scene scene = scene::read_scene(
      std::string(TENPIN_SOURCE_DIR) + "/experiments/" + file + "/scene.yaml", {&change, 1});
  run_built(bench, scene, scene.until);
}

BENCHMARK_CAPTURE(run_scene, bricks_regula_falsi, "B89/fig14a", "regula-falsi")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, bricks_bisection, "B89/fig14a", "bisection")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, dominoes_7_regula_falsi, "B89/fig14b", "regula-falsi")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, dominoes_7_bisection, "B89/fig14b", "bisection")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, destructive_chain_regula_falsi, "B89/fig14c", "regula-falsi")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, destructive_chain_bisection, "B89/fig14c", "bisection")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, chain_round_pivot_regula_falsi, "B89/fig14d", "regula-falsi")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, chain_round_pivot_bisection, "B89/fig14d", "bisection")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, blocks_into_chain_regula_falsi, "B89/fig14f", "regula-falsi")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, blocks_into_chain_bisection, "B89/fig14f", "bisection")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, pendulum_regula_falsi, "M11/pendulum", "regula-falsi")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_scene, pendulum_bisection, "M11/pendulum", "bisection")
    ->Unit(benchmark::kMillisecond);

// A wall of smooth bricks, each on two halves of those below, half bricks at the ends; about as
// high as it has bricks in a row. The largest is scenes/brick-wall.yaml.
scene::Scene make_wall(int columns, const std::string& forces) {
  const int layers = (columns + 1) / 2;  // of each kind
  const auto bricks = [&](const std::string& name, double x, double z, double length, int count) {
    return "  - {name: " + name + ", material: m, mass: " + to_text(20.0 * length) +
           ", position: [" + to_text(x) + ", 0, " + to_text(z) + "], shapes: [{box: {size: [" +
           to_text(length) + ", 0.1, 0.1]}}], repeat: {grid: [" + std::to_string(count) + ", 1, " +
           std::to_string(layers) + "], spacing: [0.201, 1, 0.2]}}\n";
  };
  const std::string text =
      "tenpin: 1\nmaterials: {m: {friction: 0, restitution: 0}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n" +
      bricks("even", 0.0, 0.05, 0.2, columns) + bricks("odd", 0.1005, 0.15, 0.2, columns - 1) +
      bricks("left", -0.05, 0.15, 0.1, 1) +
      bricks("right", 0.201 * (columns - 1) + 0.05, 0.15, 0.1, 1) +
      "method: {analytic: {forces: " + forces + "}}\nuntil: 1\n";
  return scene::parse_scene(text, "wall.yaml");
}

// The forces of one instant, found from nothing, and the step after it.
void push_wall(benchmark::State& bench, const std::string& forces) {
  run_built(bench, make_wall(static_cast<int>(bench.range(0)), forces), 1e-3);
  bench.SetComplexityN(static_cast<std::int64_t>(bench.counters["contacts"]));
}
BENCHMARK_CAPTURE(push_wall, lcp, "lcp")
    ->DenseRange(3, 11, 2)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(push_wall, lp, "lp")
    ->DenseRange(3, 11, 2)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);

// Layers of bricks, each shifted to the side: the overhanging end falls, so that contacts part and
// forces cannot be those of rest. One column is a tower.
scene::Scene make_leaning(int columns, int layers, double shift, const std::string& mu) {
  std::string text = "tenpin: 1\nmaterials: {m: {friction: " + mu +
                     ", restitution: 0}}\nbodies:\n"
                     "  - {name: floor, fixed: true, material: m, shapes: [{plane: {}}]}\n";
  for (int k = 0; k < layers; ++k) {
    text += "  - {name: l" + std::to_string(k) + ", material: m, mass: 4, position: [" +
            to_text(shift * k) + ", 0, " + to_text(0.05 + 0.1 * k) +
            "], shapes: [{box: {size: [0.2, 0.1, 0.1]}}], repeat: {grid: [" +
            std::to_string(columns) + ", 1, 1], spacing: [0.201, 1, 1]}}\n";
  }
  return scene::parse_scene(text + "method: {analytic: {}}\nuntil: 1\n", "leaning.yaml");
}

// The forces of its first instant.
void lean_wall(benchmark::State& bench, const std::string& mu) {
  const int columns = static_cast<int>(bench.range(0));
  run_built(bench, make_leaning(columns, 2 * columns, 0.1005, mu), 1e-12);
  bench.SetComplexityN(static_cast<std::int64_t>(bench.counters["contacts"]));
}
BENCHMARK_CAPTURE(lean_wall, smooth, "0")
    ->Arg(2)
    ->Arg(3)
    ->DenseRange(5, 13, 2)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lean_wall, rough, "0.5")
    ->Arg(2)
    ->Arg(3)
    ->Arg(5)
    ->Arg(7)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);
void lean_tower(benchmark::State& bench, const std::string& mu) {
  run_built(bench, make_leaning(1, static_cast<int>(bench.range(0)), 0.03, mu), 1e-12);
  bench.SetComplexityN(static_cast<std::int64_t>(bench.counters["contacts"]));
}
BENCHMARK_CAPTURE(lean_tower, smooth, "0")
    ->RangeMultiplier(2)
    ->Range(8, 256)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lean_tower, rough, "0.5")
    ->RangeMultiplier(2)
    ->Range(8, 64)
    ->Complexity()
    ->Unit(benchmark::kMillisecond);

// A second of it.
void hold_wall(benchmark::State& bench) {
  run_built(bench, make_wall(static_cast<int>(bench.range(0)), "lcp"), 1.0);
  bench.SetComplexityN(static_cast<std::int64_t>(bench.counters["contacts"]));
}
BENCHMARK(hold_wall)->DenseRange(3, 11, 2)->Complexity()->Unit(benchmark::kMillisecond);

// Dominoes in a line, one of which falls.
void run_dominoes(benchmark::State& bench) {
  const scene::Override change{.path = "bodies[2].repeat.stack",
                               .value = std::to_string(bench.range(0) - 1)};
  const scene::Scene scene = scene::read_scene(
      std::string(TENPIN_SOURCE_DIR) + "/experiments/B89/fig14b/scene.yaml", {&change, 1});
  run_built(bench, scene, 0.05 * static_cast<double>(bench.range(0)) / 7.0);
}
BENCHMARK(run_dominoes)->Arg(7)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tenpin
