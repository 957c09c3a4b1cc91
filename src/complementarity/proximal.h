// Proximal steps for complementarity problems with positive semidefinite matrices that defeat the
// solver by rounding: problems with redundant contacts, or with many.
#pragma once

#include "complementarity/lemke.h"

namespace tenpin::complementarity {

// Adds a small compliance relative to the last iterate and solves again and again, until the
// certificate of the original problem passes. Returns false and leaves *solution unchanged if it
// never does, for example because a ray is genuine.
bool solve_proximal(const Lcp& lcp, const LemkeOptions& options, LcpSolution* solution);

}  // namespace tenpin::complementarity
