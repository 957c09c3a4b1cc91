#include "contact/existence.h"

#include <algorithm>

#include "contact/friction_cone.h"

namespace tenpin::contact {

void ExistenceTest::append_row(const ContactJacobian& J, int contact, int row) {
  const auto part_of = [&](int which) {
    const ContactJacobian::Side& side = J.side(contact, which);
    if (side.nv == 0) return SparseRank::Part{};
    std::vector<double>& values = values_[which];
    values.resize(side.nv);
    for (int i = 0; i < side.nv; ++i) values[i] = J.rows(side)(row, i);
    return SparseRank::Part{group_[side.mechanism], values.data()};
  };
  rank_.add(part_of(0), part_of(1));
}

void ExistenceTest::append_loops(const dynamics::Model& model, const dynamics::MassMatrix& M) {
  for (const int m : held_) {
    const MatX& loops = M.inverse(m).loops().jacobian();
    values_[0].resize(model.mechanisms[m].nv);
    for (int r = 0; r < loops.rows(); ++r) {
      for (int i = 0; i < loops.cols(); ++i) values_[0][i] = loops(r, i);
      rank_.add({group_[m], values_[0].data()}, {});
    }
  }
}

// Numbers the mechanisms of the island, and marks the mechanisms with loops.
void ExistenceTest::number_mechanisms(const dynamics::Model& model, const ContactJacobian& J,
                                      std::span<const int> island) {
  group_.assign(model.mechanisms.size(), -1);
  widths_.clear();
  held_.clear();
  nv_ = 0;
  for (const int c : island) {
    for (int which = 0; which < 2; ++which) {
      const ContactJacobian::Side& s = J.side(c, which);
      if (s.nv == 0 || group_[s.mechanism] >= 0) continue;
      group_[s.mechanism] = static_cast<int>(widths_.size());
      widths_.push_back(s.nv);
      nv_ += s.nv;
      if (!model.mechanisms[s.mechanism].loops.empty()) held_.push_back(s.mechanism);
    }
  }
}

void ExistenceTest::append_tangents(const ContactJacobian& J, const Contact& contact, int index) {
  if (!has_friction(contact)) return;
  append_row(J, index, kT1Row);
  if (!contact.is_planar) append_row(J, index, kT2Row);
  if (contact.torsion > 0.0) append_row(J, index, kSpinRow);
}

Existence ExistenceTest::test(const dynamics::Model& model, const dynamics::MassMatrix& M,
                              const ContactJacobian& J, std::span<const Contact> contacts,
                              std::span<const int> island) {
  number_mechanisms(model, J, island);
  const auto rank_of = [&](bool normals, bool tangents) {
    rank_.reset(widths_);
    append_loops(model, M);
    for (const int c : island) {
      if (normals) append_row(J, c, kNormalRow);
      if (tangents) append_tangents(J, contacts[c], c);
    }
    return rank_.calc_rank();
  };
  const int rank_loops = held_.empty() ? 0 : rank_of(false, false);
  const int rank_n = rank_of(true, false) - rank_loops;
  const bool is_smooth = std::none_of(island.begin(), island.end(), [&](int c) {
    return has_friction(contacts[c]);
  });
  const int rank_d = is_smooth ? 0 : rank_of(false, true) - rank_loops;
  // Without this room, the dimension of the sum would be smaller than the sum of the dimensions.
  const bool room = rank_n + rank_d <= nv_ - rank_loops;
  const auto has_normal = [&](int c) {
    return !is_dry(contacts[c]);
  };
  const auto num_normals = std::count_if(island.begin(), island.end(), has_normal);
  return {
      .normals_independent = rank_n == num_normals,
      .spans_disjoint = is_smooth || (room && rank_of(true, true) == rank_loops + rank_n + rank_d)};
}

Existence ExistenceTest::test_all(const dynamics::Model& model, const dynamics::MassMatrix& M,
                                  const ContactJacobian& J, std::span<const Contact> contacts,
                                  const Islands& islands, int most_velocities) {
  const auto has_key = [](const Contact& c, const ContactKey& key) {
    return c.key == key;
  };
  if (std::equal(contacts.begin(), contacts.end(), keys_.begin(), keys_.end(), has_key)) {
    return known_;
  }
  keys_.resize(contacts.size());
  std::transform(contacts.begin(), contacts.end(), keys_.begin(), [](const Contact& c) {
    return c.key;
  });
  known_ = {};
  for (int i = 0; i < islands.size(); ++i) {
    number_mechanisms(model, J, islands.contacts(i));
    const bool is_large = nv_ > most_velocities;
    const Existence e = is_large ? Existence{.normals_independent = false, .spans_disjoint = false}
                                 : test(model, M, J, contacts, islands.contacts(i));
    known_.normals_independent = known_.normals_independent && e.normals_independent;
    known_.spans_disjoint = known_.spans_disjoint && e.spans_disjoint;
  }
  return known_;
}

}  // namespace tenpin::contact
