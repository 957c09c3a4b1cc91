#include "complementarity/exact_lemke.h"

#include <algorithm>

namespace tenpin::complementarity {
namespace {

class ExactTableau {
 public:
  ExactTableau(const Lcp& lcp, const std::vector<double>& covering)
      : n_(lcp.size()), rows_(lcp.size(), std::vector<mpq_class>(2 * lcp.size() + 2)) {
    for (int i = 0; i < n_; ++i) {
      rows_[i][i] = 1;
      for (int j = 0; j < n_; ++j) rows_[i][n_ + j] = -lcp.R(i, j);
      rows_[i][2 * n_] = -covering[i];
      rows_[i][2 * n_ + 1] = lcp.u[i];
      basis_.push_back(i);
    }
  }

  ExactEnd follow() {
    int r = 0;
    for (int i = 1; i < n_; ++i) {
      if (compare(i, r, 2 * n_) > 0) r = i;
    }
    if (rows_[r][2 * n_ + 1] >= 0) return ExactEnd::kSolved;
    int entering = 2 * n_;
    while (true) {
      const int leaving = basis_[r];
      pivot(r, entering);
      if (leaving == 2 * n_) return ExactEnd::kSolved;
      entering = leaving < n_ ? leaving + n_ : leaving - n_;
      r = find_blocking_row(entering);
      if (r < 0) return ExactEnd::kRay;
    }
  }

 private:
  // Sign of row a / its entry in column c minus the same of row b, in the order q, w_1 .. w_n.
  int compare(int a, int b, int c) const {
    int sign = compare_at(a, b, c, 2 * n_ + 1);
    for (int j = 0; j < n_ && sign == 0; ++j) sign = compare_at(a, b, c, j);
    return sign;
  }
  int compare_at(int a, int b, int c, int j) const {
    return cmp(rows_[a][j] / rows_[a][c], rows_[b][j] / rows_[b][c]);
  }

  int find_blocking_row(int c) const {
    int best = -1;
    int z0_row = -1;
    for (int i = 0; i < n_; ++i) {
      if (rows_[i][c] <= 0) continue;
      if (basis_[i] == 2 * n_) z0_row = i;
      if (best < 0 || compare(i, best, c) < 0) best = i;
    }
    const bool z0_ties = z0_row >= 0 && compare_at(z0_row, best, c, 2 * n_ + 1) == 0;
    return z0_ties ? z0_row : best;
  }

  void pivot(int r, int c) {
    const mpq_class p = rows_[r][c];
    for (mpq_class& x : rows_[r]) {
      if (x != 0) x /= p;
    }
    for (int i = 0; i < n_; ++i) {
      if (i == r || rows_[i][c] == 0) continue;
      const mpq_class f = rows_[i][c];
      for (std::size_t j = 0; j < rows_[i].size(); ++j) {
        if (rows_[r][j] != 0) rows_[i][j] -= f * rows_[r][j];
      }
    }
    basis_[r] = c;
  }

  int n_;
  std::vector<std::vector<mpq_class>> rows_;
  std::vector<int> basis_;
};

}  // namespace

ExactEnd follow_exact_lemke(const Lcp& lcp, const std::vector<double>& covering) {
  if (lcp.size() == 0) return ExactEnd::kSolved;
  return ExactTableau(lcp, covering).follow();
}

mpq_class calc_exact_residual(const Lcp& lcp, const VecX& z) {
  mpq_class z_max = 0;
  for (const double value : z) z_max = std::max(z_max, mpq_class(abs(mpq_class(value))));
  mpq_class worst = 0;
  for (int i = 0; i < lcp.size(); ++i) {
    mpq_class w = lcp.u[i];
    mpq_class norm = 0;
    for (int j = 0; j < lcp.size(); ++j) {
      w += mpq_class(lcp.R(i, j)) * mpq_class(z[j]);
      norm += abs(mpq_class(lcp.R(i, j)));
    }
    const mpq_class scale = abs(mpq_class(lcp.u[i])) + norm * z_max;
    if (scale != 0) w /= scale;
    const mpq_class part = z_max == 0 ? mpq_class(0) : mpq_class(mpq_class(z[i]) / z_max);
    worst = std::max(worst, mpq_class(abs(std::min(w, part))));
  }
  return worst;
}

}  // namespace tenpin::complementarity
