#include "complementarity/cone/block_matrix.h"

#include <algorithm>

#include "base/check.h"

namespace tenpin::complementarity::cone {
namespace {

// Almost every block of a contact problem is 3 by 3.
inline void add_product_3(const double* block, const double* x, double* y) {
  for (int i = 0; i < 3; ++i) {
    y[i] += block[i] * x[0] + block[i + 3] * x[1] + block[i + 6] * x[2];
  }
}

inline void add_product(const double* block, int num_rows, int num_cols, const double* x,
                        double* y) {
  for (int j = 0; j < num_cols; ++j) {
    for (int i = 0; i < num_rows; ++i) y[i] += block[i] * x[j];
    block += num_rows;
  }
}

}  // namespace

void BlockMatrix::set_pattern(std::span<const int> sizes,
                              std::span<const std::pair<int, int>> pairs) {
  lay_out(sizes, pairs);
  clear_values();
}

void BlockMatrix::clear_values() {
  values.assign(value_begin.back(), 0.0);
}

void BlockMatrix::lay_out(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs) {
  const int n = static_cast<int>(sizes.size());
  // Counting sort by row; duplicates are dropped once the columns of a row are sorted.
  std::vector<int>& start = row_begin;
  start.assign(n + 1, 0);
  const auto each = [&](auto&& visit) {
    for (int a = 0; a < n; ++a) visit(a, a);
    for (const auto& [a, b] : pairs) {
      TENPIN_DEMAND(a >= 0 && a < n && b >= 0 && b < n);
      if (a == b) continue;
      visit(a, b);
      visit(b, a);
    }
  };
  each([&](int a, int) {
    ++start[a + 1];
  });
  for (int a = 0; a < n; ++a) start[a + 1] += start[a];
  col.resize(start[n]);
  mirror.assign(start.begin(), start.end() - 1);
  each([&](int a, int b) {
    col[mirror[a]++] = b;
  });
  int end = 0;
  for (int a = 0; a < n; ++a) {
    const auto first = col.begin() + start[a];
    const auto last = col.begin() + start[a + 1];
    std::sort(first, last);
    const auto unique_end = std::unique(first, last);
    start[a] = end;
    end = static_cast<int>(std::copy(first, unique_end, col.begin() + end) - col.begin());
  }
  start[n] = end;
  col.resize(end);

  mirror.resize(end);
  diagonal.assign(start.begin(), start.end() - 1);
  // Rows are visited in order, so the mirror entries in row b are found in the order of its
  // columns.
  for (int a = 0; a < n; ++a) {
    for (int e = start[a]; e < start[a + 1]; ++e) mirror[e] = diagonal[col[e]]++;
  }
  for (int a = 0; a < n; ++a) diagonal[a] = find(a, a);
  place_values(sizes);
}

void BlockMatrix::set_sizes(std::span<const int> sizes) {
  place_values(sizes);
  clear_values();
}

void BlockMatrix::place_values(std::span<const int> sizes) {
  const int n = static_cast<int>(sizes.size());
  TENPIN_DEMAND(n + 1 == static_cast<int>(row_begin.size()));
  first_row.resize(n + 1);
  first_row[0] = 0;
  for (int a = 0; a < n; ++a) first_row[a + 1] = first_row[a] + sizes[a];
  value_begin.resize(col.size() + 1);
  int end = 0;
  for (int a = 0; a < n; ++a) {
    for (int e = row_begin[a]; e < row_begin[a + 1]; ++e) {
      value_begin[e] = end;
      end += sizes[a] * sizes[col[e]];
    }
  }
  value_begin[col.size()] = end;
}

int BlockMatrix::find(int a, int b) const {
  const auto first = col.begin() + row_begin[a];
  const auto last = col.begin() + row_begin[a + 1];
  const auto found = std::lower_bound(first, last, b);
  return found != last && *found == b ? static_cast<int>(found - col.begin()) : -1;
}

void multiply_row(const BlockMatrix& A, int a, const double* x, double* y) {
  const int num_rows = A.size(a);
  for (int e = A.row_begin[a]; e < A.row_begin[a + 1]; ++e) {
    const int b = A.col[e];
    const int num_cols = A.size(b);
    if (num_rows == 3 && num_cols == 3) {
      add_product_3(A.entry(e), x + A.first_row[b], y);
    } else {
      add_product(A.entry(e), num_rows, num_cols, x + A.first_row[b], y);
    }
  }
}

void multiply(const BlockMatrix& A, std::span<const double> x, std::span<const double> c,
              std::span<double> y) {
  std::copy(c.begin(), c.end(), y.begin());
  for (int a = 0; a < A.num_blocks(); ++a) {
    multiply_row(A, a, x.data(), y.data() + A.first_row[a]);
  }
}

}  // namespace tenpin::complementarity::cone
