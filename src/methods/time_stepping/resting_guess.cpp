#include "methods/time_stepping/resting_guess.h"

#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping {

using complementarity::cone::BlockMatrix;
using complementarity::cone::ConeProblem;

namespace {

constexpr int kMaxRestingRows = 3 * static_cast<int>(RestingGuess::kMaxContacts);
// -   of the mean diagonal. A direction in which the matrix is s times its mean diagonal is solved
// to (1e-9 / s)^rounds. Chosen so that directions down to s = 1e-5 are solved to 1e-12.
constexpr double kRegularization = 1e-9;
constexpr int kTikhonovRounds = 3;

// False if a contact has no friction or a given load, because such a contact cannot hold anything
// still.
bool can_hold_still(const ConeProblem& problem) {
  for (int i = 0; i < problem.W.num_blocks(); ++i) {
    if (!(problem.mu[i] > 0.0) || problem.given[i] != 0.0) return false;
  }
  return problem.W.num_blocks() > 1;
}

void fill_dense(const BlockMatrix& W, MatX* dense) {
  dense->setZero(W.num_rows(), W.num_rows());
  for (int a = 0; a < W.num_blocks(); ++a) {
    for (int e = W.row_begin[a]; e < W.row_begin[a + 1]; ++e) {
      const int b = W.col[e];
      dense->block(W.first_row[a], W.first_row[b], W.size(a), W.size(b)) =
          Eigen::Map<const MatX>(W.entry(e), W.size(a), W.size(b));
    }
  }
}

bool lies_in_cones(const ConeProblem& problem, const VecX& r) {
  for (int i = 0; i < problem.W.num_blocks(); ++i) {
    const int row = problem.W.first_row[i];
    const double friction = r.segment(row + 1, problem.W.size(i) - 1).norm();
    if (!(friction <= problem.mu[i] * r[row])) return false;
  }
  return true;
}

}  // namespace

// Iterated Tikhonov regularization from zero stays in the range of W, so its limit is the least
// solution.
bool RestingGuess::find(const ConeProblem& problem) {
  const int n = problem.W.num_rows();
  if (n > kMaxRestingRows || !can_hold_still(problem)) return false;
  fill_dense(problem.W, &W_);
  const Eigen::Map<const VecX> q(problem.q.data(), n);
  const double scale = q.lpNorm<Eigen::Infinity>();
  const double softest = kRegularization * W_.trace() / n;
  W_.diagonal().array() += softest;
  factor_.factor(W_, 0.0);
  r_.setZero(n);
  u_ = q;
  for (int round = 0; round < kTikhonovRounds; ++round) {
    factor_.solve(u_);
    r_ -= u_;
    if (!lies_in_cones(problem, r_)) return false;
    u_ = q - softest * r_;
    u_.noalias() += W_ * r_;
  }
  return u_.lpNorm<Eigen::Infinity>() <= kGuessAtRest * scale;
}

}  // namespace tenpin::methods::time_stepping
