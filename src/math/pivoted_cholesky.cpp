#include "math/pivoted_cholesky.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace tenpin {

SmallMatrix invert_spd(const SmallMatrix& A) {
  const auto n = A.rows();
  // A = L D L', then the columns of the inverse one by one.
  SmallMatrix L = SmallMatrix::Identity(n, n);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1> D(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    D[j] = A(j, j);
    for (Eigen::Index k = 0; k < j; ++k) D[j] -= L(j, k) * L(j, k) * D[k];
    for (Eigen::Index i = j + 1; i < n; ++i) {
      double sum = A(i, j);
      for (Eigen::Index k = 0; k < j; ++k) sum -= L(i, k) * L(j, k) * D[k];
      L(i, j) = sum / D[j];
    }
  }
  SmallMatrix X = SmallMatrix::Identity(n, n);
  for (Eigen::Index c = 0; c < n; ++c) {
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index k = 0; k < i; ++k) X(i, c) -= L(i, k) * X(k, c);
    }
    for (Eigen::Index i = 0; i < n; ++i) X(i, c) /= D[i];
    for (Eigen::Index i = n; i-- > 0;) {
      for (Eigen::Index k = i + 1; k < n; ++k) X(i, c) -= L(k, i) * X(k, c);
    }
  }
  return 0.5 * (X + X.transpose());
}

// Among the rows from k on.
int PivotedCholesky::find_pivot(int k, Next next) const {
  int best = k;
  for (int i = k + 1; i < size(); ++i) {
    if (L_(i, i) > L_(best, best)) best = i;
  }
  if (next == Next::kLargest) return best;
  const double enough = 0.5 * L_(best, best);
  for (int i = k; i < size(); ++i) {
    if (L_(i, i) >= enough && order_[i] < order_[best]) best = i;
  }
  return best;
}

void PivotedCholesky::factor(ConstMatRef A, double tolerance, Next next) {
  const auto n = static_cast<int>(A.rows());
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), 0);
  scratch_.resize(n);
  weight_.resize(n);
  for (int i = 0; i < n; ++i) weight_[i] = A(i, i) > 0.0 ? 1.0 / std::sqrt(A(i, i)) : 0.0;
  L_ = weight_.asDiagonal() * A * weight_.asDiagonal();
  rank_ = 0;
  for (int k = 0; k < n; ++k) {
    const int best = find_pivot(k, next);
    if (L_(best, best) <= tolerance) break;
    L_.row(k).swap(L_.row(best));
    L_.col(k).swap(L_.col(best));
    std::swap(order_[k], order_[best]);
    L_(k, k) = std::sqrt(L_(k, k));
    for (int i = k + 1; i < n; ++i) L_(i, k) /= L_(k, k);
    for (int j = k + 1; j < n; ++j) {
      for (int i = j; i < n; ++i) {
        L_(i, j) -= L_(i, k) * L_(j, k);
        L_(j, i) = L_(i, j);
      }
    }
    ++rank_;
  }
}

void PivotedCholesky::solve(VecRef x) const {
  VecX& y = scratch_;
  for (int i = 0; i < rank_; ++i) {
    y[i] = weight_[order_[i]] * x[order_[i]];
    for (int k = 0; k < i; ++k) y[i] -= L_(i, k) * y[k];
    y[i] /= L_(i, i);
  }
  for (int i = rank_; i-- > 0;) {
    for (int k = i + 1; k < rank_; ++k) y[i] -= L_(k, i) * y[k];
    y[i] /= L_(i, i);
  }
  x.setZero();
  for (int i = 0; i < rank_; ++i) x[order_[i]] = weight_[order_[i]] * y[i];
}

}  // namespace tenpin
