// The values of a complementary basis, from the original R and u.
#pragma once

#include <vector>

#include "complementarity/equilibrate.h"
#include "complementarity/lcp.h"

namespace tenpin::complementarity {

// Solves R_AA z_A = -u_A with z = 0 elsewhere by LU with partial pivoting, then refines the result
// with residuals in double-double precision. This removes the round-off that accumulated along the
// path of pivots.
class BasisSolver {
 public:
  // `active` holds the indices A in increasing order. Returns false if a pivot is zero. z is in the
  // units of lcp. Allocates only when a size grows.
  [[nodiscard]] bool solve(const Lcp& lcp, const Equilibration& scaling,
                           const std::vector<int>& active, VecRef z);

 private:
  bool factorize(const Lcp& lcp, const Equilibration& scaling, const std::vector<int>& active);
  void solve_factorized();
  void update_residual(const Lcp& lcp, const Equilibration& scaling, const std::vector<int>& active,
                       ConstVecRef z);

  int k_ = 0;
  std::vector<double> lu_;   // k x k, row major, unit lower and upper factor
  std::vector<int> order_;   // row of A that was swapped to each position
  std::vector<double> rhs_;  // scaled right side, then the solution
  std::vector<double> permuted_;
  std::vector<double> high_;  // residual as high + low, in the units of u
  std::vector<double> low_;
};

}  // namespace tenpin::complementarity
