// Partial LU of a dense matrix, the inner loop of a sparse factorization.
#pragma once

#include <vector>

namespace tenpin::complementarity::cone {

// A column-major matrix in memory that somebody else owns.
struct DenseView {
  double* values = nullptr;
  int stride = 0;  // from column to column

  double& operator()(int i, int j) const { return values[i + static_cast<long>(j) * stride]; }
  double* column(int j) const { return values + static_cast<long>(j) * stride; }
};

// Eliminates the first num_pivots of n rows and columns:
//   F = [L11 U11, U12; L21, F22 - L21 U12]  with a unit lower L11.
// Pivots are sought in the pivot rows alone; row_order[k] is the row that was exchanged with row k.
// A pivot below `smallest` is replaced by it, keeping its sign. Returns how many were.
// The order of every sum is fixed, so the bits do not depend on the width of the vector unit, which
// is chosen at run time.
int eliminate(DenseView F, int n, int num_pivots, double smallest, int* row_order);

}  // namespace tenpin::complementarity::cone
