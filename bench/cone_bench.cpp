// The cone solver on the friction problems of a folder, beside Siconos' solvers on the same ones.
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

#ifdef TENPIN_HAS_SICONOS
#include "siconos_problem.h"
#endif

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

#ifdef TENPIN_HAS_SICONOS
void siconos(benchmark::State& state, const ConeProblem& problem, const SiconosSolver& peer) {
  FrictionContactProblem* copy = make_siconos_problem(problem);
  SolverOptions* options = solver_options_create(peer.id);
  options->dparam[SICONOS_DPARAM_TOL] = kTolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  std::vector<double> r(problem.q.size());
  std::vector<double> u(problem.q.size());
  for (auto _ : state) {
    std::fill(r.begin(), r.end(), 0.0);
    std::fill(u.begin(), u.end(), 0.0);
    fc3d_driver(copy, r.data(), u.data(), options);
  }
  const ConeResidual residual = certify_cone(problem, r);
  state.counters["err_q"] = residual.err_q;
  // Its own measure is the milder one.
  if (!(residual.err_sic <= kTolerance)) state.SkipWithError("not solved");
  solver_options_delete(options);
}
#endif

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
#ifdef TENPIN_HAS_SICONOS
    for (const SiconosSolver& peer : kSiconosSolvers) {
      benchmark::RegisterBenchmark((name + "/siconos_" + peer.name).c_str(),
                                   [problem, &peer](benchmark::State& s) {
                                     siconos(s, *problem, peer);
                                   })
          ->Unit(benchmark::kMillisecond);
    }
#endif
  }
}

// Before main() of the benchmark library looks for what is registered.
const bool kIsRegistered = (register_all(), true);

}  // namespace tenpin::complementarity::cone
