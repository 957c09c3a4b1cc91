#include "complementarity/equilibrate.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tenpin::complementarity {
namespace {

constexpr double kSmallestUnit = 1e-200;  // relative to the largest u, which must not overflow

// 2^-e for value = m 2^e with m in [1/2, 1), limited to prevent overflow; one for zero.
double calc_inverse_power(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
}

// The same for the square root of value: 2^-floor(e / 2).
double calc_inverse_root(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, -(exponent >> 1));
}

// max |a_i| b_i. Takes four entries at a time, because the latency of a single chain of maxima
// would limit the speed.
double calc_max_product(const double* a, const double* b, int count) {
  constexpr int kLanes = 4;
  std::array<double, kLanes> largest{};
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int k = 0; k < kLanes; ++k) {
      largest[k] = std::max(largest[k], std::fabs(a[i + k]) * b[i + k]);
    }
  }
  for (; i < count; ++i) largest[0] = std::max(largest[0], std::fabs(a[i]) * b[i]);
  return *std::max_element(largest.begin(), largest.end());
}

}  // namespace

bool equilibrate(const Lcp& lcp, Equilibration* scaling) {
  const int n = lcp.size();
  scaling->row.assign(n, 0.0);
  scaling->column.assign(n, 0.0);
  double* const row = scaling->row.data();
  double* const zero = scaling->column.data();  // 0 unless a number in the row is not finite
  for (int i = 0; i < n; ++i) zero[i] = 0.0 * lcp.u[i];
  for (int j = 0; j < n; ++j) {
    const double* r = lcp.R.col(j).data();
    for (int i = 0; i < n; ++i) {
      row[i] = std::max(row[i], std::fabs(r[i]));
      zero[i] += 0.0 * r[i];
    }
  }
  if (!std::all_of(zero, zero + n, [](double value) {
        return value == 0.0;
      }))
    return false;

  for (int i = 0; i < n; ++i) row[i] = calc_inverse_root(row[i]);
  for (int j = 0; j < n; ++j) {
    scaling->column[j] = calc_inverse_power(calc_max_product(lcp.R.col(j).data(), row, n));
  }
  const double u_max = calc_max_product(lcp.u.data(), row, n);
  double violation = 0.0;
  for (int i = 0; i < n; ++i) violation = std::max(violation, -lcp.u[i] * row[i]);
  // The unit is the largest violation, because the solution has to remove it. Satisfied rows may be
  // larger by any factor.
  const double unit = violation > 0.0 ? std::max(violation, kSmallestUnit * u_max) : u_max;
  scaling->unit = 1.0 / calc_inverse_power(unit);
  return std::isfinite(u_max);
}

}  // namespace tenpin::complementarity
