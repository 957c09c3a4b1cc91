// Lemke's algorithm on friction LCPs, beside Siconos' lexicographic Lemke on the same problems.
// One iteration solves the next of kNumProblems problems, so that no branch predictor learns one
// by heart; the counter `unsolved` must stay 0. Ours includes scaling, refinement and certificate.
#include <benchmark/benchmark.h>

#include <vector>

#include "complementarity/friction_lcp.h"
#include "complementarity/lemke.h"

#ifdef TENPIN_HAS_SICONOS
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#endif

namespace tenpin::complementarity {
namespace {

constexpr int kNumProblems = 16;

// n = 10 nc from heaps of balls with eight directions; n = 4 from a ball's planar contact.
std::vector<Lcp> make_problems(int n) {
  std::vector<Lcp> problems;
  for (int p = 0; p < kNumProblems; ++p) {
    Draw draw(1, static_cast<std::uint64_t>(p));
    if (n >= 10) {
      problems.push_back(make_heap_lcp(n / 10, &draw));
      continue;
    }
    MatX W = Vec3(1.0, 1.0, 250.0).asDiagonal();
    MatX N(3, 1);
    MatX D(3, 2);
    N << 0, 1, 0;
    D << 1, -1, 0, 0, 0.1, -0.1;
    const Vec3 v(draw.uniform(-1, 1), -1.0, draw.uniform(-1, 1));
    problems.push_back(assemble_friction_lcp(W, N, D, VecX::Constant(1, 0.3), v));
  }
  return problems;
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int n : {4, 10, 20, 40, 70, 140, 280}) bench->Arg(n);
  bench->Unit(benchmark::kMicrosecond);
}

void tenpin_lemke(benchmark::State& state) {
  const std::vector<Lcp> problems = make_problems(static_cast<int>(state.range(0)));
  Lemke lemke;
  LcpSolution solution;
  std::size_t next = 0;
  double pivots = 0.0;
  double unsolved = 0.0;
  double retried = 0.0;
  for (auto _ : state) {
    lemke.solve(problems[next++ % problems.size()], &solution);
    pivots += solution.pivots;
    unsolved += solution.status == SolveStatus::kSolved ? 0.0 : 1.0;
    retried += lemke.tried_again() ? 1.0 : 0.0;
  }
  state.counters["pivots"] = {pivots, benchmark::Counter::kAvgIterations};
  state.counters["unsolved"] = unsolved;
  state.counters["retried"] = {retried, benchmark::Counter::kAvgIterations};
}
BENCHMARK(tenpin_lemke)->Apply(sizes);

#ifdef TENPIN_HAS_SICONOS
// Siconos prints where it fails; its own status decides `unsolved`.
void siconos_lexicolemke(benchmark::State& state) {
  std::vector<Lcp> problems = make_problems(static_cast<int>(state.range(0)));
  const int n = problems[0].size();
  SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
  std::vector<LinearComplementarityProblem> peers;
  for (Lcp& lcp : problems) {
    peers.push_back({n, NM_create_from_data(NM_DENSE, n, n, lcp.R.data()), lcp.u.data()});
  }
  std::vector<double> z(static_cast<std::size_t>(n));
  std::vector<double> w(z.size());
  std::size_t next = 0;
  double pivots = 0.0;
  double unsolved = 0.0;
  for (auto _ : state) {
    std::fill(z.begin(), z.end(), 0.0);
    int status = 0;
    lcp_lexicolemke(&peers[next++ % peers.size()], z.data(), w.data(), &status, options);
    pivots += options->iparam[SICONOS_IPARAM_ITER_DONE];
    unsolved += status == 0 ? 0.0 : 1.0;
  }
  state.counters["pivots"] = {pivots, benchmark::Counter::kAvgIterations};
  state.counters["unsolved"] = unsolved;
  solver_options_delete(options);
}
BENCHMARK(siconos_lexicolemke)->Apply(sizes);
#endif

}  // namespace
}  // namespace tenpin::complementarity
