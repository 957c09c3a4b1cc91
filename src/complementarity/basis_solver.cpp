#include "complementarity/basis_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "complementarity/compensated.h"
#include "complementarity/tolerances.h"

namespace tenpin::complementarity {

bool BasisSolver::solve(const Lcp& lcp, const Equilibration& scaling,
                        const std::vector<int>& active, VecRef z) {
  z.setZero();
  if (!factorize(lcp, scaling, active)) return false;
  double last_correction = 0.0;
  for (int step = 0; step <= kMaxBasisRefinements; ++step) {
    update_residual(lcp, scaling, active, z);
    solve_factorized();
    double size = 0.0;
    double correction = 0.0;
    for (int a = 0; a < k_; ++a) {
      size = std::max(size, std::fabs(z[active[a]] / scaling.column[active[a]]));
      correction = std::max(correction, std::fabs(rhs_[a]));
    }
    if (step > 1 && !(correction < 0.5 * last_correction)) break;
    for (int a = 0; a < k_; ++a) z[active[a]] += rhs_[a] * scaling.column[active[a]];
    if (step > 0 && correction <= 1e-16 * size) break;
    last_correction = correction;
  }
  return true;
}

bool BasisSolver::factorize(const Lcp& lcp, const Equilibration& scaling,
                            const std::vector<int>& active) {
  k_ = static_cast<int>(active.size());
  lu_.resize(static_cast<std::size_t>(k_) * k_);
  order_.resize(k_);
  for (auto* buffer : {&rhs_, &permuted_, &high_, &low_}) buffer->resize(k_);
  const auto row = [this](int i) {
    return lu_.data() + static_cast<std::size_t>(i) * k_;
  };
  for (int b = 0; b < k_; ++b) {
    const double* r = lcp.R.col(active[b]).data();
    const double column = scaling.column[active[b]];
    for (int a = 0; a < k_; ++a) row(a)[b] = r[active[a]] * scaling.row[active[a]] * column;
    order_[b] = b;
  }
  for (int p = 0; p < k_; ++p) {
    int best = p;
    for (int i = p + 1; i < k_; ++i) {
      if (std::fabs(row(i)[p]) > std::fabs(row(best)[p])) best = i;
    }
    if (!(std::fabs(row(best)[p]) > 0.0)) return false;
    if (best != p) {
      std::swap_ranges(row(p), row(p) + k_, row(best));
      std::swap(order_[p], order_[best]);
    }
    const double* __restrict pivot_row = row(p);
    for (int i = p + 1; i < k_; ++i) {
      double* __restrict other = row(i);
      if (other[p] == 0.0) continue;
      const double factor = other[p] /= pivot_row[p];
      for (int j = p + 1; j < k_; ++j) other[j] -= factor * pivot_row[j];
    }
  }
  return true;
}

void BasisSolver::solve_factorized() {
  const auto row = [this](int i) {
    return lu_.data() + static_cast<std::size_t>(i) * k_;
  };
  for (int i = 0; i < k_; ++i) {
    double value = rhs_[order_[i]];
    for (int j = 0; j < i; ++j) value -= row(i)[j] * permuted_[j];
    permuted_[i] = value;
  }
  for (int i = k_ - 1; i >= 0; --i) {
    double value = permuted_[i];
    for (int j = i + 1; j < k_; ++j) value -= row(i)[j] * rhs_[j];
    rhs_[i] = value / row(i)[i];
  }
}

// Computes rhs = row * (-u_A - R_AA z_A), with each entry summed as in certify().
void BasisSolver::update_residual(const Lcp& lcp, const Equilibration& scaling,
                                  const std::vector<int>& active, ConstVecRef z) {
  for (int a = 0; a < k_; ++a) {
    high_[a] = -lcp.u[active[a]];
    low_[a] = 0.0;
  }
  for (int b = 0; b < k_; ++b) {
    const double factor = -z[active[b]];
    if (factor == 0.0) continue;
    const double* r = lcp.R.col(active[b]).data();
    for (int a = 0; a < k_; ++a) {
      const DoubleDouble product = two_product(r[active[a]], factor);
      const DoubleDouble sum = two_sum(high_[a], product.high);
      high_[a] = sum.high;
      low_[a] += sum.low + product.low;
    }
  }
  for (int a = 0; a < k_; ++a) rhs_[a] = (high_[a] + low_[a]) * scaling.row[active[a]];
}

}  // namespace tenpin::complementarity
