// The rank of sparse rows, by orthogonal elimination of one group of columns after another, fewest
// neighbours first (multifrontal QR). Columns of a group depend on others if the longest remaining
// pivot is only a rounding error. Small problems are eliminated as one group.   [Davis11],
// [Heath82]
#pragma once

#include <set>
#include <span>
#include <utility>
#include <vector>

#include "math/types.h"

namespace tenpin::contact {

class SparseRank {
 public:
  // Starts a problem without rows.
  void reset(std::span<const int> widths);  // columns of each group

  // Adds a row with these numbers in the columns of groups a and b; either group may be absent
  // (-1). The row is normalised; a zero row adds nothing to the rank.
  struct Part {
    int group = -1;
    const double* values = nullptr;
  };
  void add(Part a, Part b);

  // Allocates only when a size grows, if there are few columns.
  [[nodiscard]] int calc_rank();

 private:
  // Rows that are zero except in some groups; their columns are in the order of the groups.
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
