// The cone solver on the friction problems of a folder; bench/peers has Siconos' on the same ones.
// TENPIN_FCLIB names the folder; without it, the problems of the tests. One iteration is one solve
// from zero to 1e-8; the counter `err_q` is recomputed from the answer, and a solve whose
// certificate fails is reported as an error instead of a time.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "complementarity/cone/cone_solver.h"
#include "record/fclib.h"

namespace tenpin::complementarity::cone {
namespace {

constexpr double kTolerance = 1e-8;

void tenpin_cone(benchmark::State& state, const ConeProblem& problem) {
  ConeSolver solver({.tolerance = kTolerance});
  ConeSolution solution;
  for (auto _ : state) solver.solve(problem, &solution);
  state.counters["err_q"] = solution.residual.err_q;
  state.counters["systems"] = solution.effort.newton + solution.effort.interior_point;
  if (solution.status != SolveStatus::kSolved) state.SkipWithError("not solved");
}

}  // namespace

void register_all() {
  namespace fs = std::filesystem;
  const char* folder = std::getenv("TENPIN_FCLIB");
  const fs::path place =
      folder != nullptr ? fs::path(folder) : fs::path(TENPIN_SOURCE_DIR) / "tests/record/fclib";
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(place)) {
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const auto problem = std::make_shared<ConeProblem>(
        make_cone_problem(record::make_local_form(record::read_fclib(file), file)));
    const std::string name = file.stem().string();
    benchmark::RegisterBenchmark((name + "/tenpin").c_str(), [problem](benchmark::State& s) {
      tenpin_cone(s, *problem);
    })->Unit(benchmark::kMillisecond);
  }
}

// Before main() of the benchmark library looks for what is registered.
const bool kIsRegistered = (register_all(), true);

}  // namespace tenpin::complementarity::cone
