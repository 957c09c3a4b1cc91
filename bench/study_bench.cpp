// Costs of a study in addition to its steps: the start of a trial, the pool of threads, the
// table. Times are CPU times of the process; bench/study_ranks.py compares threads with processes.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/study/sweep.h"
#include "lab/study/trial_runner.h"

namespace tenpin::lab {
namespace {

// A ball above a floor, for a tenth of a second: ten steps.
constexpr const char* kBall = R"(tenpin: 1
bodies:
  - {name: floor, fixed: true, shapes: [plane: {}]}
  - {name: ball, mass: 1, position: [0, 0, 1], velocity: [1, 0, 0], shapes: [{sphere: {radius: 0.1}}]}
method: {time-stepping: {step: 0.01}}
until: 0.1
)";

// Nothing moves and nothing is computed but the start: the least that a trial can cost.
constexpr const char* kNothing = R"(tenpin: 1
bodies: [{name: ball, mass: 1, position: [0, 0, 1], shapes: [{sphere: {radius: 0.1}}]}]
method: {time-stepping: {step: 1}}
until: 0.001
)";

// Twelve capsules above a floor of twenty boxes, one step.
std::string make_capsules() {
  std::string text = "tenpin: 1\nbodies:\n";
  for (int i = 0; i < 20; ++i) {
    text += "  - {name: tile " + std::to_string(i) + ", fixed: true, position: [" +
            std::to_string(i) + ", 0, -9], shapes: [{box: {size: [1, 1, 1]}}]}\n";
  }
  for (int i = 0; i < 12; ++i) {
    text += "  - {name: " + std::string(i == 0 ? "ball" : "capsule " + std::to_string(i)) +
            ", mass: 1, position: [" + std::to_string(i) +
            ", 0, 1], shapes: [{capsule: {radius: 0.1, length: 0.5}}]}\n";
  }
  return text + "method: {time-stepping: {step: 0.01}}\nuntil: 0.01\n";
}

class BenchStudy {
 public:
  BenchStudy(const std::string& scene, int trials) {
    std::string pattern = (std::filesystem::temp_directory_path() / "tenpin-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    folder_ = pattern;
    std::ofstream(folder_ / "scene.yaml") << scene;
    std::ofstream(folder_ / "study.yaml")
        << "tenpin_study: 1\nscene: scene.yaml\ntrials: " << trials
        << "\nvary: {height: {path: bodies.ball.position.2, from: 1, to: 2}}\n"
           "measures: {x: {final: bodies.ball.position.x}}\n";
    study = read_study((folder_ / "study.yaml").string());
  }
  ~BenchStudy() { std::filesystem::remove_all(folder_); }
  BenchStudy(const BenchStudy&) = delete;
  BenchStudy& operator=(const BenchStudy&) = delete;

  // The path of a table that is not there.
  std::string make_table() {
    return (folder_ / (std::to_string(num_tables_++) + ".sqlite")).string();
  }

  Study study;

 private:
  std::filesystem::path folder_;
  int num_tables_ = 0;
};

bool always() {
  return true;
}

// One trial after another in this thread, without pool and table.
void run_trials(benchmark::State& bench, const std::string& scene) {
  const BenchStudy place(scene, 1000);
  TrialRunner runner(place.study);
  std::int64_t trial = 0;
  for (auto _ : bench) {
    benchmark::DoNotOptimize(runner.run(trial, always));
    trial = (trial + 1) % place.study.num_trials();
  }
}

// Runs the trials as a sweep with one thread. The difference to run_trials is the cost of pool and
// table.
void sweep_trials(benchmark::State& bench, const std::string& scene) {
  constexpr int kTrials = 20000;
  BenchStudy place(scene, kTrials);
  for (auto _ : bench) {
    TrialTable table(place.make_table(), place.study);
    benchmark::DoNotOptimize(run_sweep(place.study, {.threads = 1}, &table));
  }
  bench.counters["per trial"] = benchmark::Counter(
      kTrials, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// Rows in blocks, as they come from a quick sweep, with that many columns of numbers.
void write_rows(benchmark::State& bench) {
  const auto block = static_cast<std::size_t>(bench.range(0));
  BenchStudy place(kNothing, 1000);
  TrialFacts facts = make_facts(place.study);
  facts.columns = {"a", "b", "c", "d", "e", "f", "g", "h"};
  TrialTable table(place.make_table(), facts);
  std::vector<TrialRow> rows(block);
  std::int64_t trial = 0;
  for (auto _ : bench) {
    for (TrialRow& row : rows) {
      row = {.trial = trial++, .cells = {}, .status = "done", .message = ""};
      for (std::size_t i = 0; i < facts.columns.size(); ++i) {
        row.cells.push_back({.number = 1.0 / static_cast<double>(trial + 1), .text = ""});
      }
    }
    table.add(rows);
  }
  bench.SetItemsProcessed(trial);
}

BENCHMARK_CAPTURE(run_trials, nothing, std::string(kNothing))->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(run_trials, ball, std::string(kBall))->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(run_trials, capsules, make_capsules())->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(sweep_trials, ball, std::string(kBall))
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(write_rows)->Arg(100)->Arg(1000)->Arg(10000)->MeasureProcessCPUTime();

}  // namespace
}  // namespace tenpin::lab
