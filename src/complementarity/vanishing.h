// Finds contact forces by guessing which of them vanish, with linear programs: a heuristic from a
// paper that had no algorithm for the problem.   [B89, §6-§7, Appendix B]
//   paper   here           meaning
//   A, b    ForceProblem   accelerations are A f - b
//   V       vanishing      rows that are guessed to accelerate apart without force
//   r       A f_a - b      residual of the approximate solution, which predicts V
// Rows of holonomic constraints must not accelerate at all, and their forces have either sign.
#pragma once

#include <vector>

#include "complementarity/linear_program.h"
#include "math/types.h"

namespace tenpin::complementarity {

// Find f with  A f >= b,  f >= 0,  f'(A f - b) = 0;  A f = b and f free in holonomic rows.
// A is sparse.
struct ForceProblem {
  std::vector<LinearProgram::Entry> A;  // each place at most once
  VecX b;
  std::vector<bool> holonomic;  // by row; empty if none is
};

// The non-zero entries of a dense matrix.
[[nodiscard]] std::vector<LinearProgram::Entry> list_entries(const MatX& A);

// The guess that led to the solution.
enum class ForceBranch {
  kNoneVanishes,  // A f = b, f >= 0                            [B89, eq. (19)]
  kPredicted,     // V from the least sum of forces             [B89, eq. (21)-(23)]
  kFallback,      // the forces of that sum: not a solution         [B89, §6.5]
  kFailed,        // no forces prevent interpenetration
};

struct ForceAnswer {
  ForceBranch branch = ForceBranch::kFailed;
  VecX f;
  double excess = 0.0;  // f'(A f - b): zero except for a fallback   [B89, eq. (25)]
  int programs = 0;     // number of programs solved
  int iterations = 0;   // of all programs
};

[[nodiscard]] ForceAnswer solve_by_guesses(const ForceProblem& problem);

// The best compromise for contradictory holonomic constraints, where A f = b has no solution.
struct Compromise {
  VecX f;
  VecX misfit;  // A f - b
};
// Minimises the sum of |misfit|, which is zero in most rows and so shows which ones are at fault. f
// >= 0 and A f >= b hold in rows that are not holonomic.   [B89, eq. (37)]
[[nodiscard]] Compromise solve_least_sum(const ForceProblem& problem);
// Minimises the sum of squares, for holonomic rows alone; f is the shortest such vector.
// [B89, Appendix B]
[[nodiscard]] Compromise solve_least_squares(const MatX& A, const VecX& b);

}  // namespace tenpin::complementarity
