#include "impact/multiple.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "complementarity/proximal.h"
#include "impact/tolerances.h"

namespace tenpin::impact {

namespace {

using complementarity::Lcp;
using complementarity::LcpSolution;
using complementarity::Lemke;
using complementarity::SolveStatus;

// -   relative to the largest velocity: slower motion counts neither as approach nor as separation
constexpr double kRest = 1e-12;

double calc_speed(const VecX& v) {
  return v.size() == 0 ? 0.0 : v.cwiseAbs().maxCoeff();
}

// The LCP of one round, over the contacts that are not separating.
Lcp make_lcp(const Collision& collision, const VecX& v, const std::vector<int>& contacts) {
  const auto n = static_cast<Eigen::Index>(contacts.size());
  Lcp lcp{MatX(n, n), VecX(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const int row = contacts[static_cast<std::size_t>(i)];
    // w = v+ + eps v- = W j + (1 + eps) v-.   [B89, eq. (29)]
    lcp.u[i] = (1.0 + collision.restitution[row]) * v[row];
    for (Eigen::Index k = 0; k < n; ++k) {
      lcp.R(i, k) = collision.W(row, contacts[static_cast<std::size_t>(k)]);
    }
  }
  return lcp;
}

bool is_approaching(const VecX& v, double rest) {
  return v.size() > 0 && v.minCoeff() < -rest;
}

}  // namespace

CollisionSolution solve_simultaneous(const Collision& collision) {
  CollisionSolution solution;
  solution.impulse = VecX::Zero(collision.v.size());
  solution.v_after = collision.v;
  solution.status = SolveStatus::kSolved;
  double rest = kRest * calc_speed(collision.v);
  Lemke lemke;
  LcpSolution round;
  while (is_approaching(solution.v_after, rest)) {
    if (solution.num_rounds++ == kMaxPropagations) {
      solution.status = SolveStatus::kIterationLimit;
      return solution;
    }
    std::vector<int> contacts;
    for (int i = 0; i < solution.v_after.size(); ++i) {
      if (solution.v_after[i] <= rest) contacts.push_back(i);
    }
    const Lcp lcp = make_lcp(collision, solution.v_after, contacts);
    lemke.solve(lcp, &round);
    // A solution always exists; if Lemke's algorithm fails to find it because of rounding, proximal
    // steps find it.
    if (round.status != SolveStatus::kSolved) solve_proximal(lcp, {}, &round);
    solution.status = round.status;
    if (round.status != SolveStatus::kSolved) return solution;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      solution.impulse[contacts[i]] += round.z[static_cast<Eigen::Index>(i)];
    }
    solution.v_after = collision.v + collision.W * solution.impulse;
    // Velocities are differences of the effects of impulses, and not more accurate than these
    // effects.
    rest = std::max(rest, kRest * (collision.W.cwiseAbs() * solution.impulse).maxCoeff());
  }
  return solution;
}

CollisionSolution solve_propagation(const Collision& collision, const PropagationOptions& options) {
  CollisionSolution solution;
  solution.impulse = VecX::Zero(collision.v.size());
  solution.v_after = collision.v;
  solution.status = SolveStatus::kSolved;
  const double rest = options.tolerance * calc_speed(collision.v);
  while (is_approaching(solution.v_after, rest)) {
    if (solution.num_rounds == options.max_impulses) {
      solution.status = SolveStatus::kIterationLimit;
      return solution;
    }
    Eigen::Index i = 0;
    const double approach = solution.v_after.minCoeff(&i);
    const double j = -(1.0 + collision.restitution[i]) * approach / collision.W(i, i);
    solution.impulse[i] += j;
    solution.v_after += j * collision.W.col(i);
    ++solution.num_rounds;
  }
  return solution;
}

}  // namespace tenpin::impact
