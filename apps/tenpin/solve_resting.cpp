#include "solve_resting.h"

#include <algorithm>
#include <cmath>

#include "complementarity/mixed_lcp.h"

namespace tenpin::app {
namespace {

using complementarity::ForceBranch;
using complementarity::MixedLcp;
using complementarity::MixedLcpSolution;
using complementarity::SolveStatus;

struct Split {
  std::vector<Eigen::Index> joints, contacts;
};

Split split_rows(const std::vector<bool>& holonomic) {
  Split split;
  for (std::size_t i = 0; i < holonomic.size(); ++i) {
    (holonomic[i] ? split.joints : split.contacts).push_back(static_cast<Eigen::Index>(i));
  }
  return split;
}

MixedLcp make_mixed(const complementarity::Lcp& lcp, const Split& rows) {
  return {.A = lcp.R(rows.joints, rows.joints),
          .C = lcp.R(rows.joints, rows.contacts),
          .D = lcp.R(rows.contacts, rows.joints),
          .B = lcp.R(rows.contacts, rows.contacts),
          .a = lcp.u(rows.joints),
          .b = lcp.u(rows.contacts)};
}

// The violation of the rows by f and w = R f + u, relative to their sizes.
complementarity::LcpResidual certify_rows(const RestingProblem& problem, const VecX& f) {
  const Split rows = split_rows(problem.holonomic);
  const complementarity::MixedLcpResidual mixed =
      certify(make_mixed(problem.lcp, rows), f(rows.joints), f(rows.contacts));
  return {.natural = std::max(mixed.equality, mixed.natural),
          .scale = mixed.scale,
          .relative = mixed.relative};
}

const char* to_text(ForceBranch branch) {
  switch (branch) {
    case ForceBranch::kNoneVanishes:
      return "none vanishes";
    case ForceBranch::kPredicted:
      return "predicted";
    case ForceBranch::kFallback:
      return "fallback";
    case ForceBranch::kFailed:
      break;
  }
  return "failed";
}

}  // namespace

RestingAnswer solve_holonomic(const RestingProblem& problem,
                              const complementarity::LemkeOptions& options) {
  const Split rows = split_rows(problem.holonomic);
  const MixedLcpSolution mixed = solve_mixed_lcp(make_mixed(problem.lcp, rows), options);
  RestingAnswer answer;
  answer.solution.status = mixed.status;
  answer.solution.pivots = mixed.pivots;
  answer.solution.z = VecX::Zero(problem.lcp.size());
  if (mixed.status == SolveStatus::kSolved) {
    answer.solution.z(rows.joints) = mixed.x;
    answer.solution.z(rows.contacts) = mixed.z;
    answer.solution.residual = certify_rows(problem, answer.solution.z);
  } else if (mixed.status == SolveStatus::kInconsistent) {
    const VecX b = -problem.lcp.u;
    answer.least_sum =
        complementarity::solve_least_sum({.A = complementarity::list_entries(problem.lcp.R),
                                          .b = b,
                                          .holonomic = problem.holonomic});
    if (rows.contacts.empty())
      answer.least_squares = complementarity::solve_least_squares(problem.lcp.R, b);
  }
  return answer;
}

RestingAnswer solve_guessing(const RestingProblem& problem, double tolerance) {
  const VecX b = -problem.lcp.u;
  const complementarity::ForceAnswer guess = complementarity::solve_by_guesses(
      {.A = complementarity::list_entries(problem.lcp.R), .b = b, .holonomic = problem.holonomic});
  RestingAnswer answer;
  answer.branch = to_text(guess.branch);
  answer.solution.z = guess.f;
  answer.solution.pivots = guess.iterations;
  answer.solution.residual = certify_rows(problem, guess.f);
  const bool is_right =
      guess.branch != ForceBranch::kFailed && answer.solution.residual.relative <= tolerance;
  answer.solution.status = is_right ? SolveStatus::kSolved : SolveStatus::kResidual;
  return answer;
}

}  // namespace tenpin::app
