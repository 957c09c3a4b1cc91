// The rank of rows that have numbers in few columns each: orthogonal elimination of one group of
// columns after the other, fewest neighbours first (multifrontal QR). Where no longer pivot is left
// than rounding gives, the columns of a group depend on others. Few columns are eliminated as one
// group.   [Davis11], [Heath82]
#pragma once

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "math/types.h"

namespace tenpin::contact {

class SparseRank {
 public:
  // Begins with no rows.
  void reset(std::span<const int> widths);  // columns of each group

  // A row with these numbers in the columns of group a and of b; either may be absent (-1). It
  // counts as if its length were one; without any number it spans nothing.
  struct Part {
    int group = -1;
    const double* values = nullptr;
  };
  void add(Part a, Part b);

  // Allocates only to grow where columns are few.
  [[nodiscard]] int calc_rank();

 private:
  // Rows that are zero outside of some groups, in whose order their columns are.
  struct Piece {
    std::vector<int> groups;
    MatX rows;
  };
  struct Row {
    int a = -1, b = -1;     // groups
    std::size_t first = 0;  // of its numbers in values_
  };
  int calc_dense_rank(int columns);
  void make_pieces();
  void add_piece(Piece piece);
  int eliminate(int group);
  [[nodiscard]] std::vector<int> find_neighbours(int group) const;
  [[nodiscard]] int count_columns(std::span<const int> groups) const;
  void gather(int group, std::span<const int> neighbours);

  std::vector<int> widths_;
  std::vector<Row> rows_;
  std::vector<double> values_;
  std::vector<double> dense_;
  std::vector<Piece> pieces_;
  std::vector<std::set<int>> pieces_of_;  // by group
  std::vector<int> first_column_;         // of each group in front_
  MatX front_;
};

}  // namespace tenpin::contact
