#include "complementarity/cone/proximal_point.h"

#include <algorithm>

#include "complementarity/tolerances.h"

namespace tenpin::complementarity::cone {

namespace {

// -   Compliance relative to a row's own mobility. The direction in which W is smallest determines
// the number of steps: for a mass ratio of 1e9, a compliance of 1e-9 halves the error in each step.
constexpr double kCompliances[] = {1e-9, 1e-7, 1e-5};
constexpr double kStalled = 0.98;  // error ratio of two steps above which going on is useless

double find_error(const ConeResidual& residual, Measure measure) {
  return measure == Measure::kErrQ ? residual.err_q : residual.energy;
}

// Adds compliance to every row, and returns the added values by row.
std::vector<double> soften(double compliance, ConeProblem* problem) {
  std::vector<double> give(problem->q.size(), 0.0);
  for (int a = 0; a < problem->num_blocks(); ++a) {
    const int size = problem->W.size(a);
    double* block = problem->W.entry(problem->W.diagonal[a]);
    for (int k = 0; k < size; ++k) {
      double& own = block[k * size + k];
      give[problem->W.first_row[a] + k] = compliance * own;
      own += give[problem->W.first_row[a] + k];
    }
  }
  return give;
}

}  // namespace

void solve_by_proximal_steps(const ConeProblem& problem, std::span<const double> guess,
                             const ConeOptions& options, ConeSolution* solution) {
  ConeSolver solver(options);
  solver.solve(problem, guess, solution);
  if (solution->status == SolveStatus::kSolved || !solution->residual.finite) return;
  double best = find_error(solution->residual, options.measure);
  ConeSolution step;
  for (const double compliance : kCompliances) {
    ConeProblem soft = problem;
    const std::vector<double> give = soften(compliance, &soft);
    std::vector<double> before = solution->r;
    double last = best;
    for (int i = 0; i < kMaxProximalPointSteps && !is_over(options.deadline); ++i) {
      for (std::size_t k = 0; k < before.size(); ++k) {
        soft.q[k] = problem.q[k] - give[k] * before[k];
      }
      solver.solve(soft, before, &step);
      const ConeResidual residual = certify_cone(problem, step.r);
      const double error = find_error(residual, options.measure);
      solution->effort.newton += step.effort.newton;
      solution->effort.interior_point += step.effort.interior_point;
      if (!residual.finite) break;
      if (error < best) {
        best = error;
        solution->r = step.r;
        solution->residual = residual;
        multiply(problem.W, solution->r, problem.q, solution->u);
      }
      if (best <= options.tolerance) {
        solution->status = SolveStatus::kSolved;
        return;
      }
      if (i > 1 && error > kStalled * last) break;
      last = error;
      before = step.r;
    }
  }
}

}  // namespace tenpin::complementarity::cone
