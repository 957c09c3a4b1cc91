#include "complementarity/cone/gauss_seidel.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

// Added to the diagonal so that the block of a joint with redundant rows stays regular.
constexpr double kRidge = 1e-12;
constexpr int kMaxSize = 6;

// Inverts A by Gauss-Jordan with partial pivoting; A is overwritten.
void invert(int n, double* A) {
  double augmented[kMaxSize][2 * kMaxSize] = {};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) augmented[i][j] = A[i + j * n];
    augmented[i][n + i] = 1.0;
  }
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::fabs(augmented[i][k]) > std::fabs(augmented[best][k])) best = i;
    }
    std::swap(augmented[k], augmented[best]);
    const double pivot = augmented[k][k];
    if (pivot == 0.0) continue;
    for (int j = 0; j < 2 * n; ++j) augmented[k][j] /= pivot;
    for (int i = 0; i < n; ++i) {
      const double factor = augmented[i][k];
      if (i == k || factor == 0.0) continue;
      for (int j = 0; j < 2 * n; ++j) augmented[i][j] -= factor * augmented[k][j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) A[i + j * n] = augmented[i][n + j];
  }
}

}  // namespace

void GaussSeidel::reset(const ScaledProblem& problem, double shift) {
  problem_ = &problem;
  shift_ = shift;
  contacts_.resize(problem.num_blocks());
  patches_.clear();
  patch_of_.assign(problem.num_blocks(), -1);
  free_inverse_.clear();
  free_inverse_begin_.assign(problem.num_blocks(), -1);
  const BlockMatrix& W = problem.W;
  for (int a = 0; a < problem.num_blocks(); ++a) {
    const double* const diagonal = W.entry(W.diagonal[a]);
    if (problem.is_contact(a) && W.size(a) == 4) {
      patch_of_[a] = static_cast<int>(patches_.size());
      prepare(diagonal, shift, problem.mu[a], &patches_.emplace_back());
      patches_.back().given = problem.given[a];
      continue;
    }
    if (problem.is_contact(a)) {
      prepare(diagonal, shift, problem.mu[a], &contacts_[a]);
      contacts_[a].given = problem.given[a];
      continue;
    }
    const int n = W.size(a);
    free_inverse_begin_[a] = static_cast<int>(free_inverse_.size());
    free_inverse_.insert(free_inverse_.end(), diagonal, diagonal + n * n);
    double* const block = free_inverse_.data() + free_inverse_begin_[a];
    for (int i = 0; i < n; ++i) block[i + i * n] += shift + kRidge;
    invert(n, block);
  }
}

void GaussSeidel::sweep(std::span<const double> centre, bool backward, std::span<double> r) {
  const BlockMatrix& W = problem_->W;
  const int n = problem_->num_blocks();
  for (int k = 0; k < n; ++k) {
    const int a = backward ? n - 1 - k : k;
    const int first = W.first_row[a];
    const int size = W.size(a);
    double b[kMaxSize] = {};
    for (int i = 0; i < size; ++i) {
      b[i] = problem_->q[first + i] - shift_ * centre[first + i];
    }
    multiply_row(W, a, r.data(), b);
    const double* const diagonal = W.entry(W.diagonal[a]);
    for (int j = 0; j < size; ++j) {
      for (int i = 0; i < size; ++i) b[i] -= diagonal[i + j * size] * r[first + j];
    }
    if (patch_of_[a] >= 0) {
      solve(patches_[patch_of_[a]], b, &r[first]);
    } else if (problem_->is_contact(a)) {
      solve(contacts_[a], b, &r[first]);
    } else {
      solve_free(a, b, &r[first]);
    }
  }
}

void GaussSeidel::solve_free(int block, const double* b, double* r) const {
  const int n = problem_->W.size(block);
  const double* const inverse = free_inverse_.data() + free_inverse_begin_[block];
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int j = 0; j < n; ++j) sum += inverse[i + j * n] * b[j];
    r[i] = -sum;
  }
}

}  // namespace tenpin::complementarity::cone
