// Lemke's algorithm in exact rational arithmetic, with the textbook's full tableau
// (w, z, z0 | q) and the lexicographic rule: what a solver in floating point is held against.
#pragma once

#include <gmpxx.h>

#include <vector>

#include "complementarity/lcp.h"

namespace tenpin::complementarity {

enum class ExactEnd { kSolved, kRay };

// Ends always: the lexicographic rule never repeats a basis.
[[nodiscard]] ExactEnd follow_exact_lemke(const Lcp& lcp, const std::vector<double>& covering);

// LcpResidual::relative without a rounding anywhere.
[[nodiscard]] mpq_class calc_exact_residual(const Lcp& lcp, const VecX& z);

}  // namespace tenpin::complementarity
