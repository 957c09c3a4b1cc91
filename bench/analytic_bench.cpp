// Cost of the analytical method: the papers' scenes, the search for events by both rules, and walls
// of bricks at rest.
#include <benchmark/benchmark.h>

#include <string>

#include "base/text.h"
#include "methods/analytic/simulator.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin {
namespace {

using methods::analytic::Simulator;
using methods::analytic::Statistics;

// Runs a scene from its start again and again; items are integrator steps and collisions.
void run_built(benchmark::State& bench, const scene::Scene& scene, double until) {
  const scene::Built built = scene::build(scene);
  Statistics sum;
  std::int64_t steps = 0;
  for (auto _ : bench) {
    Simulator simulator(built.model, scene.method.analytic);
    dynamics::State state = built.state;
    methods::StepReport report;
    while (state.t < until) {
      simulator.step(until, &state, &report);
      if (report.status != methods::AdvanceStatus::kReachedEnd) {
        bench.SkipWithError(report.message.c_str());
        return;
      }
    }
    sum = simulator.statistics();
    steps += state.step;
  }
  bench.SetItemsProcessed(steps);
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

// A wall of n rows of n bricks, each on two halves of those below.
void hold_wall(benchmark::State& bench) {
  const auto n = static_cast<int>(bench.range(0));
  std::string text =
      "tenpin: 1\nmaterials: {m: {friction: 0, restitution: 0}}\nbodies:\n"
      "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n";
  for (int row = 0; row < n; ++row) {
    text += "  - {name: row" + std::to_string(row) + ", material: m, mass: 1, position: [" +
            to_text(row % 2 == 0 ? 0.0 : 0.1) + ", 0, " + to_text(0.05 + 0.1 * row) +
            "], shapes: [{box: {size: [0.2, 0.1, 0.1]}}], repeat: {stack: " +
            std::to_string(row % 2 == 0 ? n : n - 1) + ", spacing: [0.201, 0, 0]}}\n";
  }
  text += "method: {analytic: {}}\nuntil: 1\n";
  run_built(bench, scene::parse_scene(text, "wall.yaml"), 1.0);
}
BENCHMARK(hold_wall)->Arg(3)->Arg(6)->Arg(11)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tenpin
