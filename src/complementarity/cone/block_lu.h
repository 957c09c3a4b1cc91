// LU of a block-sparse matrix with symmetric pattern, front by front (multifrontal).   [Liu92]
// Made for matrices W + D of contact problems: W positive semidefinite, nearly symmetric, D
// positive, so that pivots may be sought among the rows of one front alone.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "complementarity/cone/block_matrix.h"
#include "complementarity/cone/dense_front.h"
#include "complementarity/cone/elimination.h"

namespace tenpin::complementarity::cone {

// Allocates only to grow, but for order().
class BlockLu {
 public:
  // Once per pattern.
  void order(const BlockMatrix& A) { plan_.order(A); }
  // Once per set of block sizes.
  void analyze(const BlockMatrix& A);
  // What a singular matrix gives: some answer of moderate size, or, if it is positive semidefinite
  // or nearly so, the one of its independent rows, with the unknowns of the others zero.
  enum class Singular { kModerate, kBasic };
  // Once per set of values. False if a number is not finite. Pivots below round-off of the largest
  // diagonal entry are replaced, by that or by a number so large that nothing is left of its row.
  [[nodiscard]] bool factorize(const BlockMatrix& A,
                               double round_off = std::numeric_limits<double>::epsilon(),
                               Singular singular = Singular::kModerate);
  // x = A^-1 x.
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
  std::vector<int> local_row_;         // of each block in the front at work
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
  std::vector<double> border_;  // of the front at work
  long stack_top_ = 0;
  int num_replaced_ = 0;
};

}  // namespace tenpin::complementarity::cone
