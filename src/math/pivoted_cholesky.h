// Symmetric positive definite and semidefinite systems of moderate size.
#pragma once

#include <vector>

#include "math/types.h"

namespace tenpin {

// A matrix of at most 6 x 6, stored without heap memory.
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

// The inverse of a positive definite matrix, by square-root-free Cholesky.
[[nodiscard]] SmallMatrix invert_spd(const SmallMatrix& A);

// P'AP = L L' of a positive semidefinite matrix, which separates independent rows from dependent
// ones. Rows are first scaled by their diagonal entries, so that units do not matter.
class PivotedCholesky {
 public:
  // The row that follows: that of the largest pivot, or the first one whose pivot is at least half
  // of that. Rows that depend on each other have equal pivots but for rounding; so only the second
  // rule leaves out the same rows when the matrix changes a little.
  enum class Next { kLargest, kFirst };
  // Pivots below `tolerance` of a row's own diagonal count as zero.
  void factor(ConstMatRef A, double tolerance, Next next = Next::kLargest);

  int size() const { return static_cast<int>(order_.size()); }
  int rank() const { return rank_; }
  // Row numbers of A: the first rank() rows are independent, the others depend on them.
  const std::vector<int>& order() const { return order_; }

  // Solves the independent rows of A x = b and sets all other x to zero; b and x may be the same.
  void solve(VecRef x) const;

 private:
  [[nodiscard]] int find_pivot(int k, Next next) const;

  int rank_ = 0;
  MatX L_;  // of the scaled and permuted matrix
  VecX weight_;
  std::vector<int> order_;
  mutable VecX scratch_;
};

}  // namespace tenpin
