// Partial LU of a dense matrix, the inner loop of a sparse factorization.
#pragma once

#include <vector>

namespace tenpin::complementarity::cone {

// A view of a column-major matrix that is stored elsewhere.
struct DenseView {
  double* values = nullptr;
  int stride = 0;  // from one column to the next

  double& operator()(int i, int j) const { return values[i + static_cast<long>(j) * stride]; }
  double* column(int j) const { return values + static_cast<long>(j) * stride; }
};

// How pivots that are only rounding errors are replaced.
struct SmallPivots {
  double below = 0.0;        // pivots with a smaller absolute value are replaced
  double replacement = 0.0;  // the value they get; they keep their sign
  bool on_diagonal = false;  // true: no row exchanges, and a small pivot belongs to its own row
};

// Eliminates the first num_pivots of n rows and columns:
//   F = [L11 U11, U12; L21, F22 - L21 U12]  with a unit lower L11.
// Pivots are sought in the pivot rows alone; row_order[k] is the row that was exchanged with row k.
// Returns how many pivots were replaced.
// The order of every sum is fixed, so the bits do not depend on the width of the vector unit, which
// is chosen at run time.
int eliminate(DenseView F, int n, int num_pivots, SmallPivots small, int* row_order);

}  // namespace tenpin::complementarity::cone
