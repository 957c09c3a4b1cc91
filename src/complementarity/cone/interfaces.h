// Contacts between the same two bodies have the same neighbouring contacts, which depend only on
// their resultant wrench: six numbers, however many contacts there are. Each such interface has an
// orthonormal basis T that starts with the wrenches; in all other columns, T' W T couples to no
// other interface.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/block_matrix.h"

namespace tenpin::complementarity::cone {

class Interfaces {
 public:
  // Joins up to eight blocks of W that `may_join` and have the same neighbours, provided that at
  // most six columns span all their rows and columns of W. Every other block is an interface of its
  // own. Allocates only when a size grows.
  void reset(const BlockMatrix& W, std::span<const unsigned char> may_join);

  struct Interface {
    int first_member = 0;  // into members
    int num_members = 0;   // blocks
    int num_rows = 0;      // of all members
    int rank = 0;          // columns of T in the range of W
    int basis_begin =
        // position in `basis` of T, num_rows x num_rows, column by column; none for a single block
        0;
    bool is_joined() const { return num_members > 1; }
  };

  static constexpr int kMaxRank = 6;

  std::vector<Interface> list;
  std::vector<int> members;
  std::vector<double> basis;
  // T' W T: first the block of each interface's wrenches, then, for joined interfaces, the block of
  // the remaining directions, which couples only to the wrenches of its own interface.
  BlockMatrix W_hat;

 private:
  void join(const BlockMatrix& W, std::span<const int> blocks);
  bool find_basis(const BlockMatrix& W, std::span<const int> blocks, int num_rows);
  void take_slab(const BlockMatrix& W, std::span<const int> blocks, int neighbour, int num_rows);
  void extend_basis(std::span<double> column, double least);
  void complete_basis(int num_rows);
  void condense(const BlockMatrix& W);
  void add_entry(const BlockMatrix& W, int a, int e);

  std::vector<int> order_;
  std::vector<int> interface_of_;  // of each block
  std::vector<int> row_in_;        // first row of each block in its interface
  std::vector<double> slab_;       // columns that the basis must span
  std::vector<double> found_;      // basis of the current interface
  std::vector<int> sizes_;
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace tenpin::complementarity::cone
