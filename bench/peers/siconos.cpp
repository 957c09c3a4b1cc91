// One friction problem in FCLIB's format by our cone solver or by one of Siconos' solvers:
//   peer_siconos SOLVER FILE REPEATS
// prints one line of JSON. The time is the median CPU time of solves from zero to 1e-8. An answer
// counts as solved if it passes our certificate by the milder measure, which is Siconos' own. One
// process per solve, since some solvers end in an assertion.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/stopwatch.h"
#include "complementarity/cone/cone_solver.h"
#include "record/fclib.h"
#include "siconos_problem.h"

namespace {

using namespace tenpin;                         // NOLINT
using namespace tenpin::complementarity::cone;  // NOLINT
using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr double kTolerance = 1e-8;
constexpr int kMostIterations = 20000;

template <typename Solve>
double time_median(int repeats, Solve solve) {
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const Stopwatch watch;
    solve();
    times.push_back(watch.cpu());
    constexpr double kLong = 0.5;  // s   once is enough
    if (times.back() > kLong) break;
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

Json make_row(double cpu, const ConeResidual& residual) {
  return {{"cpu", cpu},
          {"err_sic", residual.err_sic},
          {"err_q", residual.err_q},
          {"solved", residual.err_sic <= kTolerance}};
}

Json run_tenpin(const ConeProblem& problem, int repeats) {
  ConeSolver solver({.tolerance = kTolerance});
  ConeSolution solution;
  const double cpu = time_median(repeats, [&] {
    solver.solve(problem, &solution);
  });
  return make_row(cpu, solution.residual);
}

Json run_siconos(const ConeProblem& problem, const SiconosSolver& peer, int repeats) {
  FrictionContactProblem* copy = make_siconos_problem(problem);
  SolverOptions* options = solver_options_create(peer.id);
  options->dparam[SICONOS_DPARAM_TOL] = kTolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = kMostIterations;
  std::vector<double> r(problem.q.size());
  std::vector<double> u(problem.q.size());
  const double cpu = time_median(repeats, [&] {
    std::fill(r.begin(), r.end(), 0.0);
    std::fill(u.begin(), u.end(), 0.0);
    fc3d_driver(copy, r.data(), u.data(), options);
  });
  solver_options_delete(options);
  return make_row(cpu, certify_cone(problem, r));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: " << argv[0] << " SOLVER FILE REPEATS\n";
    return 2;
  }
  const std::string solver = argv[1];
  const fs::path file = argv[2];
  const int repeats = std::stoi(argv[3]);
  // Siconos talks on standard output; ours goes through a copy of it.
  FILE* out = fdopen(dup(fileno(stdout)), "w");
  if (out == nullptr || freopen("/dev/null", "w", stdout) == nullptr) return 4;
  const ConeProblem problem =
      make_cone_problem(record::make_local_form(record::read_fclib(file), file));
  Json row = solver == "tenpin" ? run_tenpin(problem, repeats) : Json();
  for (const SiconosSolver& peer : kSiconosSolvers) {
    if (solver == peer.name) row = run_siconos(problem, peer, repeats);
  }
  row["contacts"] = problem.num_blocks();
  std::fprintf(out, "%s\n", row.dump().c_str());
  std::fclose(out);
  return 0;
}
