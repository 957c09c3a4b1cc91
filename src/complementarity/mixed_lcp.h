// The mixed linear complementarity problem: free unknowns with equations, and complementary pairs.
#pragma once

#include "complementarity/lcp.h"
#include "complementarity/lemke.h"

namespace tenpin::complementarity {

// Find x and z with   A x + C z + a = 0,   w = D x + B z + b,   w >= 0,  z >= 0,  w'z = 0.
struct MixedLcp {
  MatX A;  // m x m
  MatX C;  // m x n
  MatX D;  // n x m
  MatX B;  // n x n
  VecX a;  // m
  VecX b;  // n

  int num_free() const { return static_cast<int>(a.size()); }
  int num_complementary() const { return static_cast<int>(b.size()); }
};

// The error of a solution, computed from the problem, x and z alone, like LcpResidual.
struct MixedLcpResidual {
  double equality = 0.0;  // max_i |(A x + C z + a)_i|
  double natural = 0.0;   // max_i |min(z_i, w_i)|
  double scale = 0.0;     // max_i s_i
  // Without units: the largest of |(A x + C z + a)_i| / s_i and |min(z_i / |z|_inf, w_i / s_i)|,
  // with s_i = |right-hand side| + |(x, z)|_inf times the sum of the row's absolute values.
  double relative = 0.0;

  bool passes(double tolerance) const;
};

[[nodiscard]] MixedLcpResidual certify(const MixedLcp& problem, const VecX& x, const VecX& z);

struct MixedLcpSolution {
  SolveStatus status = SolveStatus::kResidual;
  VecX x;  // the shortest solution if dependent rows leave a choice
  VecX z;
  MixedLcpResidual residual;
  int num_redundant_rows = 0;  // equality rows that depend on the others
  int pivots = 0;
};

// Eliminates x = -A^+ (C z + a), with the pseudoinverse A^+, and solves the LCP  (B - D A^+ C) z +
// b - D A^+ a  by Lemke's algorithm. Dependent equality rows are dropped if they agree for every z;
// otherwise the status is kInconsistent.
[[nodiscard]] MixedLcpSolution solve_mixed_lcp(const MixedLcp& problem,
                                               const LemkeOptions& options = {});

}  // namespace tenpin::complementarity
