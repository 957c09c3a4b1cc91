// Resting contact with holonomic rows, or by the guesses of [B89]; part of `tenpin solve`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "complementarity/lemke.h"
#include "complementarity/vanishing.h"

namespace tenpin::app {

// The problem w = R f + u, where w = 0 and f has either sign in holonomic rows.
struct RestingProblem {
  const complementarity::Lcp& lcp;
  const std::vector<bool>& holonomic;  // by row
};

struct RestingAnswer {
  complementarity::LcpSolution solution;
  std::string branch;  // the guess that was right
  // If holonomic rows contradict each other; least_squares only if there are no other rows.
  std::optional<complementarity::Compromise> least_sum, least_squares;
};

[[nodiscard]] RestingAnswer solve_holonomic(const RestingProblem& problem,
                                            const complementarity::LemkeOptions& options);
// Solves by guesses. A fallback is not a solution: its status is RESIDUAL.
[[nodiscard]] RestingAnswer solve_guessing(const RestingProblem& problem, double tolerance);

}  // namespace tenpin::app
