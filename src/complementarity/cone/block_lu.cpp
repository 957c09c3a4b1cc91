#include "complementarity/cone/block_lu.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

void copy_block(const double* block, int num_rows, int num_cols, double* to, int stride) {
  for (int j = 0; j < num_cols; ++j) {
    std::copy_n(block + static_cast<long>(j) * num_rows, num_rows,
                to + static_cast<long>(j) * stride);
  }
}

double calc_largest_diagonal(const BlockMatrix& A) {
  double largest = 0.0;
  for (int a = 0; a < A.num_blocks(); ++a) {
    for (int i = 0; i < A.size(a); ++i) {
      largest = std::max(largest, std::fabs(A.entry(A.diagonal[a])[i + i * A.size(a)]));
    }
  }
  return largest;
}

}  // namespace

void BlockLu::analyze(const BlockMatrix& A) {
  plan_.analyze(A);
  block_begin_.assign(A.first_row.begin(), A.first_row.end());
  local_row_.assign(A.num_blocks(), -1);
  border_row_.clear();
  parent_row_.clear();
  first_border_row_.clear();
  lower_begin_.clear();
  upper_begin_.clear();
  long end = 0;
  for (const Front& front : plan_.fronts) {
    first_border_row_.push_back(static_cast<int>(border_row_.size()));
    for (int k = front.first_border; k < front.first_border + front.num_borders; ++k) {
      const int block = plan_.borders[k];
      for (int i = 0; i < A.size(block); ++i) border_row_.push_back(plan_.row[block] + i);
    }
    lower_begin_.push_back(end);
    end += static_cast<long>(front.pivot_rows + front.border_rows) * front.pivot_rows;
    upper_begin_.push_back(end);
    end += static_cast<long>(front.pivot_rows) * front.border_rows;
  }
  parent_row_.resize(border_row_.size());
  for (std::size_t f = 0; f < plan_.fronts.size(); ++f) {
    if (plan_.fronts[f].parent < 0) continue;
    const Front& parent = plan_.fronts[plan_.fronts[f].parent];
    const int* const begin = border_row_.data() + first_border_row_[plan_.fronts[f].parent];
    int at = 0;
    for (int k = first_border_row_[f]; k < first_border_row_[f] + plan_.fronts[f].border_rows;
         ++k) {
      const int row = border_row_[k];
      if (row < parent.first_row + parent.pivot_rows) {
        parent_row_[k] = row - parent.first_row;
        continue;
      }
      while (begin[at] != row) ++at;
      parent_row_[k] = parent.pivot_rows + at;
    }
  }
  row_order_.resize(plan_.num_rows);
  x_.resize(plan_.num_rows);
}

bool BlockLu::factorize(const BlockMatrix& A, double round_off, Singular singular) {
  constexpr double kHuge = 1e100;
  const double smallest = round_off * calc_largest_diagonal(A);
  const bool is_basic = singular == Singular::kBasic;
  const SmallPivots small{
      .below = smallest, .replacement = is_basic ? kHuge : smallest, .on_diagonal = is_basic};
  factors_.resize(plan_.factor_size);  // allocated late because many plans are never used
  stack_.resize(plan_.stack_size);
  num_replaced_ = 0;
  stack_top_ = 0;
  open_fronts_.clear();
  for (std::size_t f = 0; f < plan_.fronts.size(); ++f) {
    const Front& front = plan_.fronts[f];
    const int n = front.pivot_rows + front.border_rows;
    const DenseView F{stack_.data() + stack_top_, n};
    std::fill_n(F.values, static_cast<long>(n) * n, 0.0);
    assemble(A, front, F);
    add_children(front, F);
    num_replaced_ += eliminate(F, n, front.pivot_rows, small, row_order_.data() + front.first_row);
    store(front, f, F);
  }
  return std::isfinite(smallest);
}

// Adds the entries of A in the pivot rows and columns of the front.
void BlockLu::assemble(const BlockMatrix& A, const Front& front, DenseView F) {
  for (int j = front.first_pivot; j < front.first_pivot + front.num_pivots; ++j) {
    const int block = plan_.blocks[j];
    local_row_[block] = plan_.row[block] - front.first_row;
  }
  int at = front.pivot_rows;
  for (int k = front.first_border; k < front.first_border + front.num_borders; ++k) {
    local_row_[plan_.borders[k]] = at;
    at += A.size(plan_.borders[k]);
  }
  for (int j = front.first_pivot; j < front.first_pivot + front.num_pivots; ++j) {
    const int a = plan_.blocks[j];
    for (int e = A.row_begin[a]; e < A.row_begin[a + 1]; ++e) {
      const int b = A.col[e];
      if (plan_.position[b] < front.first_pivot) continue;
      const int i = local_row_[a];
      const int k = local_row_[b];
      copy_block(A.entry(e), A.size(a), A.size(b), &F(i, k), F.stride);
      if (k < front.pivot_rows) continue;
      copy_block(A.entry(A.mirror[e]), A.size(b), A.size(a), &F(k, i), F.stride);
    }
  }
}

void BlockLu::add_children(const Front& front, DenseView F) {
  for (int c = 0; c < front.num_children; ++c) {
    const int child = open_fronts_.back();
    open_fronts_.pop_back();
    const int n = plan_.fronts[child].border_rows;
    stack_top_ -= static_cast<long>(n) * n;
    const double* from = stack_.data() + stack_top_;
    const int* const row = parent_row_.data() + first_border_row_[child];
    for (int j = 0; j < n; ++j) {
      double* const column = F.column(row[j]);
      for (int i = 0; i < n; ++i) column[row[i]] += from[i];
      from += n;
    }
  }
}

// Stores the factors, and moves the remaining matrix to the children's position on the stack.
void BlockLu::store(const Front& front, std::size_t index, DenseView F) {
  const int n = front.pivot_rows + front.border_rows;
  std::copy_n(F.values, static_cast<long>(n) * front.pivot_rows,
              factors_.data() + lower_begin_[index]);
  double* upper = factors_.data() + upper_begin_[index];
  double* rest = stack_.data() + stack_top_;
  for (int j = front.pivot_rows; j < n; ++j) {
    const double* const column = F.column(j);
    upper = std::copy_n(column, front.pivot_rows, upper);
    rest = std::copy(column + front.pivot_rows, column + n, rest);
  }
  stack_top_ += static_cast<long>(front.border_rows) * front.border_rows;
  if (front.num_borders > 0) open_fronts_.push_back(static_cast<int>(index));
}

void BlockLu::solve_lower(const Front& front, std::size_t index) {
  const int n = front.pivot_rows + front.border_rows;
  double* const x = x_.data() + front.first_row;
  const int* const rows = border_row_.data() + first_border_row_[index];
  for (int k = 0; k < front.pivot_rows; ++k) {
    std::swap(x[k], x[row_order_[front.first_row + k]]);
  }
  border_.assign(front.border_rows, 0.0);
  const double* left = factors_.data() + lower_begin_[index];
  for (int k = 0; k < front.pivot_rows; ++k) {
    const double factor = x[k];
    for (int i = k + 1; i < front.pivot_rows; ++i) x[i] -= left[i] * factor;
    const double* const below = left + front.pivot_rows;
    for (int i = 0; i < front.border_rows; ++i) border_[i] += below[i] * factor;
    left += n;
  }
  for (int i = 0; i < front.border_rows; ++i) x_[rows[i]] -= border_[i];
}

void BlockLu::solve_upper(const Front& front, std::size_t index) {
  const int n = front.pivot_rows + front.border_rows;
  double* const x = x_.data() + front.first_row;
  const int* const rows = border_row_.data() + first_border_row_[index];
  const double* upper = factors_.data() + upper_begin_[index];
  for (int j = 0; j < front.border_rows; ++j) {
    const double factor = x_[rows[j]];
    for (int i = 0; i < front.pivot_rows; ++i) x[i] -= upper[i] * factor;
    upper += front.pivot_rows;
  }
  const double* const left = factors_.data() + lower_begin_[index];
  for (int k = front.pivot_rows - 1; k >= 0; --k) {
    const double* const column = left + static_cast<long>(k) * n;
    x[k] /= column[k];
    for (int i = 0; i < k; ++i) x[i] -= column[i] * x[k];
  }
}

void BlockLu::solve(std::span<double> x) {
  for (const int block : plan_.blocks) {
    const int n = block_begin_[block + 1] - block_begin_[block];
    std::copy_n(x.data() + block_begin_[block], n, x_.data() + plan_.row[block]);
  }
  for (std::size_t f = 0; f < plan_.fronts.size(); ++f) solve_lower(plan_.fronts[f], f);
  for (std::size_t f = plan_.fronts.size(); f-- > 0;) solve_upper(plan_.fronts[f], f);
  for (const int block : plan_.blocks) {
    const int n = block_begin_[block + 1] - block_begin_[block];
    std::copy_n(x_.data() + plan_.row[block], n, x.data() + block_begin_[block]);
  }
}

double BlockLu::calc_flops() const {
  double flops = 0.0;
  for (const Front& front : plan_.fronts) {
    for (int k = 0; k < front.pivot_rows; ++k) {
      const double rest = front.pivot_rows + front.border_rows - k - 1;
      flops += 2.0 * rest * rest + rest;
    }
  }
  return flops;
}

}  // namespace tenpin::complementarity::cone
