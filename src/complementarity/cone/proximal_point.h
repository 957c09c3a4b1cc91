// Cone problems that are too ill-conditioned for every method of ConeSolver, by proximal steps.
#pragma once

#include "complementarity/cone/cone_problem.h"
#include "complementarity/cone/cone_solver.h"

namespace tenpin::complementarity::cone {

// Every contact gives way a little to what it carried in the step before: W r + q + c (r -
// r_before) takes the place of W r + q, which makes W regular; where r stands still the term is
// gone. Steps are repeated, with more compliance if need be, until the residual of the problem
// itself meets options.tolerance. *solution is the best reaction found, from `guess` on, whatever
// the status.
void solve_by_proximal_steps(const ConeProblem& problem, std::span<const double> guess,
                             const ConeOptions& options, ConeSolution* solution);

}  // namespace tenpin::complementarity::cone
