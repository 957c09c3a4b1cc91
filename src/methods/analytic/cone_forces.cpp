#include "methods/analytic/cone_forces.h"

namespace tenpin::methods::analytic {

namespace {

complementarity::cone::ConeOptions make_cone_options(double tolerance) {
  return {.tolerance = tolerance,
          .aim = 1e-12,
          .measure = complementarity::cone::Measure::kEnergy,
          .max_systems = 3000};
}

// A planar contact does not move along t2, and a joint moves only along t1. An arbitrary mobility
// in the other directions keeps the block regular.
void fill_diagonal(contact::ContactBlock* block) {
  auto own = block->topLeftCorner<3, 3>().diagonal();
  const double sum = own.sum();
  const auto count = static_cast<double>((own.array() > 0.0).count());
  for (double& mobility : own) {
    if (mobility == 0.0) mobility = count > 0.0 ? sum / count : 1.0;
  }
}

}  // namespace

ConeForces::ConeForces(double tolerance) : solver_(make_cone_options(tolerance)) {}

bool ConeForces::solve(std::span<const FrictionContact> contacts, const contact::ContactJacobian& J,
                       std::span<const Vec3> guess) {
  indices_.clear();
  mu_.clear();
  for (const FrictionContact& c : contacts) {
    indices_.push_back(c.index);
    // A slipping contact has only a normal force as unknown, which determines its friction.
    const bool is_dry = c.dry > 0.0;
    mu_.push_back(!c.decides ? 0.0 : is_dry ? 1.0 : c.mu);
  }
  set_structure(mu_, {}, coupled_.find(J, indices_), &problem_);
  // The friction of a joint is modelled as that of an open contact under a given load.
  for (std::size_t k = 0; k < contacts.size(); ++k) problem_.given[k] = contacts[k].dry;
  complementarity::cone::BlockMatrix& W = problem_.W;
  for (int a = 0; a < W.num_blocks(); ++a) {
    for (int e = W.row_begin[a]; e < W.row_begin[a + 1]; ++e) {
      const int b = W.col[e];
      contact::ContactBlock block = contact::ContactBlock::Zero();
      J.add_delassus(indices_[a], indices_[b], &block);
      if (a == b) fill_diagonal(&block);
      Eigen::Map<Mat3> entry(W.entry(e));
      entry = block.topLeftCorner<3, 3>();
      entry.col(0) += entry.rightCols<2>() * contacts[b].rubbing;
    }
    Eigen::Map<Vec3>(problem_.q.data() + W.first_row[a]) = contacts[a].free;
  }
  guess_.clear();
  for (const Vec3& force : guess) guess_.insert(guess_.end(), force.begin(), force.end());
  solver_.solve(problem_, guess_, &solution_);
  return solution_.status == complementarity::SolveStatus::kSolved;
}

Vec3 ConeForces::force(int k) const {
  return Eigen::Map<const Vec3>(solution_.r.data() + 3L * k);
}

Vec3 ConeForces::acceleration(int k) const {
  return Eigen::Map<const Vec3>(solution_.u.data() + 3L * k);
}

}  // namespace tenpin::methods::analytic
