#include "methods/time_stepping/cone_island.h"

#include <algorithm>

#include "base/check.h"

namespace tenpin::methods::time_stepping {

using complementarity::cone::BlockMatrix;
using contact::Contact;
using contact::ContactBlock;
using contact::ContactVector;

namespace {

// The unit of t2 in which an ellipse of friction becomes a circle.
double calc_share_across(const Contact& c) {
  return c.is_planar || c.mu == c.mu_across ? 1.0 : c.mu_across / c.mu;
}

// The ellipsoid of a contact's limit surface, if it has one.
const Mat3* find_axes(const Contact& c) {
  return c.limit != nullptr ? &c.limit->axes : nullptr;
}

// pairs of contacts in one island; their blocks take 1.5 GB
constexpr std::size_t kMaxPairs = 10'000'000;

// Throws if the island has too many coupled pairs. `grouped` is (mechanism, contact), sorted.
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

// Units of the rows of a contact: impulses r = share r', velocities u' = share u. With these units
// an ellipse of friction is round, and spin is weighted by the radius of the patch that resists it.
// With a limit surface, r = axes r' and u' = axes'u do the same for its ellipsoid.
void ConeIsland::set_shares(const ContactProblem& problem, std::span<const int> island) {
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
    if (find_axes(c) != nullptr) shares_[i].setOnes();
  }
}

// Sets W_ab in the scaled units; a contact's own block includes its compliance.
void ConeIsland::set_block(const ContactProblem& problem, std::span<const int> island, int a,
                           int e) {
  const int b = problem_.W.col[e];
  ContactBlock block = ContactBlock::Zero();
  problem.J.add_delassus(island[a], island[b], &block);
  if (b == a) block.diagonal().head<3>() += problem.compliance[island[a]];
  block = shares_[a].asDiagonal() * block * shares_[b].asDiagonal();
  const Mat3* axes_a = find_axes(problem.contacts[island[a]]);
  const Mat3* axes_b = find_axes(problem.contacts[island[b]]);
  if (axes_a != nullptr) block.bottomRows<3>() = axes_a->transpose() * block.bottomRows<3>().eval();
  if (axes_b != nullptr) block.rightCols<3>() = block.rightCols<3>().eval() * *axes_b;
  if (b == a) {
    // A planar contact does not move along t2, and friction acts along t1 only: any mobility keeps
    // the block regular. The same holds for the missing normal of dry friction.
    const Contact& c = problem.contacts[island[a]];
    if (is_dry(c)) block(0, 0) = block(1, 1);
    if (c.is_planar || shares_[a][2] == 0.0) block(2, 2) = 0.5 * (block(0, 0) + block(1, 1));
  }
  Eigen::Map<MatX>(problem_.W.entry(e), sizes_[a], sizes_[b]) =
      block.topLeftCorner(sizes_[a], sizes_[b]);
}

void ConeIsland::assemble(const dynamics::Model& model, const ContactProblem& problem,
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
    u.head<3>() += problem.calc_compliance_velocity(c, {problem.given[c], 0.0, 0.0});
    u[0] = is_dry(problem.contacts[c]) ? 0.0 : u[0] - problem.required[c];
    ContactVector guess(problem.guess[c][0], problem.guess[c][1], problem.guess[c][2], 0.0);
    int num_guessed = 3;
    if (const Mat3* axes = find_axes(problem.contacts[c])) {
      u.tail<3>() = axes->transpose() * u.tail<3>().eval();
      guess.tail<3>() = problem.contacts[c].limit->axes_inv * guess.tail<3>().eval();
      num_guessed = 4;
    }
    for (int k = 0; k < sizes_[i]; ++k) {
      const double share = shares_[i][k];
      problem_.q[W.first_row[i] + k] = share * u[k];
      if (k < num_guessed) guess_[W.first_row[i] + k] = guess[k] / (share > 0.0 ? share : 1.0);
    }
  }
  const bool is_cold = std::all_of(guess_.begin(), guess_.end(), [](double r) {
    return r == 0.0;
  });
  if (is_cold) guess_.clear();
}

void ConeIsland::read_solution(const ContactProblem& problem, std::span<const int> island,
                               ContactAnswer* answer) const {
  for (std::size_t i = 0; i < island.size(); ++i) {
    const double* r = solution_.r.data() + problem_.W.first_row[i];
    const int c = island[i];
    // Without friction the tangential rows take no impulse and are left out.
    const int num_rows = mu_[i] > 0.0 ? sizes_[i] : 1;
    answer->impulses[c] = ContactVector::Zero();
    for (int k = 0; k < num_rows; ++k) answer->impulses[c][k] = shares_[i][k] * r[k];
    const Mat3* axes = find_axes(problem.contacts[c]);
    if (axes != nullptr) {
      answer->impulses[c].tail<3>() = *axes * answer->impulses[c].tail<3>().eval();
    }
    answer->impulses[c][0] += problem.given[c];
  }
}

}  // namespace tenpin::methods::time_stepping
