// Multifrontal LU of a block-sparse matrix with a symmetric pattern.   [Liu92]
// Made for the matrices W + D of contact problems: W is positive semidefinite and nearly symmetric,
// D positive. Pivots are therefore sought only among the rows of one front.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "complementarity/cone/block_matrix.h"
#include "complementarity/cone/dense_front.h"
#include "complementarity/cone/elimination.h"

namespace tenpin::complementarity::cone {

// Allocates only when a size grows, except in order().
class BlockLu {
 public:
  // Call once per pattern.
  void order(const BlockMatrix& A) { plan_.order(A); }
  // Call once per set of block sizes.
  void analyze(const BlockMatrix& A);
  // How to solve a system with a singular matrix. kModerate: any solution of moderate size. kBasic:
  // if the matrix is positive semidefinite or nearly so, the solution of its independent rows, with
  // the other unknowns zero.
  enum class Singular { kModerate, kBasic };
  // Call once per set of values. Returns false if a number is not finite. Pivots below the
  // round-off of the largest diagonal entry are replaced: by that bound (kModerate), or by a number
  // so large that the row drops out (kBasic).
  [[nodiscard]] bool factorize(const BlockMatrix& A,
                               double round_off = std::numeric_limits<double>::epsilon(),
                               Singular singular = Singular::kModerate);
  // Replaces x by A^-1 x.
  void solve(std::span<double> x);

  int num_replaced_pivots() const { return num_replaced_; }
  // Floating-point operations of one factorize().
  [[nodiscard]] double calc_flops() const;

 private:
  void assemble(const BlockMatrix& A, const Front& front, DenseView F);
  void add_children(const Front& front, DenseView F);
  void store(const Front& front, std::size_t index, DenseView F);
  void solve_lower(const Front& front, std::size_t index);
  void solve_upper(const Front& front, std::size_t index);

  Elimination plan_;
  std::vector<int> block_begin_;       // rows of each block, by plan: copies of A's first_row
  std::vector<int> local_row_;         // of each block in the current front
  std::vector<int> border_row_;        // permuted row of each border row, all fronts
  std::vector<int> first_border_row_;  // of each front in border_row_
  std::vector<int> parent_row_;        // row in the parent's front of each border row, all fronts
  std::vector<long> lower_begin_;      // of each front in factors_: L11 \ U11 over L21
  std::vector<long> upper_begin_;      // U12
  std::vector<int> row_order_;         // exchanges, by permuted row
  std::vector<double> factors_;
  std::vector<double> stack_;
  std::vector<int> open_fronts_;
  std::vector<double> x_;       // permuted
  std::vector<double> border_;  // of the current front
  long stack_top_ = 0;
  int num_replaced_ = 0;
};

}  // namespace tenpin::complementarity::cone
