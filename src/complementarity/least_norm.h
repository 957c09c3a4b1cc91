// Linear equations whose matrix may be rank-deficient.
#pragma once

#include <vector>

#include "math/types.h"

namespace tenpin::complementarity {

// A complete orthogonal decomposition  A P = Q [T' 0; 0 0] Z'  by Householder reflections with
// column pivoting: gives the shortest x that minimises |A x - b|. Loops are written out, so that
// sums have the same order on every machine.
class LeastNormSolver {
 public:
  // Columns whose remainder is below tolerance times the largest column do not count towards the
  // rank.
  void factorize(const MatX& A, double tolerance);

  int rank() const { return rank_; }
  [[nodiscard]] VecX solve(const VecX& b) const;
  // The distance of b from the range of A.
  [[nodiscard]] double calc_misfit(const VecX& b) const;

 private:
  int rank_ = 0;
  MatX qr_;  // upper factor, and below it the reflections that make Q
  VecX q_tau_;
  MatX tz_;  // transposed: upper factor T, and below it the reflections that make Z
  VecX z_tau_;
  std::vector<int> order_;  // column of A at each place of A P
};

}  // namespace tenpin::complementarity
