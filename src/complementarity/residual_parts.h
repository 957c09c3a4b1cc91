// What the residuals of a complementarity problem are made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenpin::complementarity {

// Values that are not finite count as infinite: std::max alone would drop a NaN.
inline void keep_max(double value, double* maximum) {
  if (!std::isfinite(value)) value = std::numeric_limits<double>::infinity();
  *maximum = std::max(*maximum, value);
}

// Nothing is nothing on any scale, on that of zero too.
inline double quotient(double value, double scale) {
  return value == 0.0 ? 0.0 : value / scale;
}

}  // namespace tenpin::complementarity
