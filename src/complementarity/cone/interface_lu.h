// LU of W + D for a fixed W and a changing block-diagonal D, in the bases of the interfaces.
// Directions outside the range of W couple only to their own interface, so the remaining system is
// no larger than the wrenches.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/block_lu.h"
#include "complementarity/cone/interfaces.h"

namespace tenpin::complementarity::cone {

class InterfaceLu {
 public:
  // Allocates only when a size grows, and for the fill-reducing order.
  void reset(const BlockMatrix& W, std::span<const unsigned char> may_join);
  // Factorises W + D. D contains the diagonal blocks in sequence, each column by column. Returns
  // false if a number is not finite.
  [[nodiscard]] bool factorize(std::span<const double> D);
  // Replaces x by (W + D)^-1 x.
  void solve(std::span<double> x);

 private:
  using Interface = Interfaces::Interface;
  void turn(const Interface& interface, std::span<const double> D);
  void add_turned(std::size_t index);
  void load(std::size_t index, std::span<const double> x);
  void unload(std::size_t index, std::span<double> x);
  double* row_of(std::size_t index, int row);

  Interfaces interfaces_;
  std::vector<int> first_row_;    // of each block of W, then the number of all
  std::vector<int> value_begin_;  // of each block in D
  std::vector<int>
      rest_of_;  // of each interface: the block of A_ beside that of its wrenches, or -1
  std::vector<double> turned_;  // T' D T of the current interface
  std::vector<double> D_T_;     // a column of D T
  std::vector<double> x_;       // transformed
  BlockMatrix A_;
  BlockLu lu_;
};

}  // namespace tenpin::complementarity::cone
