#include "contact/uniqueness.h"

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "contact/friction_cone.h"
#include "contact/tolerances.h"

namespace tenpin::contact {

namespace {

// -   of a row's length: a row that is shorter after projecting out the others depends on them.
// Contacts that slide side by side leave the error of their directions, up to 1e-6 where solvers
// end; contacts a thousandth of a body's size apart leave 1e-3.
constexpr double kDependent = 1e-5;
// -   Pivots of a core below this are errors of directions. A core contains squared lengths.
constexpr double kSmallPivot = 1e-9;

}  // namespace

// Velocities that contribute next to nothing to the row's mobility are left out: they are errors of
// the direction, and the rank of a core, which does not depend on units, would count them in full.
void UniquenessTest::append_row(const ContactJacobian& J, int contact,
                                const ContactVector& direction) {
  shares_.clear();
  for (int which = 0; which < 2; ++which) {
    const ContactJacobian::Side& side = J.side(contact, which);
    const ContactJacobian::Rows rows = J.rows(side);
    const ContactJacobian::Answers answers = J.answers(side);
    for (int k = 0; k < side.nv; ++k) {
      values_.push_back(direction.dot(rows.col(k)));
      shares_.push_back(std::fabs(values_.back() * answers.row(k).dot(direction)));
    }
  }
  double mobility = 0.0;
  for (const double share : shares_) mobility += share;
  double* value = values_.data() + values_.size() - shares_.size();
  for (const double share : shares_) {
    if (share < kDependent * kDependent * mobility) *value = 0.0;
    ++value;
  }
  ++blocks_.back().count;
}

// The edge of the cone along which friction acts, or the generators between which it lies.
void UniquenessTest::append_slipping_rows(const ContactJacobian& J, int contact,
                                          const ForceState& state) {
  for (int j = 0; j < state.num_edges; ++j) {
    const auto& [t1, t2, spin] = state.edges[j];
    append_row(J, contact, {1.0, t1, t2, spin});
  }
  if (state.num_edges > 0) return;
  ContactVector edge = state.impulse;
  if (!(edge[kNormalRow] > 0.0)) edge << 1.0, -state.mu * state.slip.normalized();
  append_row(J, contact, edge / edge[kNormalRow]);
}

void UniquenessTest::append_sticking_rows(const ContactJacobian& J, int contact, const Contact& c) {
  append_row(J, contact, ContactVector::Unit(kNormalRow));
  if (!has_friction(c) || c.kind != ContactKind::kSurface) return;
  append_row(J, contact, ContactVector::Unit(kT1Row));
  if (!c.is_planar) append_row(J, contact, ContactVector::Unit(kT2Row));
  if (c.torsion > 0.0) append_row(J, contact, ContactVector::Unit(kSpinRow));
}

// Scales all rows of a contact by the same factor, so that null vectors remain impulses up to that
// factor. A contact that moves nothing has no rows.
void UniquenessTest::scale_rows(Block* block) {
  const int width = block->width();
  double longest = 0.0;
  for (int r = 0; r < block->count; ++r) {
    const Eigen::Map<const VecX> row(values_.data() + block->first + r * width, width);
    longest = std::max(longest, row.squaredNorm());
  }
  if (longest == 0.0) {
    values_.resize(block->first);
    block->count = 0;
    return;
  }
  const double scale = 1.0 / std::sqrt(longest);
  for (std::size_t k = block->first; k < values_.size(); ++k) values_[k] *= scale;
}

// Collects the rows of a contact.
void UniquenessTest::collect(const ContactJacobian& J, int contact, const Contact& c,
                             const ForceState& state) {
  Block block{.first = static_cast<int>(values_.size()),
              .is_loaded = state.impulse[kNormalRow] > 0.0,
              .is_stuck = !state.slips && has_friction(c) && c.kind == ContactKind::kSurface};
  for (int which = 0; which < 2; ++which) {
    const ContactJacobian::Side& side = J.side(contact, which);
    if (side.nv == 0) continue;
    block.mechanism[which] = side.mechanism;
    block.nv[which] = side.nv;
  }
  blocks_.push_back(block);
  if (!state.touches) return;
  if (is_dry(c)) {
    if (!state.slips) append_row(J, contact, ContactVector::Unit(kT1Row));
    if (!state.slips && !c.is_planar) append_row(J, contact, ContactVector::Unit(kT2Row));
  } else if (state.slips && has_friction(c)) {
    append_slipping_rows(J, contact, state);
  } else {
    append_sticking_rows(J, contact, c);
  }
  scale_rows(&blocks_.back());
}

void UniquenessTest::collect_loops(const dynamics::Model& model, const dynamics::MassMatrix& M) {
  for (int m = 0; m < model.num_mechanisms(); ++m) {
    if (model.mechanisms[m].loops.empty()) continue;
    const MatX& loops = M.inverse(m).loops().jacobian();
    const int nv = model.mechanisms[m].nv;
    Block block{.first = static_cast<int>(values_.size()), .is_loaded = true};
    block.mechanism[1] = m;
    block.nv[1] = nv;
    for (Eigen::Index r = 0; r < loops.rows(); ++r) {
      const double length = loops.row(r).norm();
      if (length == 0.0) continue;
      for (int k = 0; k < nv; ++k) values_.push_back(loops(r, k) / length);
      ++block.count;
    }
    blocks_.push_back(block);
  }
}

void UniquenessTest::sort_by_mechanism(int num_mechanisms) {
  first_of_.assign(num_mechanisms + 2, 0);
  for (const Block& block : blocks_) {
    for (const int m : block.mechanism) {
      if (m >= 0 && block.count > 0) ++first_of_[m + 2];
    }
  }
  for (int m = 0; m < num_mechanisms; ++m) first_of_[m + 2] += first_of_[m + 1];
  members_.resize(first_of_[num_mechanisms + 1]);
  for (int b = 0; b < static_cast<int>(blocks_.size()); ++b) {
    for (const int m : blocks_[b].mechanism) {
      if (m >= 0 && blocks_[b].count > 0) members_[first_of_[m + 1]++] = b;
    }
  }
}

std::span<const int> UniquenessTest::blocks_of(int mechanism) const {
  return std::span(members_).subspan(first_of_[mechanism],
                                     first_of_[mechanism + 1] - first_of_[mechanism]);
}

// Marks contacts by the first test. Contacts between the same two bodies are consecutive.
void UniquenessTest::mark_pairs(std::span<const Contact> contacts,
                                std::vector<char>* unique) const {
  const auto counts = [&](std::size_t i) {
    return blocks_[i].is_stuck && blocks_[i].is_loaded && blocks_[i].count > 1;
  };
  std::size_t last = contacts.size();  // the last contact that counts
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!counts(i)) continue;
    if (last < i && contacts[last].body_a == contacts[i].body_a &&
        contacts[last].body_b == contacts[i].body_b) {
      (*unique)[last] = (*unique)[i] = 0;
    }
    last = i;
  }
}

// True if the remaining rows of a mechanism are independent in its own columns. Orthogonalises each
// row twice.
bool UniquenessTest::are_independent(int mechanism, int nv) {
  int count = 0;
  for (const int b : blocks_of(mechanism)) count += is_peeled_[b] != 0 ? 0 : blocks_[b].count;
  if (count == 0 || count > nv) return false;
  basis_.resize(static_cast<std::size_t>(count) * nv);
  int rank = 0;
  for (const int b : blocks_of(mechanism)) {
    if (is_peeled_[b] != 0) continue;
    const Block& block = blocks_[b];
    const int offset = block.mechanism[0] == mechanism ? 0 : block.nv[0];
    for (int r = 0; r < block.count; ++r) {
      Eigen::Map<VecX> x(basis_.data() + static_cast<std::size_t>(rank) * nv, nv);
      x = Eigen::Map<const VecX>(values_.data() + block.first + r * block.width() + offset, nv);
      const double length = x.norm();
      for (int k = 0; k < 2 * rank; ++k) {
        const Eigen::Map<const VecX> q(
            basis_.data() + static_cast<std::size_t>(k < rank ? k : k - rank) * nv, nv);
        x -= q.dot(x) * q;
      }
      const double rest = x.norm();
      if (!(rest > kDependent * length)) return false;
      x /= rest;
      ++rank;
    }
  }
  return true;
}

void UniquenessTest::peel(const dynamics::Model& model) {
  is_peeled_.assign(blocks_.size(), 0);
  queue_.clear();
  for (int m = 0; m < model.num_mechanisms(); ++m) queue_.push_back(m);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const int m = queue_[next];
    if (!are_independent(m, model.mechanisms[m].nv)) continue;
    for (const int b : blocks_of(m)) {
      if (is_peeled_[b] != 0) continue;
      is_peeled_[b] = 1;
      for (const int other : blocks_[b].mechanism) {
        if (other >= 0 && other != m) queue_.push_back(other);
      }
    }
  }
}

void UniquenessTest::test_cores(const dynamics::Model& model, std::span<const ForceState> states,
                                std::vector<char>* unique) {
  components_.reset(model.num_mechanisms());
  const auto is_left = [this](int b) {
    return is_peeled_[b] == 0 && blocks_[b].count > 0;
  };
  const int num_blocks = static_cast<int>(blocks_.size());
  const auto home_of = [this](int b) {
    return blocks_[b].mechanism[blocks_[b].mechanism[0] >= 0 ? 0 : 1];
  };
  for (int b = 0; b < num_blocks; ++b) {
    if (is_left(b) && blocks_[b].mechanism[0] >= 0 && blocks_[b].mechanism[1] >= 0) {
      components_.join(blocks_[b].mechanism[0], blocks_[b].mechanism[1]);
    }
  }
  core_.clear();
  for (int b = 0; b < num_blocks; ++b) {
    if (is_left(b)) core_.emplace_back(components_.root(home_of(b)), b);
  }
  std::sort(core_.begin(), core_.end());
  column_.assign(model.num_mechanisms(), -1);
  for (auto begin = core_.begin(); begin != core_.end();) {
    const auto end = std::find_if(begin, core_.end(), [&](const auto& entry) {
      return entry.first != begin->first;
    });
    test_core({&*begin, static_cast<std::size_t>(end - begin)}, states, unique);
    begin = end;
  }
}

// Fills J of a core and its product J'J.
void UniquenessTest::fill_core(std::span<const std::pair<int, int>> core, int num_columns) {
  Eigen::Index num_rows = 0;
  for (const auto& [root, b] : core) num_rows += blocks_[b].count;
  rows_.setZero(num_rows, num_columns);
  normal_matrix_.setZero(num_columns, num_columns);
  Eigen::Index row = 0;
  for (const auto& [root, b] : core) {
    fill_rows(blocks_[b], row);
    add_products(blocks_[b], row);
    row += blocks_[b].count;
  }
}

void UniquenessTest::fill_rows(const Block& block, Eigen::Index first) {
  for (int r = 0; r < block.count; ++r) {
    const double* value = values_.data() + block.first + r * block.width();
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < block.nv[side]; ++k) {
        rows_(first + r, column_[block.mechanism[side]] + k) = *value++;
      }
    }
  }
}

void UniquenessTest::add_products(const Block& block, Eigen::Index first) {
  for (int s = 0; s < 2; ++s) {
    for (int t = 0; t < 2 && block.nv[s] > 0; ++t) {
      if (block.nv[t] == 0) continue;
      const int i = column_[block.mechanism[s]];
      const int j = column_[block.mechanism[t]];
      normal_matrix_.block(i, j, block.nv[s], block.nv[t]).noalias() +=
          rows_.block(first, i, block.count, block.nv[s])
              .transpose()
              .lazyProduct(rows_.block(first, j, block.count, block.nv[t]));
    }
  }
}

// Subtracts J x from null_, where x makes the result shortest; repeats this once against rounding.
void UniquenessTest::project_on_null_space() {
  for (int round = 0; round < 2; ++round) {
    right_side_.noalias() = rows_.transpose() * null_;
    cholesky_.solve(right_side_);
    null_.noalias() -= rows_ * right_side_;
  }
}

// True if impulses along the null vector keep unloaded contacts within their cones.
bool UniquenessTest::is_admissible(std::span<const std::pair<int, int>> core, double sign,
                                   std::span<const ForceState> states) const {
  Eigen::Index row = 0;
  for (const auto& [root, b] : core) {
    const Block& block = blocks_[b];
    const double* z = null_.data() + row;
    row += block.count;
    if (block.is_loaded) continue;
    const double normal = sign * z[0];
    if (normal < -kZeroEntry) return false;
    if (states[b].num_edges > 0) {  // each generator by itself
      for (int r = 1; r < block.count; ++r) {
        if (sign * z[r] < -kZeroEntry) return false;
      }
      continue;
    }
    double friction = 0.0;
    for (int r = 1; r < std::min(block.count, 3); ++r) friction = std::hypot(friction, z[r]);
    if (friction > states[b].mu * normal + kZeroEntry) return false;
  }
  return true;
}

void UniquenessTest::test_core(std::span<const std::pair<int, int>> core,
                               std::span<const ForceState> states, std::vector<char>* unique) {
  const int num_contacts = static_cast<int>(unique->size());
  const auto is_open = [&](const std::pair<int, int>& entry) {
    return entry.second < num_contacts && (*unique)[entry.second] != 0;
  };
  if (std::none_of(core.begin(), core.end(), is_open)) return;
  int num_columns = 0;
  for (const auto& [root, b] : core) {
    for (int side = 0; side < 2; ++side) {
      const int m = blocks_[b].mechanism[side];
      if (m < 0 || column_[m] >= 0) continue;
      column_[m] = num_columns;
      num_columns += blocks_[b].nv[side];
    }
  }
  if (num_columns > kMaxCore) {
    for (const auto& [root, b] : core) {
      if (b < num_contacts) (*unique)[b] = 0;
    }
    return;
  }
  fill_core(core, num_columns);
  cholesky_.factor(normal_matrix_, kSmallPivot);
  const Eigen::Index nullity = rows_.rows() - cholesky_.rank();
  if (nullity <= 0) return;
  const RandomStream random(1);  // arbitrary numbers, the same in every run
  null_.resize(rows_.rows());
  right_side_.resize(num_columns);
  for (Eigen::Index r = 0; r < rows_.rows(); ++r) {
    null_[r] = random.uniform(static_cast<std::uint64_t>(r), -1.0, 1.0);
  }
  project_on_null_space();
  const double largest = null_.lpNorm<Eigen::Infinity>();
  if (!(largest > kZeroEntry)) return;
  null_ /= largest;
  if (nullity == 1 && !is_admissible(core, 1.0, states) && !is_admissible(core, -1.0, states)) {
    return;
  }
  Eigen::Index row = 0;
  for (const auto& [root, b] : core) {
    const double part = null_.segment(row, blocks_[b].count).lpNorm<Eigen::Infinity>();
    if (b < num_contacts && part > kZeroEntry) (*unique)[b] = 0;
    row += blocks_[b].count;
  }
}

bool UniquenessTest::test(const dynamics::Model& model, const dynamics::MassMatrix& M,
                          const ContactJacobian& J, std::span<const Contact> contacts,
                          std::span<const ForceState> states, std::vector<char>* unique) {
  unique->assign(contacts.size(), 1);
  blocks_.clear();
  values_.clear();
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    collect(J, i, contacts[i], states[i]);
  }
  collect_loops(model, M);
  sort_by_mechanism(model.num_mechanisms());
  mark_pairs(contacts, unique);
  peel(model);
  test_cores(model, states, unique);
  return std::all_of(unique->begin(), unique->end(), [](char is_unique) {
    return is_unique != 0;
  });
}

}  // namespace tenpin::contact
