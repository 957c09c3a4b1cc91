#include "methods/analytic/row_solver.h"

#include <cmath>

#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

using contact::ContactBlock;
using contact::ContactVector;

// Scales each row by its own mobility, so that masses do not affect the rank.
void RowSolver::fill(const contact::ContactJacobian& J, const std::vector<ContactRowValue>& rows) {
  indices_.clear();
  scale_.resize(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    indices_.push_back(rows[i].contact);
    const double mobility = J.own_delassus(rows[i].contact)(rows[i].row, rows[i].row);
    scale_[static_cast<Eigen::Index>(i)] = mobility > 0.0 ? 1.0 / std::sqrt(mobility) : 1.0;
  }
  const std::vector<std::pair<int, int>>& pairs = coupled_.find(J, indices_);
  if (sizes_.size() != rows.size() || pairs != old_pairs_) {
    sizes_.assign(rows.size(), 1);
    W_.set_pattern(sizes_, pairs);
    lu_.order(W_);
    lu_.analyze(W_);
    old_pairs_ = pairs;
  }
  for (int a = 0; a < W_.num_blocks(); ++a) {
    for (int e = W_.row_begin[a]; e < W_.row_begin[a + 1]; ++e) {
      const int b = W_.col[e];
      ContactBlock W = ContactBlock::Zero();
      J.add_delassus(indices_[a], indices_[b], &W);
      *W_.entry(e) = scale_[a] * W(rows[a].row, rows[b].row) * scale_[b];
    }
  }
}

bool RowSolver::solve(const contact::ContactJacobian& J, const std::vector<ContactRowValue>& rows,
                      int nv) {
  change_.setZero(nv);
  if (rows.empty()) return false;
  fill(J, rows);
  if (!lu_.factorize(W_, kRowRank, complementarity::cone::BlockLu::Singular::kBasic)) return false;
  const auto n = static_cast<Eigen::Index>(rows.size());
  impulses_.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) impulses_[i] = -scale_[i] * rows[i].value;
  lu_.solve({impulses_.data(), rows.size()});
  for (Eigen::Index i = 0; i < n; ++i) {
    const ContactVector impulse = ContactVector::Unit(rows[i].row) * (scale_[i] * impulses_[i]);
    J.add_velocity_change(rows[i].contact, impulse, change_);
  }
  return change_.allFinite();
}

}  // namespace tenpin::methods::analytic
