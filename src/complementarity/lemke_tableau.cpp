#include "complementarity/lemke_tableau.h"

#include <algorithm>
#include <cmath>

#include "complementarity/compensated.h"
#include "complementarity/rational.h"
#include "complementarity/tolerances.h"

namespace tenpin::complementarity {
namespace {

double to_double(double value) {
  return value;
}

double to_double(DoubleDouble value) {
  return value.high;
}

double to_double(const Rational& value) {
  return value.to_double();
}

// True if value > tolerance. Exact values ignore the tolerance.
template <typename Scalar>
bool exceeds(const Scalar& value, double tolerance) {
  return to_double(value) > tolerance;
}

bool exceeds(const Rational& value, double /*tolerance*/) {
  return value.sign() > 0;
}

// The size that round-off is relative to.
template <typename Scalar>
double magnitude(const Scalar& value) {
  return std::fabs(to_double(value));
}

double magnitude(const Rational& /*value*/) {
  return 0.0;
}

// A hash per variable (the finalizer of SplitMix64); the hash of a basis is the xor of its
// variables.
std::uint64_t hash(int variable) {
  std::uint64_t x = static_cast<std::uint64_t>(variable) + 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

// row -= factor * pivot_row, element by element, so that the bits do not depend on the width of the
// vector unit.
template <typename Scalar>
void subtract_multiple(const Scalar& factor, const Scalar* __restrict pivot_row, int count,
                       Scalar* __restrict row) {
  for (int j = 0; j < count; ++j) row[j] = row[j] - factor * pivot_row[j];
}

}  // namespace

template <typename Scalar>
void LemkeTableau<Scalar>::reset(const Lcp& lcp, const Equilibration& scaling) {
  n_ = lcp.size();
  stride_ = (n_ + 3) & ~1;
  num_pivots_ = 0;
  cells_.resize(static_cast<std::size_t>(n_) * stride_);
  for (int j = 0; j < n_; ++j) {
    const double* r = lcp.R.col(j).data();
    const double column = -scaling.column[j];
    for (int i = 0; i < n_; ++i) row(i)[j] = Scalar(r[i] * scaling.row[i] * column);
  }
  const double inverse_unit = 1.0 / scaling.unit;
  for (int i = 0; i < n_; ++i) {
    row(i)[n_] = Scalar(-1.0);
    q(i) = Scalar(lcp.u[i] * scaling.row[i] * inverse_unit);
    if (stride_ > n_ + 2) row(i)[n_ + 2] = Scalar(0.0);
  }
  row_variable_.resize(n_);
  col_variable_.resize(n_ + 1);
  place_.resize(2 * n_ + 1);
  tied_.resize(n_);
  seen_basis_.assign(2 * n_ + 1, 0);
  basis_hash_ = 0;
  seen_hash_ = 0;
  for (int i = 0; i < n_; ++i) place_[row_variable_[i] = i] = i;
  for (int j = 0; j <= n_; ++j) place_[col_variable_[j] = n_ + j] = -1 - j;
}

template <typename Scalar>
SolveStatus LemkeTableau<Scalar>::follow(const PathOptions& options) {
  const int first = find_first_row();
  entering_ = complement(row_variable_[first]);
  pivot(first, n_, 0.0);
  while (true) {
    const int column = -1 - place_[entering_];
    double column_norm = 0.0;
    const int r = find_blocking_row(column, options, &column_norm);
    if (!std::isfinite(column_norm)) return SolveStatus::kNonfinite;
    if (r < 0) return SolveStatus::kRayTermination;
    if (num_pivots_ >= options.max_pivots || is_out_of_time(options)) {
      return SolveStatus::kIterationLimit;
    }
    const int leaving = row_variable_[r];
    pivot(r, column, options.tolerance);
    if (leaving == 2 * n_) return SolveStatus::kSolved;
    if (has_cycled()) return SolveStatus::kCycle;
    entering_ = complement(leaving);
  }
}

// How often the deadline is checked: a pivot of a large problem takes a tenth of a second, one of a
// small problem less time than reading the clock.
template <typename Scalar>
bool LemkeTableau<Scalar>::is_out_of_time(const PathOptions& options) const {
  constexpr int kPivotsBetweenLooks = 16;
  const bool looks = n_ >= kLargeTableau || num_pivots_ % kPivotsBetweenLooks == 0;
  return looks && is_over(options.deadline);
}

// z0 enters in the row where u is lowest. Among equal rows the last one is taken: since B = I, this
// keeps every row of (q, B^-1) lexicographically positive.
template <typename Scalar>
int LemkeTableau<Scalar>::find_first_row() const {
  int lowest = 0;
  for (int i = 1; i < n_; ++i) {
    if (!(q(lowest) < q(i))) lowest = i;
  }
  return lowest;
}

// The row whose variable is the first to reach zero as the entering variable grows, or -1. z0 takes
// precedence: if it can leave, the path has reached a solution.
template <typename Scalar>
int LemkeTableau<Scalar>::find_blocking_row(int column, const PathOptions& options,
                                            double* column_norm) {
  double norm = 0.0;
  for (int i = 0; i < n_; ++i) norm += magnitude(row(i)[column]);
  *column_norm = norm;
  const double smallest_pivot = options.tolerance * std::max(norm, 1.0);
  int num_tied = 0;
  Scalar step{};
  for (int i = 0; i < n_; ++i) {
    if (!exceeds(row(i)[column], smallest_pivot)) continue;
    const Scalar ratio = q(i) / row(i)[column];
    if (num_tied == 0 || ratio < step) step = ratio;
    tied_[num_tied++] = i;
  }
  const auto is_free = [&](int i) {
    const Scalar after = q(i) - step * row(i)[column];
    return exceeds(after, options.tolerance * (1.0 + magnitude(q(i))));
  };
  const auto end = std::remove_if(tied_.begin(), tied_.begin() + num_tied, is_free);
  const auto count = static_cast<int>(end - tied_.begin());
  if (count == 0) return -1;
  int best = tied_[0];
  for (int k = 0; k < count; ++k) {
    if (row_variable_[tied_[k]] == 2 * n_) return tied_[k];
  }
  if (options.tie_break == TieBreak::kFirstRow) return best;
  for (int k = 1; k < count; ++k) {
    if (is_lexicographically_less(tied_[k], best, column, options.tolerance)) best = tied_[k];
  }
  return best;
}

// Compares rows a and b of B^-1, each divided by its entry in the entering column.
template <typename Scalar>
bool LemkeTableau<Scalar>::is_lexicographically_less(int a, int b, int column,
                                                     double tolerance) const {
  const Scalar& pivot_a = row(a)[column];
  const Scalar& pivot_b = row(b)[column];
  const double noise = tolerance * (magnitude(pivot_a) + magnitude(pivot_b));
  for (int j = 0; j < n_; ++j) {
    const Scalar left = calc_inverse_entry(a, j) * pivot_b;
    const Scalar right = calc_inverse_entry(b, j) * pivot_a;
    const double zero = noise + tolerance * (magnitude(left) + magnitude(right));
    if (exceeds(left - right, zero)) return false;
    if (exceeds(right - left, zero)) return true;
  }
  return false;
}

template <typename Scalar>
Scalar LemkeTableau<Scalar>::calc_inverse_entry(int i, int j) const {
  const int place = place_[j];
  if (place < 0) return row(i)[-1 - place];
  return Scalar(place == i ? 1.0 : 0.0);
}

template <typename Scalar>
void LemkeTableau<Scalar>::pivot(int r, int column, double tolerance) {
  Scalar* const pivot_row = row(r);
  const Scalar pivot_value = pivot_row[column];
  pivot_row[column] = Scalar(1.0);
  for (int j = 0; j < stride_; ++j) pivot_row[j] = pivot_row[j] / pivot_value;
  for (int i = 0; i < n_; ++i) {
    Scalar* const other = row(i);
    const Scalar factor = other[column];
    if (i == r || factor == Scalar(0.0)) continue;
    other[column] = Scalar(0.0);
    subtract_multiple(factor, pivot_row, stride_, other);
    // A basic value within round-off of zero must tie like an exact zero.
    if (!exceeds(q(i), tolerance)) q(i) = Scalar(0.0);
  }
  const int leaving = row_variable_[r];
  std::swap(row_variable_[r], col_variable_[column]);
  place_[row_variable_[r]] = r;
  place_[leaving] = -1 - column;
  basis_hash_ ^= hash(leaving) ^ hash(row_variable_[r]);
  ++num_pivots_;
}

// An almost complementary basis determines the rest of the path, so a path that returns to a basis
// cycles forever. Brent's method: compare with the basis at the last power of two.
template <typename Scalar>
bool LemkeTableau<Scalar>::has_cycled() {
  const auto is_same = [this](int variable) {
    return (place_[variable] >= 0) == (seen_basis_[variable] != 0);
  };
  if (basis_hash_ == seen_hash_) {
    bool same = true;
    for (int v = 0; v <= 2 * n_; ++v) same = same && is_same(v);
    if (same) return true;
  }
  if ((num_pivots_ & (num_pivots_ - 1)) == 0) {
    seen_hash_ = basis_hash_;
    for (int v = 0; v <= 2 * n_; ++v) seen_basis_[v] = place_[v] >= 0 ? 1 : 0;
  }
  return false;
}

template <typename Scalar>
double LemkeTableau<Scalar>::calc_z(int i) const {
  const int place = place_[n_ + i];
  return place < 0 ? 0.0 : to_double(q(place));
}

template <typename Scalar>
double LemkeTableau<Scalar>::calc_rate(int variable, double tolerance) const {
  if (variable == entering_) return 1.0;
  const int place = place_[variable];
  if (place < 0) return 0.0;
  const double rate = -to_double(row(place)[-1 - place_[entering_]]);
  return std::fabs(rate) <= tolerance ? 0.0 : rate;
}

template class LemkeTableau<double>;
template class LemkeTableau<DoubleDouble>;
template class LemkeTableau<Rational>;

}  // namespace tenpin::complementarity
