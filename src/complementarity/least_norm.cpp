#include "complementarity/least_norm.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace tenpin::complementarity {
namespace {

double calc_square_sum(const MatX& matrix, int column, int first) {
  double sum = 0.0;
  for (int i = first; i < matrix.rows(); ++i) sum += matrix(i, column) * matrix(i, column);
  return sum;
}

// Applies 1 - tau v v' to x, where v = (1, matrix(k+1.., k)) starts at entry k.
template <typename Vector>
void reflect(const MatX& matrix, int k, double tau, Vector&& x) {
  double sum = x[k];
  for (int i = k + 1; i < matrix.rows(); ++i) sum += matrix(i, k) * x[i];
  sum *= tau;
  x[k] -= sum;
  for (int i = k + 1; i < matrix.rows(); ++i) x[i] -= sum * matrix(i, k);
}

// Computes the reflection that clears column k below the diagonal, and applies it to the other
// columns.
double eliminate(int k, MatX* matrix) {
  const double norm = std::sqrt(calc_square_sum(*matrix, k, k));
  const double diagonal = (*matrix)(k, k);
  if (norm == 0.0) return 0.0;
  const double beta = diagonal > 0.0 ? -norm : norm;
  const double tau = (beta - diagonal) / beta;
  for (int i = k + 1; i < matrix->rows(); ++i) (*matrix)(i, k) /= diagonal - beta;
  for (int j = k + 1; j < matrix->cols(); ++j) reflect(*matrix, k, tau, matrix->col(j));
  (*matrix)(k, k) = beta;
  return tau;
}

}  // namespace

void LeastNormSolver::factorize(const MatX& A, double tolerance) {
  const int cols = static_cast<int>(A.cols());
  const int steps = static_cast<int>(std::min(A.rows(), A.cols()));
  qr_ = A;
  q_tau_.setZero(steps);
  order_.resize(static_cast<std::size_t>(cols));
  std::iota(order_.begin(), order_.end(), 0);
  double largest = 0.0;
  for (rank_ = 0; rank_ < steps; ++rank_) {
    int best = rank_;
    double best_sum = -1.0;
    for (int j = rank_; j < cols; ++j) {
      const double sum = calc_square_sum(qr_, j, rank_);
      if (sum > best_sum) best = j;
      best_sum = std::max(best_sum, sum);
    }
    const double norm = std::sqrt(best_sum);
    largest = std::max(largest, norm);
    if (!(norm > tolerance * largest)) break;
    qr_.col(rank_).swap(qr_.col(best));
    std::swap(order_[rank_], order_[best]);
    q_tau_[rank_] = eliminate(rank_, &qr_);
  }
  tz_.setZero(cols, rank_);
  for (int i = 0; i < rank_; ++i) {
    for (int j = i; j < cols; ++j) tz_(j, i) = qr_(i, j);
  }
  z_tau_.setZero(rank_);
  for (int k = 0; k < rank_; ++k) z_tau_[k] = eliminate(k, &tz_);
}

VecX LeastNormSolver::solve(const VecX& b) const {
  TENPIN_DEMAND(b.size() == qr_.rows());
  VecX c = b;
  for (int k = 0; k < rank_; ++k) reflect(qr_, k, q_tau_[k], c);
  VecX y = VecX::Zero(qr_.cols());
  for (int i = 0; i < rank_; ++i) {  // solves T' y = c, forward
    double sum = c[i];
    for (int j = 0; j < i; ++j) sum -= tz_(j, i) * y[j];
    y[i] = sum / tz_(i, i);
  }
  for (int k = rank_ - 1; k >= 0; --k) reflect(tz_, k, z_tau_[k], y);
  VecX x(y.size());
  for (int j = 0; j < x.size(); ++j) x[order_[static_cast<std::size_t>(j)]] = y[j];
  return x;
}

double LeastNormSolver::calc_misfit(const VecX& b) const {
  VecX c = b;
  for (int k = 0; k < rank_; ++k) reflect(qr_, k, q_tau_[k], c);
  double sum = 0.0;
  for (int i = rank_; i < c.size(); ++i) sum += c[i] * c[i];
  return std::sqrt(sum);
}

}  // namespace tenpin::complementarity
