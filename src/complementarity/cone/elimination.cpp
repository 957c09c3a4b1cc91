#include "complementarity/cone/elimination.h"

#include <algorithm>

#include "math/fill_ordering.h"

namespace tenpin::complementarity::cone {
namespace {

// A front absorbs the front below it if the result stores few zeros: larger fronts run faster, and
// many small ones cost more in data movement than in arithmetic.
constexpr double kZeroShare = 0.15;
constexpr long kFewZeros = 200;

}  // namespace

void Elimination::order(const BlockMatrix& A) {
  if (A.row_begin == ordered_.row_begin && A.col == ordered_.col) return;
  ordered_.row_begin = A.row_begin;
  ordered_.col = A.col;
  calc_fill_ordering(A.row_begin, A.col, &order_);
}

void Elimination::analyze(const BlockMatrix& A) {
  blocks.clear();
  position.assign(A.num_blocks(), -1);
  for (const int block : order_) {
    if (A.size(block) == 0) continue;
    position[block] = static_cast<int>(blocks.size());
    blocks.push_back(block);
  }
  calc_tree(A);
  make_postorder();
  calc_structures(A);
  merge_nodes(A);
  make_borders(A);
  calc_sizes();
}

// Computes the elimination tree: the parent of a node is the first later node in which it causes
// fill.   [Liu90, §4]
void Elimination::calc_tree(const BlockMatrix& A) {
  const int n = static_cast<int>(blocks.size());
  tree_.parent.assign(n, -1);
  tree_.ancestor.assign(n, -1);
  for (int j = 0; j < n; ++j) {
    const int a = blocks[j];
    for (int e = A.row_begin[a]; e < A.row_begin[a + 1]; ++e) {
      int i = position[A.col[e]];
      while (i >= 0 && i < j) {
        const int next = tree_.ancestor[i];
        tree_.ancestor[i] = j;
        if (next < 0) tree_.parent[i] = j;
        i = next;
      }
    }
  }
}

// Renumbers the nodes so that every subtree is contiguous, without recursion.
void Elimination::make_postorder() {
  const int n = static_cast<int>(blocks.size());
  tree_.child.assign(n, -1);
  tree_.sibling.assign(n, -1);
  stack_.clear();
  for (int j = n - 1; j >= 0; --j) {
    if (tree_.parent[j] < 0) {
      stack_.push_back(j);
    } else {
      tree_.sibling[j] = tree_.child[tree_.parent[j]];
      tree_.child[tree_.parent[j]] = j;
    }
  }
  new_position_.assign(n, -1);
  int next = 0;
  while (!stack_.empty()) {
    const int j = stack_.back();
    if (tree_.child[j] >= 0) {
      const int c = tree_.child[j];
      tree_.child[j] = tree_.sibling[c];
      stack_.push_back(c);
    } else {
      new_position_[j] = next++;
      stack_.pop_back();
    }
  }
  scratch_ = blocks;
  tree_.ancestor = tree_.parent;
  for (int j = 0; j < n; ++j) {
    blocks[new_position_[j]] = scratch_[j];
    tree_.parent[new_position_[j]] = tree_.ancestor[j] < 0 ? -1 : new_position_[tree_.ancestor[j]];
  }
  for (int j = 0; j < n; ++j) position[blocks[j]] = j;
}

// Computes structure(j): the later neighbours of j and of the subtrees below it.
void Elimination::calc_structures(const BlockMatrix& A) {
  const int n = static_cast<int>(blocks.size());
  mark_.assign(n, -1);
  structure_.positions.clear();
  structure_.begin.assign(n + 1, 0);
  structure_.border_rows.assign(n, 0);
  tree_.child.assign(n, -1);
  tree_.sibling.assign(n, -1);
  for (int j = n - 1; j >= 0; --j) {
    if (tree_.parent[j] < 0) continue;
    tree_.sibling[j] = tree_.child[tree_.parent[j]];
    tree_.child[tree_.parent[j]] = j;
  }
  for (int j = 0; j < n; ++j) {
    structure_.begin[j] = static_cast<int>(structure_.positions.size());
    const auto add = [&](int i) {
      if (i <= j || mark_[i] == j) return;
      mark_[i] = j;
      structure_.positions.push_back(i);
      structure_.border_rows[j] += A.size(blocks[i]);
    };
    const int a = blocks[j];
    for (int e = A.row_begin[a]; e < A.row_begin[a + 1]; ++e) add(position[A.col[e]]);
    for (int c = tree_.child[j]; c >= 0; c = tree_.sibling[c]) {
      for (int k = structure_.begin[c]; k < structure_.begin[c + 1]; ++k)
        add(structure_.positions[k]);
    }
    structure_.begin[j + 1] = static_cast<int>(structure_.positions.size());
  }
}

// Merges chains of nodes into fronts: a front absorbs the one directly below it.
void Elimination::merge_nodes(const BlockMatrix& A) {
  const int n = static_cast<int>(blocks.size());
  fronts.clear();
  scratch_.clear();  // zeros stored in each front
  for (int j = 0; j < n; ++j) {
    Front front;
    front.first_pivot = j;
    front.num_pivots = 1;
    front.pivot_rows = A.size(blocks[j]);
    front.border_rows = structure_.border_rows[j];
    long zeros = 0;
    while (!fronts.empty()) {
      const Front& below = fronts.back();
      if (tree_.parent[below.first_pivot + below.num_pivots - 1] != front.first_pivot) break;
      const long rows = front.pivot_rows + front.border_rows;
      const long added = rows - below.border_rows;
      const long more = zeros + scratch_.back() + 2 * added * below.pivot_rows;
      const long total = (rows + below.pivot_rows) * (rows + below.pivot_rows) -
                         static_cast<long>(front.border_rows) * front.border_rows;
      if (more > kFewZeros && static_cast<double>(more) > kZeroShare * static_cast<double>(total)) {
        break;
      }
      zeros = more;
      front.first_pivot = below.first_pivot;
      front.num_pivots += below.num_pivots;
      front.pivot_rows += below.pivot_rows;
      fronts.pop_back();
      scratch_.pop_back();
    }
    fronts.push_back(front);
    scratch_.push_back(static_cast<int>(zeros));
  }
}

void Elimination::make_borders(const BlockMatrix& A) {
  front_of.assign(A.num_blocks(), -1);
  row.assign(A.num_blocks(), -1);
  borders.clear();
  num_rows = 0;
  for (std::size_t f = 0; f < fronts.size(); ++f) {
    Front& front = fronts[f];
    front.first_row = num_rows;
    for (int j = front.first_pivot; j < front.first_pivot + front.num_pivots; ++j) {
      front_of[blocks[j]] = static_cast<int>(f);
      row[blocks[j]] = num_rows;
      num_rows += A.size(blocks[j]);
    }
    const int last = front.first_pivot + front.num_pivots - 1;
    const auto begin = structure_.positions.begin() + structure_.begin[last];
    const auto end = structure_.positions.begin() + structure_.begin[last + 1];
    std::sort(begin, end);
    front.first_border = static_cast<int>(borders.size());
    front.num_borders = static_cast<int>(end - begin);
    for (auto i = begin; i != end; ++i) borders.push_back(blocks[*i]);
  }
  for (std::size_t f = 0; f < fronts.size(); ++f) {
    Front& front = fronts[f];
    if (front.num_borders == 0) continue;
    front.parent = front_of[borders[front.first_border]];
    ++fronts[front.parent].num_children;
  }
}

void Elimination::calc_sizes() {
  stack_size = 0;
  factor_size = 0;
  stack_.clear();
  long used = 0;
  for (const Front& front : fronts) {
    const long rows = front.pivot_rows + front.border_rows;
    stack_size = std::max(stack_size, used + rows * rows);
    for (int c = 0; c < front.num_children; ++c) {
      const long border = stack_.back();
      used -= border * border;
      stack_.pop_back();
    }
    used += static_cast<long>(front.border_rows) * front.border_rows;
    stack_.push_back(front.border_rows);
    if (front.num_borders == 0) stack_.pop_back();
    factor_size +=
        rows * front.pivot_rows + static_cast<long>(front.pivot_rows) * front.border_rows;
  }
}

}  // namespace tenpin::complementarity::cone
