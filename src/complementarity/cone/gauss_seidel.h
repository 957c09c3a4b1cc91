// Block Gauss-Seidel: each block in turn is solved exactly while the others stay fixed.   [JAJ98]
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/local_contact.h"
#include "complementarity/cone/local_patch.h"
#include "complementarity/cone/scaled_problem.h"

namespace tenpin::complementarity::cone {

class GaussSeidel {
 public:
  // Prepares for W + shift I. Allocates only when a size grows.
  void reset(const ScaledProblem& problem, double shift);

  // One sweep over all blocks of W + shift I and q - shift centre, forwards or backwards.
  void sweep(std::span<const double> centre, bool backward, std::span<double> r);

 private:
  void solve_free(int block, const double* b, double* r) const;

  const ScaledProblem* problem_ = nullptr;
  double shift_ = 0.0;
  std::vector<LocalContact> contacts_;   // by block
  std::vector<LocalPatch> patches_;      // of contacts with spin
  std::vector<int> patch_of_;            // by block, or -1
  std::vector<double> free_inverse_;     // of the diagonal entries of free blocks
  std::vector<int> free_inverse_begin_;  // by block
};

}  // namespace tenpin::complementarity::cone
