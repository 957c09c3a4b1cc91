// Functions shared by the residuals of complementarity problems.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenpin::complementarity {

// Counts values that are not finite as infinite: std::max alone would drop a NaN.
inline void keep_max(double value, double* maximum) {
  if (!std::isfinite(value)) value = std::numeric_limits<double>::infinity();
  *maximum = std::max(*maximum, value);
}

// value / scale, where zero divided by zero is zero.
inline double quotient(double value, double scale) {
  return value == 0.0 ? 0.0 : value / scale;
}

}  // namespace tenpin::complementarity
