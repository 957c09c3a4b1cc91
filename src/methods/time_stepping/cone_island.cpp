#include "methods/time_stepping/cone_island.h"

#include <algorithm>
#include <string>

#include "base/check.h"

namespace tenpin::methods::time_stepping {

using complementarity::cone::BlockMatrix;
using contact::Contact;
using contact::ContactBlock;
using contact::ContactVector;

namespace {

// An ellipse of friction is a circle to whoever measures t2 by this: impulses r_2 = share r_2',
// velocities u_2' = share u_2, so that their power stays what it is.
double calc_share_across(const Contact& c) {
  return c.is_planar || c.mu == c.mu_across ? 1.0 : c.mu_across / c.mu;
}

// Its load is given and stays.
bool is_dry_joint(const Contact& c) {
  return c.kind == contact::ContactKind::kJointFriction;
}

constexpr std::size_t kMaxPairs = 10'000'000;  // of contacts of one island: blocks of 1.5 GB

void check_pairs(const dynamics::Model& model, int mechanism, std::size_t num_contacts,
                 std::size_t num_pairs) {
  const std::size_t all = num_pairs + num_contacts * (num_contacts - 1) / 2;
  if (all <= kMaxPairs) return;
  const int body = model.mechanisms[mechanism].bodies.front();
  throw LimitError("the " + std::to_string(num_contacts) + " contacts around " +
                   model.bodies[body].name + " are too many to solve at once, got " +
                   std::to_string(all) + " pairs that bear on each other, want at most " +
                   std::to_string(kMaxPairs));
}

}  // namespace

void ConeIsland::find_pairs(const dynamics::Model& model, const VelocityProblem& problem,
                            std::span<const int> island) {
  touching_.clear();
  for (int i = 0; i < static_cast<int>(island.size()); ++i) {
    const Contact& c = problem.contacts[island[i]];
    for (const int body : {c.body_a, c.body_b}) {
      if (model.bodies[body].is_mobile()) touching_.emplace_back(model.bodies[body].mechanism, i);
    }
  }
  std::sort(touching_.begin(), touching_.end());
  pairs_.clear();
  for (std::size_t first = 0; first < touching_.size();) {
    std::size_t last = first;
    while (last < touching_.size() && touching_[last].first == touching_[first].first) ++last;
    check_pairs(model, touching_[first].first, last - first, pairs_.size());
    for (std::size_t a = first; a < last; ++a) {
      for (std::size_t b = a + 1; b < last; ++b) {
        pairs_.emplace_back(touching_[a].second, touching_[b].second);
      }
    }
    first = last;
  }
}

void ConeIsland::assemble(const dynamics::Model& model, const VelocityProblem& problem,
                          std::span<const int> island) {
  const int nc = static_cast<int>(island.size());
  mu_.resize(nc);
  for (int i = 0; i < nc; ++i) mu_[i] = problem.with_friction ? problem.mu[island[i]] : 0.0;
  share_across_.resize(nc);
  for (int i = 0; i < nc; ++i) share_across_[i] = calc_share_across(problem.contacts[island[i]]);
  find_pairs(model, problem, island);
  set_structure(mu_, {}, pairs_, &problem_);
  for (int i = 0; i < nc; ++i) problem_.given[i] = problem.given[island[i]];
  BlockMatrix& W = problem_.W;
  for (int a = 0; a < nc; ++a) {
    for (int e = W.row_begin[a]; e < W.row_begin[a + 1]; ++e) {
      ContactBlock block = ContactBlock::Zero();
      problem.J.add_delassus(island[a], island[W.col[e]], &block);
      if (W.col[e] == a) block.diagonal().head<3>() += problem.softness[island[a]];
      const double share = share_across_[a];
      block.row(2) *= share;
      block.col(2) *= share_across_[W.col[e]];
      // A planar contact does not move along t2, nor does friction act there that is only along t1:
      // any mobility keeps the block regular. So it does where a dry joint has no normal.
      const bool is_planar = problem.contacts[island[a]].is_planar || share == 0.0;
      if (W.col[e] == a && is_dry_joint(problem.contacts[island[a]])) block(0, 0) = block(1, 1);
      if (W.col[e] == a && is_planar) block(2, 2) = 0.5 * (block(0, 0) + block(1, 1));
      Eigen::Map<Mat3>(W.entry(e)) = block.topLeftCorner<3, 3>();
    }
  }
  guess_.resize(3 * static_cast<std::size_t>(nc));
  for (int i = 0; i < nc; ++i) {
    const int c = island[i];
    const ContactVector u = problem.J.velocity(c, problem.v);
    const Vec3 giving = problem.calc_giving(c, {problem.given[c], 0.0, 0.0});
    problem_.q[3 * i] =
        is_dry_joint(problem.contacts[c]) ? 0.0 : u[0] + giving[0] - problem.required[c];
    problem_.q[3 * i + 1] = u[1] + giving[1];
    problem_.q[3 * i + 2] = share_across_[i] * (u[2] + giving[2]);
    for (int k = 0; k < 3; ++k) guess_[3 * i + k] = problem.guess[c][k];
    if (share_across_[i] > 0.0) guess_[3 * i + 2] /= share_across_[i];
  }
  const bool is_cold = std::all_of(guess_.begin(), guess_.end(), [](double r) {
    return r == 0.0;
  });
  if (is_cold) guess_.clear();
}

void ConeIsland::read_solution(const VelocityProblem& problem, std::span<const int> island,
                               VelocityAnswer* answer) const {
  for (std::size_t i = 0; i < island.size(); ++i) {
    const double* r = solution_.r.data() + 3 * i;
    const int c = island[i];
    // Without friction the tangential rows are not the law's: they take no impulse.
    const bool rubs = problem.with_friction && problem.mu[c] > 0.0;
    answer->impulses[c] = {r[0] + problem.given[c], rubs ? r[1] : 0.0,
                           rubs ? share_across_[i] * r[2] : 0.0, 0.0};
  }
}

}  // namespace tenpin::methods::time_stepping
