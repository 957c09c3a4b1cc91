// Real roots of polynomials of degree four and less, with the same bits everywhere.
#pragma once

#include <array>

namespace tenpin {

struct RealRoots {
  std::array<double, 4> x = {};  // ascending; a root of even multiplicity is listed once
  int count = 0;

  const double* begin() const { return x.data(); }
  const double* end() const { return x.data() + count; }
};

// All real x with c[0] + c[1] x + ... + c[4] x^4 = 0; none for the zero polynomial. Leading
// coefficients may be zero; all must be finite. Between two neighbouring extrema, found in the same
// way from the derivative, there is at most one root, which is bracketed and then polished. This
// avoids the cancellation of Ferrari's formulas.
[[nodiscard]] RealRoots find_real_roots(const std::array<double, 5>& c);

}  // namespace tenpin
