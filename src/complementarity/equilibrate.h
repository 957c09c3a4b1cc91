// Diagonal scaling by powers of two, which changes no mantissa.
#pragma once

#include <vector>

#include "complementarity/lcp.h"

namespace tenpin::complementarity {

// A scaling y = z / (column * unit), row w / unit: the problem (row R column, row u / unit) has the
// same complementary solutions, and its entries are near one whatever the units of the original.
struct Equilibration {
  std::vector<double> row;
  std::vector<double> column;
  double unit = 1.0;  // of u: its lowest scaled entry, if negative, is in (-1, -1/2]
};

// Returns false if R or u contains a number that is not finite, or if scaling u overflows.
[[nodiscard]] bool equilibrate(const Lcp& lcp, Equilibration* scaling);

}  // namespace tenpin::complementarity
