#include "methods/time_stepping/cone_island.h"

#include <algorithm>

#include "base/check.h"

namespace tenpin::methods::time_stepping {

using complementarity::cone::BlockMatrix;
using contact::Contact;
using contact::ContactBlock;
using contact::ContactVector;

namespace {

// An ellipse of friction is a circle to whoever measures t2 by this.
double calc_share_across(const Contact& c) {
  return c.is_planar || c.mu == c.mu_across ? 1.0 : c.mu_across / c.mu;
}

// Its load is given and stays.
bool is_dry_joint(const Contact& c) {
  return c.kind == contact::ContactKind::kJointFriction;
}

constexpr std::size_t kMaxPairs = 10'000'000;  // of contacts of one island: blocks of 1.5 GB

// `grouped` is (mechanism, contact), sorted.
void check_pairs(const dynamics::Model& model, const contact::CoupledContacts::Pairs& grouped) {
  std::size_t all = 0;
  for (std::size_t first = 0; first < grouped.size();) {
    std::size_t last = first;
    while (last < grouped.size() && grouped[last].first == grouped[first].first) ++last;
    const std::size_t count = last - first;
    all += count * (count - 1) / 2;
    if (all > kMaxPairs) {
      const int body = model.mechanisms[grouped[first].first].bodies.front();
      throw LimitError("the " + std::to_string(count) + " contacts around " +
                       model.bodies[body].name + " are too many to solve at once, got " +
                       std::to_string(all) + " pairs that bear on each other, want at most " +
                       std::to_string(kMaxPairs));
    }
    first = last;
  }
}

}  // namespace

// Units of the rows of a contact, impulses r = share r', velocities u' = share u: so that an
// ellipse of friction is round, and spin counts by the radius of the patch that resists it.
void ConeIsland::set_shares(const VelocityProblem& problem, std::span<const int> island) {
  const int nc = static_cast<int>(island.size());
  mu_.resize(nc);
  sizes_.resize(nc);
  shares_.resize(nc);
  for (int i = 0; i < nc; ++i) {
    const Contact& c = problem.contacts[island[i]];
    mu_[i] = problem.with_friction ? problem.mu[island[i]] : 0.0;
    const bool spins = mu_[i] > 0.0 && c.torsion > 0.0 && !c.is_planar;
    sizes_[i] = spins ? 4 : 3;
    shares_[i] = {1.0, 1.0, calc_share_across(c), spins ? c.torsion : 0.0};
  }
}

// W_ab in those units; a block of its own has what the contact gives way by.
void ConeIsland::set_block(const VelocityProblem& problem, std::span<const int> island, int a,
                           int e) {
  const int b = problem_.W.col[e];
  ContactBlock block = ContactBlock::Zero();
  problem.J.add_delassus(island[a], island[b], &block);
  if (b == a) block.diagonal().head<3>() += problem.softness[island[a]];
  block = shares_[a].asDiagonal() * block * shares_[b].asDiagonal();
  if (b == a) {
    // A planar contact does not move along t2, nor does friction act there that is only along t1:
    // any mobility keeps the block regular. So it does where a dry joint has no normal.
    const Contact& c = problem.contacts[island[a]];
    if (is_dry_joint(c)) block(0, 0) = block(1, 1);
    if (c.is_planar || shares_[a][2] == 0.0) block(2, 2) = 0.5 * (block(0, 0) + block(1, 1));
  }
  Eigen::Map<MatX>(problem_.W.entry(e), sizes_[a], sizes_[b]) =
      block.topLeftCorner(sizes_[a], sizes_[b]);
}

void ConeIsland::assemble(const dynamics::Model& model, const VelocityProblem& problem,
                          std::span<const int> island) {
  const int nc = static_cast<int>(island.size());
  set_shares(problem, island);
  check_pairs(model, coupled_.group(problem.J, island));
  set_contacts(mu_, sizes_, coupled_.pair_up(), &problem_);
  for (int i = 0; i < nc; ++i) problem_.given[i] = problem.given[island[i]];
  const BlockMatrix& W = problem_.W;
  for (int a = 0; a < nc; ++a) {
    for (int e = W.row_begin[a]; e < W.row_begin[a + 1]; ++e) set_block(problem, island, a, e);
  }
  guess_.assign(W.num_rows(), 0.0);
  for (int i = 0; i < nc; ++i) {
    const int c = island[i];
    ContactVector u = problem.J.velocity(c, problem.v);
    u.head<3>() += problem.calc_giving(c, {problem.given[c], 0.0, 0.0});
    u[0] = is_dry_joint(problem.contacts[c]) ? 0.0 : u[0] - problem.required[c];
    for (int k = 0; k < sizes_[i]; ++k) {
      const double share = shares_[i][k];
      problem_.q[W.first_row[i] + k] = share * u[k];
      if (k < 3) guess_[W.first_row[i] + k] = problem.guess[c][k] / (share > 0.0 ? share : 1.0);
    }
  }
  const bool is_cold = std::all_of(guess_.begin(), guess_.end(), [](double r) {
    return r == 0.0;
  });
  if (is_cold) guess_.clear();
}

void ConeIsland::read_solution(const VelocityProblem& problem, std::span<const int> island,
                               VelocityAnswer* answer) const {
  for (std::size_t i = 0; i < island.size(); ++i) {
    const double* r = solution_.r.data() + problem_.W.first_row[i];
    const int c = island[i];
    // Without friction the tangential rows are not the law's: they take no impulse.
    const int num_rows = mu_[i] > 0.0 ? sizes_[i] : 1;
    answer->impulses[c] = ContactVector::Zero();
    for (int k = 0; k < num_rows; ++k) answer->impulses[c][k] = shares_[i][k] * r[k];
    answer->impulses[c][0] += problem.given[c];
  }
}

}  // namespace tenpin::methods::time_stepping
