// Proximal steps for complementarity problems with positive semidefinite matrices on which the
// solver fails because of rounding: problems with redundant contacts, or with many contacts.
#pragma once

#include "complementarity/lemke.h"

namespace tenpin::complementarity {

// Adds a small compliance relative to the last iterate and solves repeatedly, until the certificate
// of the original problem passes. Returns false and leaves *solution unchanged if it never passes,
// for example because a ray is genuine.
bool solve_proximal(const Lcp& lcp, const LemkeOptions& options, LcpSolution* solution);

}  // namespace tenpin::complementarity
