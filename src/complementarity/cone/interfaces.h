// Contacts between the same two bodies touch the same others, and all that these feel of them is
// one wrench: six numbers, however many contacts there are. An orthonormal basis of each such
// interface, T, has the wrenches first, and T' W T is zero in all that comes after them.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/block_matrix.h"

namespace tenpin::complementarity::cone {

class Interfaces {
 public:
  // Joins up to eight of the blocks of W that `may_join` and have the same neighbours, where six
  // columns or fewer span all their rows and columns of W; every other block is an interface of its
  // own.
  // Allocates only to grow.
  void reset(const BlockMatrix& W, std::span<const unsigned char> may_join);

  struct Interface {
    int first_member = 0;  // into members
    int num_members = 0;   // blocks
    int num_rows = 0;      // of all members
    int rank = 0;          // columns of T that W has a part in
    int basis_begin = 0;   // into basis: T, num_rows x num_rows, column by column; none if lone
    bool is_joined() const { return num_members > 1; }
  };

  static constexpr int kMaxRank = 6;

  std::vector<Interface> list;
  std::vector<int> members;
  std::vector<double> basis;
  // T' W T: the block of each interface's wrenches, then those of what else joined ones have, each
  // next to its wrenches' block alone.
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
  std::vector<double> slab_;       // columns that the basis has to span
  std::vector<double> found_;      // basis of the interface at work
  std::vector<int> sizes_;
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace tenpin::complementarity::cone
