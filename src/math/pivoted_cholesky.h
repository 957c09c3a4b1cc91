// Symmetric positive definite and semidefinite systems of moderate size.
#pragma once

#include <vector>

#include "math/types.h"

namespace tenpin {

// At most 6 x 6, without the heap.
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

// The inverse of a positive definite matrix, by Cholesky without square roots.
[[nodiscard]] SmallMatrix invert_spd(const SmallMatrix& A);

// P'AP = L L' of a positive semidefinite matrix, largest pivot first, which tells independent rows
// from those that follow from them. Rows are weighed by their own diagonal first, so that units do
// not decide.
class PivotedCholesky {
 public:
  // Pivots below `tolerance` of a row's own diagonal count as zero.
  void factor(ConstMatRef A, double tolerance);

  int size() const { return static_cast<int>(order_.size()); }
  int rank() const { return rank_; }
  // Row numbers of A: the first rank() are independent, the others follow from them.
  const std::vector<int>& order() const { return order_; }

  // Solves the independent rows of A x = b and leaves the other x zero; b and x may be the same.
  void solve(VecRef x) const;

 private:
  int rank_ = 0;
  MatX L_;  // of the weighed and permuted matrix
  VecX weight_;
  std::vector<int> order_;
  mutable VecX scratch_;
};

}  // namespace tenpin
