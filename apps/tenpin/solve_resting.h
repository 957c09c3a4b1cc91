// Resting contact with holonomic rows, and by the guesses of [B89]; part of `tenpin solve`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "complementarity/lemke.h"
#include "complementarity/vanishing.h"

namespace tenpin::app {

// w = R f + u with w = 0 and f of either sign in holonomic rows.
struct RestingProblem {
  const complementarity::Lcp& lcp;
  const std::vector<bool>& holonomic;  // by row
};

struct RestingAnswer {
  complementarity::LcpSolution solution;
  std::string branch;  // of the guesses
  // Where holonomic rows contradict each other; squares only if there are no others.
  std::optional<complementarity::Compromise> least_sum, least_squares;
};

[[nodiscard]] RestingAnswer solve_holonomic(const RestingProblem& problem,
                                            const complementarity::LemkeOptions& options);
// A fallback is not a solution: its status is RESIDUAL.
[[nodiscard]] RestingAnswer solve_guessing(const RestingProblem& problem, double tolerance);

}  // namespace tenpin::app
