#include "complementarity/cone/dense_front.h"

#include <algorithm>
#include <cmath>
#include <cstring>

// Every function is written once for vectors of any width and compiled for several widths. All
// functions are inlined into the entry point of each width, because only the entry point may use
// wide registers.
#define TENPIN_INLINE [[gnu::always_inline]] inline

namespace tenpin::complementarity::cone {
namespace {

// Panels of kInner columns are eliminated at a time; the rest of the matrix is updated by kOuter
// columns at a time.
constexpr int kInner = 8;
constexpr int kOuter = 32;
constexpr int kTileCols = 6;

template <typename Vector>
constexpr int kWidth = static_cast<int>(sizeof(Vector) / sizeof(double));

// target -= left right on a tile of kVectors vectors of rows by kCols columns, held in registers.
// Each element subtracts its products in the order of depth, whatever the tile.
template <typename Vector, int kVectors, int kCols>
TENPIN_INLINE void subtract_tile(const double* packed, int depth, const double* right,
                                 int right_stride, double* target, int target_stride) {
  Vector sum[kVectors][kCols];
  for (int v = 0; v < kVectors; ++v) {
    for (int c = 0; c < kCols; ++c) {
      std::memcpy(&sum[v][c], target + v * kWidth<Vector> + static_cast<long>(c) * target_stride,
                  sizeof(Vector));
    }
  }
  for (int k = 0; k < depth; ++k) {
    Vector a[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      std::memcpy(&a[v], packed + (static_cast<long>(k) * kVectors + v) * kWidth<Vector>,
                  sizeof(Vector));
    }
    for (int c = 0; c < kCols; ++c) {
      const double b = right[k + static_cast<long>(c) * right_stride];
      for (int v = 0; v < kVectors; ++v) sum[v][c] -= a[v] * b;
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    for (int c = 0; c < kCols; ++c) {
      std::memcpy(target + v * kWidth<Vector> + static_cast<long>(c) * target_stride, &sum[v][c],
                  sizeof(Vector));
    }
  }
}

// Subtracts a tile with fewer rows than the vectors hold, by way of a buffer.
template <typename Vector, int kVectors, int kCols>
TENPIN_INLINE void subtract_cut_tile(const double* packed, int depth, const double* right,
                                     double* target, int num_rows, int stride) {
  constexpr int kRows = kVectors * kWidth<Vector>;
  if (num_rows == kRows) {
    subtract_tile<Vector, kVectors, kCols>(packed, depth, right, stride, target, stride);
    return;
  }
  double buffer[kRows * kCols] = {};
  for (int c = 0; c < kCols; ++c) {
    for (int i = 0; i < num_rows; ++i) {
      buffer[c * kRows + i] = target[i + static_cast<long>(c) * stride];
    }
  }
  subtract_tile<Vector, kVectors, kCols>(packed, depth, right, stride, buffer, kRows);
  for (int c = 0; c < kCols; ++c) {
    for (int i = 0; i < num_rows; ++i) {
      target[i + static_cast<long>(c) * stride] = buffer[c * kRows + i];
    }
  }
}

// A rectangle of F: rows from i, columns from j.
struct Part {
  int i = 0;
  int j = 0;
  int num_rows = 0;
  int num_cols = 0;
};

// Updates one row of tiles. Its part of the left factor is packed, so that the inner loop reads
// contiguous memory.
template <typename Vector, int kVectors>
TENPIN_INLINE void subtract_row(DenseView F, const Part& part, int k_begin, int depth) {
  const int num_rows = part.num_rows;
  const int num_cols = part.num_cols;
  const int stride = F.stride;
  const double* const left = &F(part.i, k_begin);
  const double* const right = &F(k_begin, part.j);
  double* const target = &F(part.i, part.j);
  constexpr int kRows = kVectors * kWidth<Vector>;
  alignas(64) double packed[kRows * kOuter];
  for (int k = 0; k < depth; ++k) {
    const double* const column = left + static_cast<long>(k) * stride;
    double* const to = packed + static_cast<long>(k) * kRows;
    for (int i = 0; i < num_rows; ++i) to[i] = column[i];
    for (int i = num_rows; i < kRows; ++i) to[i] = 0.0;
  }
  int j = 0;
  for (; j + kTileCols <= num_cols; j += kTileCols) {
    const long shift = static_cast<long>(j) * stride;
    subtract_cut_tile<Vector, kVectors, kTileCols>(packed, depth, right + shift, target + shift,
                                                   num_rows, stride);
  }
  for (; j + 2 <= num_cols; j += 2) {
    const long shift = static_cast<long>(j) * stride;
    subtract_cut_tile<Vector, kVectors, 2>(packed, depth, right + shift, target + shift, num_rows,
                                           stride);
  }
  if (j < num_cols) {
    const long shift = static_cast<long>(j) * stride;
    subtract_cut_tile<Vector, kVectors, 1>(packed, depth, right + shift, target + shift, num_rows,
                                           stride);
  }
}

// F[part] -= F[rows of part, columns k ..] F[rows k .., columns of part], with inner dimension
// `depth`.
template <typename Vector, int kVectors>
TENPIN_INLINE void subtract(DenseView F, const Part& part, int k, int depth) {
  if (part.num_cols <= 0) return;
  constexpr int kW = kWidth<Vector>;
  for (int i = 0; i < part.num_rows;) {
    const int rest = part.num_rows - i;
    const bool is_wide = rest > (kVectors - 1) * kW;
    const int rows = std::min(rest, is_wide ? kVectors * kW : kW);
    const Part tiles = {part.i + i, part.j, rows, part.num_cols};
    i += rows;
    if constexpr (kVectors > 1) {
      if (is_wide) {
        subtract_row<Vector, kVectors>(F, tiles, k, depth);
        continue;
      }
    }
    subtract_row<Vector, 1>(F, tiles, k, depth);
  }
}

TENPIN_INLINE int find_pivot_row(DenseView F, int k, int num_pivots) {
  int best = k;
  for (int i = k + 1; i < num_pivots; ++i) {
    if (std::fabs(F(i, k)) > std::fabs(F(best, k))) best = i;
  }
  return best;
}

// The constants of one elimination.
struct Task {
  DenseView F;
  int n = 0;
  int num_pivots = 0;
  SmallPivots small;
  int* row_order = nullptr;
};

// Eliminates columns k_begin .. k_end-1, one after the other.
TENPIN_INLINE int eliminate_panel(const Task& task, int k_begin, int k_end) {
  const DenseView F = task.F;
  int num_replaced = 0;
  for (int k = k_begin; k < k_end; ++k) {
    const int best = task.small.on_diagonal ? k : find_pivot_row(F, k, task.num_pivots);
    task.row_order[k] = best;
    if (best != k) {
      for (int j = k_begin; j < k_end; ++j) std::swap(F(k, j), F(best, j));
    }
    double& pivot = F(k, k);
    if (!(std::fabs(pivot) >= task.small.below)) {
      pivot = std::copysign(task.small.replacement, pivot);
      ++num_replaced;
    }
    const double inverse = 1.0 / pivot;
    double* const __restrict left = F.column(k);
    for (int i = k + 1; i < task.n; ++i) left[i] *= inverse;
    for (int j = k + 1; j < k_end; ++j) {
      double* const __restrict target = F.column(j);
      const double factor = target[k];
      for (int i = k + 1; i < task.n; ++i) target[i] -= left[i] * factor;
    }
  }
  return num_replaced;
}

// Applies the row exchanges of a panel to columns j_begin .. j_end-1, column by column.
TENPIN_INLINE void exchange_rows(const Task& task, int k_begin, int k_end, int j_begin, int j_end) {
  for (int j = j_begin; j < j_end; ++j) {
    double* const column = task.F.column(j);
    for (int k = k_begin; k < k_end; ++k) std::swap(column[k], column[task.row_order[k]]);
  }
}

// The columns of a triangle, padded with zeros so that all rows are treated alike.
struct Triangle {
  alignas(64) double columns[kInner][kInner] = {};
};

TENPIN_INLINE Triangle take_triangle(DenseView F, int k_begin, int k_end) {
  Triangle lower;
  for (int k = k_begin; k < k_end; ++k) {
    for (int i = k + 1; i < k_end; ++i) lower.columns[k - k_begin][i - k_begin] = F(i, k);
  }
  return lower;
}

// Applies L^-1 to kInner rows of kCols columns.
template <typename Vector, int kCols>
TENPIN_INLINE void solve_columns(const Triangle& lower, double* target, int stride) {
  constexpr int kW = kWidth<Vector>;
  constexpr int kVectors = kInner / kW;
  Vector x[kCols][kVectors];
  for (int c = 0; c < kCols; ++c) {
    std::memcpy(x[c], target + static_cast<long>(c) * stride, sizeof(x[c]));
  }
#pragma GCC unroll 8
  for (int k = 0; k + 1 < kInner; ++k) {
    for (int c = 0; c < kCols; ++c) {
      const double factor = x[c][k / kW][k % kW];
      for (int v = 0; v < kVectors; ++v) {
        Vector column;
        std::memcpy(&column, lower.columns[k] + v * kW, sizeof(Vector));
        x[c][v] -= column * factor;
      }
    }
  }
  for (int c = 0; c < kCols; ++c) {
    std::memcpy(target + static_cast<long>(c) * stride, x[c], sizeof(x[c]));
  }
}

// Applies L11^-1 to rows k_begin .. k_end-1 of columns j_begin .. j_end-1. If enough rows follow
// k_end to fill the vectors, they are included and stay unchanged.
template <typename Vector>
TENPIN_INLINE void solve_unit_lower(const Task& task, int k_begin, int k_end, int j_begin,
                                    int j_end) {
  const DenseView F = task.F;
  int j = j_begin;
  if (k_begin + kInner <= task.n) {
    const Triangle lower = take_triangle(F, k_begin, k_end);
    for (; j + 4 <= j_end; j += 4) solve_columns<Vector, 4>(lower, &F(k_begin, j), F.stride);
    for (; j < j_end; ++j) solve_columns<Vector, 1>(lower, &F(k_begin, j), F.stride);
  }
  for (; j < j_end; ++j) {
    double* const __restrict column = F.column(j);
    for (int k = k_begin; k < k_end; ++k) {
      const double factor = column[k];
      const double* const __restrict left = F.column(k);
      for (int i = k + 1; i < k_end; ++i) column[i] -= left[i] * factor;
    }
  }
}

template <typename Vector, int kVectors>
TENPIN_INLINE int eliminate_all(const Task& task) {
  const DenseView F = task.F;
  const int n = task.n;
  int num_replaced = 0;
  for (int outer = 0; outer < task.num_pivots; outer += kOuter) {
    const int outer_end = std::min(outer + kOuter, task.num_pivots);
    for (int k = outer; k < outer_end; k += kInner) {
      const int k_end = std::min(k + kInner, outer_end);
      num_replaced += eliminate_panel(task, k, k_end);
      exchange_rows(task, k, k_end, 0, k);
      exchange_rows(task, k, k_end, k_end, n);
      solve_unit_lower<Vector>(task, k, k_end, k_end, outer_end);
      subtract<Vector, kVectors>(F, {k_end, k_end, n - k_end, outer_end - k_end}, k, k_end - k);
    }
    for (int k = outer; k < outer_end; k += kInner) {
      const int k_end = std::min(k + kInner, outer_end);
      solve_unit_lower<Vector>(task, k, k_end, outer_end, n);
      subtract<Vector, kVectors>(F, {k_end, outer_end, outer_end - k_end, n - outer_end}, k,
                                 k_end - k);
    }
    subtract<Vector, kVectors>(F, {outer_end, outer_end, n - outer_end, n - outer_end}, outer,
                               outer_end - outer);
  }
  return num_replaced;
}

using Vector2 [[gnu::vector_size(16)]] = double;
using EliminateAll = int (*)(const Task&);

int eliminate_baseline(const Task& task) {
  return eliminate_all<Vector2, 1>(task);
}

#ifdef __x86_64__
using Vector4 [[gnu::vector_size(32)]] = double;
using Vector8 [[gnu::vector_size(64)]] = double;

[[gnu::target("avx2")]] int eliminate_avx2(const Task& task) {
  return eliminate_all<Vector4, 2>(task);
}
[[gnu::target("avx512f")]] int eliminate_avx512(const Task& task) {
  return eliminate_all<Vector8, 3>(task);
}

EliminateAll choose_width() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return eliminate_avx512;
  if (__builtin_cpu_supports("avx2")) return eliminate_avx2;
  return eliminate_baseline;
}
#else
EliminateAll choose_width() {
  return eliminate_baseline;
}
#endif

}  // namespace

int eliminate(DenseView F, int n, int num_pivots, SmallPivots small, int* row_order) {
  static const EliminateAll chosen = choose_width();
  return chosen({F, n, num_pivots, small, row_order});
}

}  // namespace tenpin::complementarity::cone
