#include "complementarity/lemke.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "complementarity/rational.h"

namespace tenpin::complementarity {
namespace {

// Zero thresholds for a tableau whose entries are initially near one: far above the round-off of a
// few hundred pivots, far below any meaningful entry.
constexpr double kZeroDouble = 1e-11;
constexpr double kZeroDoubleDouble = 1e-24;
// The certificate of a ray is homogeneous, so its relative residual is either round-off or of order
// one.
constexpr double kRayTolerance = 1e-10;

}  // namespace

void Lemke::solve(const Lcp& lcp, LcpSolution* solution) {
  const int n = lcp.size();
  TENPIN_DEMAND(lcp.R.rows() == n && lcp.R.cols() == n);
  solution->z.setZero(n);
  solution->pivots = 0;
  tried_again_ = false;
  if (!equilibrate(lcp, &scaling_)) {
    solution->status = SolveStatus::kNonfinite;
    solution->residual = certify(lcp, solution->z);
    return;
  }
  if (n == 0 || lcp.u.minCoeff() >= 0.0) {
    solution->residual = certify(lcp, solution->z);
    solution->status = SolveStatus::kSolved;
    return;
  }
  const int limit = options_.max_pivots > 0 ? options_.max_pivots : 100 * (n + 10);
  solution->status = attempt(lcp, {kZeroDouble, limit, options_.tie_break, options_.deadline},
                             &tableau_, solution);
  if (solution->status == SolveStatus::kSolved ||
      solution->status == SolveStatus::kIterationLimit || !options_.second_attempt) {
    return;
  }
  tried_again_ = true;
  solution->status = try_again(lcp, limit - solution->pivots, solution);
}

SolveStatus Lemke::try_again(const Lcp& lcp, int max_pivots, LcpSolution* solution) {
  if (lcp.size() > options_.max_exact_size) {
    return attempt(lcp, {kZeroDoubleDouble, max_pivots, options_.tie_break, options_.deadline},
                   &long_tableau_, solution);
  }
  LemkeTableau<Rational> exact_tableau;
  return attempt(lcp, {0.0, max_pivots, options_.tie_break, options_.deadline}, &exact_tableau,
                 solution);
}

template <typename Scalar>
SolveStatus Lemke::attempt(const Lcp& lcp, const PathOptions& path, LemkeTableau<Scalar>* tableau,
                           LcpSolution* solution) {
  tableau->reset(lcp, scaling_);
  SolveStatus status = tableau->follow(path);
  solution->pivots += tableau->num_pivots();
  if (status == SolveStatus::kSolved) status = finish(lcp, *tableau, solution);
  if (status == SolveStatus::kRayTermination) status = check_ray(lcp, *tableau, path.tolerance);
  if (status == SolveStatus::kSolved) return status;
  if (status != SolveStatus::kResidual) solution->residual = certify(lcp, solution->z);
  solution->z.setZero();
  return status;
}

// Solves the final basis again from R and u. If its factors are too inaccurate, uses the values of
// the tableau.
template <typename Scalar>
SolveStatus Lemke::finish(const Lcp& lcp, const LemkeTableau<Scalar>& tableau,
                          LcpSolution* solution) {
  active_.clear();
  for (int i = 0; i < lcp.size(); ++i) {
    if (tableau.is_basic_z(i)) active_.push_back(i);
  }
  if (basis_solver_.solve(lcp, scaling_, active_, solution->z) && accept(lcp, solution)) {
    return SolveStatus::kSolved;
  }
  for (int i = 0; i < lcp.size(); ++i) {
    solution->z[i] = tableau.calc_z(i) * scaling_.column[i] * scaling_.unit;
  }
  return accept(lcp, solution) ? SolveStatus::kSolved : SolveStatus::kResidual;
}

// Negative basic values are either round-off or an error. Sets them to zero, so that the
// certificate decides.
bool Lemke::accept(const Lcp& lcp, LcpSolution* solution) const {
  for (double& value : solution->z) value = std::max(value, 0.0);
  solution->residual = certify(lcp, solution->z);
  return solution->residual.passes(options_.tolerance);
}

template <typename Scalar>
SolveStatus Lemke::check_ray(const Lcp& lcp, const LemkeTableau<Scalar>& tableau, double zero) {
  const int n = lcp.size();
  ray_.resize(n);
  covered_.resize(n);
  const double z0 = tableau.calc_ray_z0(zero);
  for (int i = 0; i < n; ++i) {
    ray_[i] = tableau.calc_ray_z(i, zero) * scaling_.column[i];
    covered_[i] = z0 / scaling_.row[i];
  }
  const bool is_ray = z0 >= 0.0 && ray_.minCoeff() >= 0.0 && ray_.maxCoeff() > 0.0 &&
                      certify(lcp.R, covered_, ray_).relative <= kRayTolerance;
  return is_ray ? SolveStatus::kRayTermination : SolveStatus::kNullPivot;
}

std::vector<double> Lemke::calc_covering() const {
  std::vector<double> covering(scaling_.row.size());
  std::transform(scaling_.row.begin(), scaling_.row.end(), covering.begin(), [](double row) {
    return 1.0 / row;
  });
  return covering;
}

LcpSolution solve_lemke(const Lcp& lcp, const LemkeOptions& options) {
  LcpSolution solution;
  Lemke(options).solve(lcp, &solution);
  return solution;
}

}  // namespace tenpin::complementarity
