// Lemke's path through almost complementary bases, with an explicit tableau and the lexicographic
// rule against degeneracy, as in [ST00, §4].
//
// The system  w - R z - d z0 = u  is kept as  basic = q - T nonbasic,  T = B^-1 N, with one column
// per nonbasic variable: n + 1 columns instead of the 2n + 1 of the textbook tableau. That is
// enough for the lexicographic rule, which needs rows of B^-1 = B^-1 I. Its columns are those of w:
// in T where w_j is nonbasic, a unit vector where it is basic.
//
// The scalar is double, or DoubleDouble where a double cannot tell a tie from a near tie.
#pragma once

#include <cstdint>
#include <vector>

#include "base/deadline.h"
#include "complementarity/equilibrate.h"
#include "complementarity/lcp.h"

namespace tenpin::complementarity {

// The rule for choosing among rows that block at the same value.
enum class TieBreak {
  kLexicographic,  // never cycles in exact arithmetic
  kFirstRow,       // the textbook rule; may cycle
};

struct PathOptions {
  double tolerance = 0.0;  // zero threshold in a tableau whose entries are initially near one
  int max_pivots = 0;
  TieBreak tie_break = TieBreak::kLexicographic;
  const Deadline* deadline = nullptr;  // null: no deadline
};

template <typename Scalar>
class LemkeTableau {
 public:
  // Loads the scaled problem with covering vector d = 1. At least one u_i must be negative.
  // Allocates only when a size grows.
  void reset(const Lcp& lcp, const Equilibration& scaling);

  // Follows the path. Returns kSolved (z0 has left the basis), kRayTermination (no row blocks),
  // kIterationLimit, kCycle or kNonfinite. The result is not verified here.
  [[nodiscard]] SolveStatus follow(const PathOptions& options);

  int num_pivots() const { return num_pivots_; }
  bool is_basic_z(int i) const { return place_[n_ + i] >= 0; }

  // Values at the end of the path, in scaled units.
  double calc_z(int i) const;
  // Rates of z_i and of z0 along the ray at the end of the path.
  double calc_ray_z(int i, double tolerance) const { return calc_rate(n_ + i, tolerance); }
  double calc_ray_z0(double tolerance) const { return calc_rate(2 * n_, tolerance); }

 private:
  // Variables are numbered w: 0 .. n-1, z: n .. 2n-1, z0: 2n.
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  Scalar* row(int i) { return cells_.data() + static_cast<std::size_t>(i) * stride_; }
  const Scalar* row(int i) const { return cells_.data() + static_cast<std::size_t>(i) * stride_; }
  Scalar& q(int i) { return row(i)[n_ + 1]; }
  const Scalar& q(int i) const { return row(i)[n_ + 1]; }

  bool is_out_of_time(const PathOptions& options) const;
  int find_first_row() const;
  int find_blocking_row(int column, const PathOptions& options, double* column_norm);
  bool is_lexicographically_less(int a, int b, int column, double tolerance) const;
  Scalar calc_inverse_entry(int i, int j) const;
  void pivot(int r, int column, double tolerance);
  bool has_cycled();
  double calc_rate(int variable, double tolerance) const;

  int n_ = 0;
  int stride_ = 0;
  int num_pivots_ = 0;
  int entering_ = 0;               // variable
  std::vector<Scalar> cells_;      // n rows of: n + 1 nonbasic columns, q, padding
  std::vector<int> row_variable_;  // basic variable in each row
  std::vector<int> col_variable_;  // nonbasic variable in each column
  std::vector<int> place_;         // of each variable: its row, or -1 - column
  std::vector<int> tied_;          // rows that block together
  std::vector<char> seen_basis_;   // Brent's marker: the basis at the last power of two
  std::uint64_t basis_hash_ = 0;
  std::uint64_t seen_hash_ = 0;
};

}  // namespace tenpin::complementarity
