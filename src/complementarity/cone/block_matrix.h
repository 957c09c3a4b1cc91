// A square block-sparse matrix with small dense blocks; zero blocks are not stored.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace tenpin::complementarity::cone {

// A matrix with compressed block rows: entries row_begin[a] .. row_begin[a + 1] - 1 belong to block
// row a, with increasing columns. The pattern is symmetric and contains the whole diagonal; the
// values need not be symmetric. A block may have no rows at all.
struct BlockMatrix {
  std::vector<int> first_row = {0};  // of each block; at the end the number of all rows
  // first entry of each block row; at the end the number of all entries
  std::vector<int> row_begin = {0};
  std::vector<int> col;       // block column of each entry
  std::vector<int> diagonal;  // entry (a, a) of each block a
  std::vector<int> mirror;    // entry (b, a) of each entry (a, b)
  // first value of each entry; at the end the number of all values
  std::vector<int> value_begin = {0};
  std::vector<double> values;  // each entry column by column

  int num_blocks() const { return static_cast<int>(first_row.size()) - 1; }
  int num_rows() const { return first_row.back(); }
  int num_entries() const { return static_cast<int>(col.size()); }
  int size(int block) const { return first_row[block + 1] - first_row[block]; }

  double* entry(int e) { return values.data() + value_begin[e]; }
  const double* entry(int e) const { return values.data() + value_begin[e]; }

  // Sets the pattern to all `pairs` of blocks, their mirrors and the diagonal, with zero values.
  // Allocates only when a size grows.
  void set_pattern(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs);
  // Changes the size of every block; keeps the pattern and sets the values to zero.
  void set_sizes(std::span<const int> sizes);
  // Sets the pattern without values, and clears the values. Meant for plans that may not be used.
  void lay_out(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs);
  void clear_values();
  // The index of entry (a, b), or -1 if it is not stored.
  [[nodiscard]] int find(int a, int b) const;

 private:
  void place_values(std::span<const int> sizes);
};

// Computes y = A x + c.
void multiply(const BlockMatrix& A, std::span<const double> x, std::span<const double> c,
              std::span<double> y);
// Adds block row a of A times x: y_a += A_a x.
void multiply_row(const BlockMatrix& A, int a, const double* x, double* y);

}  // namespace tenpin::complementarity::cone
