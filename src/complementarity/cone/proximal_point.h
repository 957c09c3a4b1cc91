// Proximal steps for cone problems that are too ill-conditioned for all methods of ConeSolver.
#pragma once

#include "complementarity/cone/cone_problem.h"
#include "complementarity/cone/cone_solver.h"

namespace tenpin::complementarity::cone {

// Each contact gets a small compliance relative to its reaction in the previous iteration: W r + q
// + c (r - r_before) replaces W r + q. This makes W regular, and the term vanishes when r
// converges. The iteration continues, with more compliance if necessary, until the residual of the
// original problem meets options.tolerance. *solution is the best reaction found, starting from
// `guess`, whatever the status.
void solve_by_proximal_steps(const ConeProblem& problem, std::span<const double> guess,
                             const ConeOptions& options, ConeSolution* solution);

}  // namespace tenpin::complementarity::cone
