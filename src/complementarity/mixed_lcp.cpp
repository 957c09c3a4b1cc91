#include "complementarity/mixed_lcp.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "complementarity/basis_solver.h"
#include "complementarity/compensated.h"
#include "complementarity/least_norm.h"
#include "complementarity/residual_parts.h"
#include "complementarity/tolerances.h"

namespace tenpin::complementarity {
namespace {

// How much dependent rows may disagree, relative to the right-hand sides.
constexpr double kConsistencyTolerance = 1e-9;

void demand_sizes(const MixedLcp& problem) {
  const int m = problem.num_free();
  const int n = problem.num_complementary();
  TENPIN_DEMAND(problem.A.rows() == m && problem.A.cols() == m);
  TENPIN_DEMAND(problem.C.rows() == m && problem.C.cols() == n);
  TENPIN_DEMAND(problem.D.rows() == n && problem.D.cols() == m);
  TENPIN_DEMAND(problem.B.rows() == n && problem.B.cols() == n);
}

bool is_finite(const MixedLcp& problem) {
  return problem.A.allFinite() && problem.C.allFinite() && problem.D.allFinite() &&
         problem.B.allFinite() && problem.a.allFinite() && problem.b.allFinite();
}

// (left x + right z + constant)_i, and the scale of that row.
struct Row {
  double value = 0.0;
  double scale = 0.0;
};

struct RowBlocks {
  const MatX& left;
  const MatX& right;
  const VecX& constant;
};

Row calc_row(const RowBlocks& blocks, int i, const VecX& x, const VecX& z) {
  DoubleDouble sum(blocks.constant[i]);
  double norm = 0.0;
  for (int j = 0; j < x.size(); ++j) {
    sum = sum + two_product(blocks.left(i, j), x[j]);
    norm += std::fabs(blocks.left(i, j));
  }
  for (int j = 0; j < z.size(); ++j) {
    sum = sum + two_product(blocks.right(i, j), z[j]);
    norm += std::fabs(blocks.right(i, j));
  }
  const double largest = std::max(x.lpNorm<Eigen::Infinity>(), z.lpNorm<Eigen::Infinity>());
  return {sum.high, std::fabs(blocks.constant[i]) + norm * largest};
}

// Computes x for given z, refined once with a residual in double-double precision.
VecX calc_free(const MixedLcp& problem, const LeastNormSolver& equations, const VecX& z) {
  VecX x = equations.solve(-(problem.C * z + problem.a));
  VecX rest(x.size());
  for (int i = 0; i < x.size(); ++i) {
    rest[i] = calc_row({problem.A, problem.C, problem.a}, i, x, z).value;
  }
  return x - equations.solve(rest);
}

bool is_consistent(const MixedLcp& problem, const LeastNormSolver& equations) {
  const auto fits = [&](const VecX& b) {
    return equations.calc_misfit(b) <= kConsistencyTolerance * b.norm();
  };
  bool consistent = fits(problem.a);
  for (int j = 0; j < problem.num_complementary(); ++j) {
    consistent = consistent && fits(problem.C.col(j));
  }
  return consistent;
}

// Solves all rows that hold with equality again, from the original blocks. The Schur complement is
// affected by the condition number of A; this removes its effect.
void polish(const MixedLcp& problem, MixedLcpSolution* solution) {
  const int m = problem.num_free();
  const int n = problem.num_complementary();
  Lcp all{MatX(m + n, m + n), VecX(m + n)};
  all.R << problem.A, problem.C, problem.D, problem.B;
  all.u << problem.a, problem.b;
  std::vector<int> active;
  for (int i = 0; i < m + n; ++i) {
    if (i < m || solution->z[i - m] > 0.0) active.push_back(i);
  }
  Equilibration scaling;
  VecX both(m + n);
  if (!equilibrate(all, &scaling)) return;
  if (!BasisSolver().solve(all, scaling, active, both)) return;
  const VecX z = both.tail(n).cwiseMax(0.0);
  const MixedLcpResidual residual = certify(problem, both.head(m), z);
  if (!(residual.relative < solution->residual.relative)) return;
  solution->x = both.head(m);
  solution->z = z;
  solution->residual = residual;
}

Lcp make_schur_complement(const MixedLcp& problem, const LeastNormSolver& equations) {
  Lcp lcp{problem.B, problem.b - problem.D * equations.solve(problem.a)};
  for (int j = 0; j < problem.num_complementary(); ++j) {
    lcp.R.col(j) -= problem.D * equations.solve(problem.C.col(j));
  }
  return lcp;
}

// As in solve_proximal: adds a small compliance relative to the last iterate, until the certificate
// of the original problem passes.
void solve_proximal_mixed(const MixedLcp& problem, const LemkeOptions& options,
                          MixedLcpSolution* solution) {
  LeastNormSolver equations;
  for (const double compliance : kProximalCompliances) {
    const VecX give_x = compliance * problem.A.diagonal().cwiseAbs();
    const VecX give_z = compliance * problem.B.diagonal().cwiseAbs();
    MixedLcp soft = problem;
    soft.A.diagonal() += give_x;
    soft.B.diagonal() += give_z;
    equations.factorize(soft.A, kDependentRow);
    for (int round = 0; round < kMaxProximalSteps; ++round) {
      const LcpSolution reduced = solve_lemke(make_schur_complement(soft, equations), options);
      solution->pivots += reduced.pivots;
      if (reduced.status != SolveStatus::kSolved) break;
      const VecX x = calc_free(soft, equations, reduced.z);
      const MixedLcpResidual residual = certify(problem, x, reduced.z);
      if (residual.passes(options.tolerance)) {
        solution->status = SolveStatus::kSolved;
        solution->residual = residual;
        solution->x = x;
        solution->z = reduced.z;
        return;
      }
      soft.a = problem.a - give_x.cwiseProduct(x);
      soft.b = problem.b - give_z.cwiseProduct(reduced.z);
    }
  }
}

}  // namespace

bool MixedLcpResidual::passes(double tolerance) const {
  return std::isfinite(scale) && relative <= tolerance;
}

MixedLcpResidual certify(const MixedLcp& problem, const VecX& x, const VecX& z) {
  demand_sizes(problem);
  TENPIN_DEMAND(x.size() == problem.num_free() && z.size() == problem.num_complementary());
  MixedLcpResidual residual;
  for (int i = 0; i < x.size(); ++i) {
    const Row row = calc_row({problem.A, problem.C, problem.a}, i, x, z);
    keep_max(std::fabs(row.value), &residual.equality);
    keep_max(std::fabs(quotient(row.value, row.scale)), &residual.relative);
    keep_max(row.scale, &residual.scale);
  }
  const double z_max = z.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < z.size(); ++i) {
    const Row row = calc_row({problem.D, problem.B, problem.b}, i, x, z);
    keep_max(std::fabs(std::min(z[i], row.value)), &residual.natural);
    keep_max(std::fabs(std::min(quotient(z[i], z_max), quotient(row.value, row.scale))),
             &residual.relative);
    keep_max(row.scale, &residual.scale);
    keep_max(0.0 * row.value, &residual.relative);  // std::min would drop a NaN
  }
  return residual;
}

MixedLcpSolution solve_mixed_lcp(const MixedLcp& problem, const LemkeOptions& options) {
  demand_sizes(problem);
  MixedLcpSolution solution;
  solution.x.setZero(problem.num_free());
  solution.z.setZero(problem.num_complementary());
  solution.status = SolveStatus::kNonfinite;
  if (!is_finite(problem)) return solution;

  LeastNormSolver equations;
  equations.factorize(problem.A, kDependentRow);
  solution.num_redundant_rows = problem.num_free() - equations.rank();
  solution.status = SolveStatus::kInconsistent;
  if (!is_consistent(problem, equations)) return solution;

  const LcpSolution reduced = solve_lemke(make_schur_complement(problem, equations), options);
  solution.status = reduced.status;
  solution.pivots = reduced.pivots;
  if (reduced.status != SolveStatus::kSolved) {
    solve_proximal_mixed(problem, options, &solution);
    return solution;
  }

  solution.z = reduced.z;
  solution.x = calc_free(problem, equations, solution.z);
  solution.residual = certify(problem, solution.x, solution.z);
  if (solution.num_redundant_rows == 0) polish(problem, &solution);
  if (solution.residual.passes(options.tolerance)) return solution;
  solution.status = SolveStatus::kResidual;
  solve_proximal_mixed(problem, options, &solution);
  return solution;
}

}  // namespace tenpin::complementarity
