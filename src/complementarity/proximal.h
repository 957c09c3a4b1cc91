// Complementarity problems of positive semidefinite matrices that rounding has left without an
// answer: of contacts that follow from each other, or that are many.
#pragma once

#include "complementarity/lemke.h"

namespace tenpin::complementarity {

// Every unknown gives way a little to what it was, and the problem is solved again and again from
// there, until the certificate of the problem itself passes. False, with *solution untouched, if it
// never does: as where a ray tells the truth.
bool solve_proximal(const Lcp& lcp, const LemkeOptions& options, LcpSolution* solution);

}  // namespace tenpin::complementarity
