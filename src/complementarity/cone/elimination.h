// The plan of a sparse factorisation: which blocks are eliminated together, in what order, and
// which rows each step changes. It depends on the pattern alone.
#pragma once

#include <vector>

#include "complementarity/cone/block_matrix.h"

namespace tenpin::complementarity::cone {

// An elimination step (front). Fronts are listed in the order of elimination, children before
// parents.
struct Front {
  int first_pivot = 0;   // into Elimination::blocks
  int num_pivots = 0;    // blocks
  int first_border = 0;  // into Elimination::borders
  int num_borders = 0;   // blocks
  int pivot_rows = 0;
  int border_rows = 0;
  int first_row = 0;  // of the permuted rows
  int parent = -1;
  int num_children = 0;  // the last num_children unfinished fronts before this one
};

class Elimination {
 public:
  // Finds a fill-reducing order for all blocks of A, unless the pattern equals that of the last
  // call.
  void order(const BlockMatrix& A);
  // Plans the factorisation for the current block sizes; blocks of size zero are left out.
  void analyze(const BlockMatrix& A);

  std::vector<Front> fronts;
  std::vector<int> blocks;    // in the order of elimination
  std::vector<int> position;  // of each block in that order; -1 if left out
  std::vector<int> row;       // first permuted row of each block
  std::vector<int> front_of;  // of each block
  std::vector<int> borders;   // blocks, in the order of elimination
  int num_rows = 0;
  long stack_size = 0;   // doubles that the unfinished fronts need at the same time
  long factor_size = 0;  // doubles of all factors

 private:
  void calc_tree(const BlockMatrix& A);
  void make_postorder();
  void calc_structures(const BlockMatrix& A);
  void merge_nodes(const BlockMatrix& A);
  void make_borders(const BlockMatrix& A);
  void calc_sizes();

  struct Pattern {
    std::vector<int> row_begin, col;
  };
  // The tree, by position in the order of elimination; -1 if there is no such node.
  struct Tree {
    std::vector<int> parent;
    std::vector<int> ancestor;  // paths to the root, compressed
    std::vector<int> child;     // the first child
    std::vector<int> sibling;   // the next child of the same parent
  };
  // The later positions in which each position causes fill, unsorted.
  struct Structure {
    std::vector<int> positions;
    std::vector<int> begin;
    std::vector<int> border_rows;  // of each position
  };

  Pattern ordered_;         // the pattern that order_ belongs to
  std::vector<int> order_;  // of all blocks
  Tree tree_;
  Structure structure_;
  std::vector<int> new_position_;
  std::vector<int> mark_;
  std::vector<int> stack_;
  std::vector<int> scratch_;
};

}  // namespace tenpin::complementarity::cone
