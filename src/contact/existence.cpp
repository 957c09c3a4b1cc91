#include "contact/existence.h"

#include <algorithm>

#include "contact/friction_cone.h"

namespace tenpin::contact {

void ExistenceTest::append_row(const ContactJacobian& J, int contact, int row) {
  const auto part_of = [&](int which) {
    const ContactJacobian::Side& side = J.side(contact, which);
    return side.nv == 0 ? SparseRank::Part{}
                        : SparseRank::Part{group_[side.mechanism], J.row(side, row)};
  };
  rank_.add(part_of(0), part_of(1));
}

void ExistenceTest::append_loops(const dynamics::MassMatrix& M) {
  for (const int m : held_) {
    const MatX& loops = M.inverse(m).loops().jacobian();
    for (int r = 0; r < loops.rows(); ++r) {
      loop_row_ = loops.row(r);
      rank_.add({group_[m], loop_row_.data()}, {});
    }
  }
}

// Numbers the mechanisms of the island, and tells which of them loops hold.
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
    append_loops(M);
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
  // Else the sum of the spans is smaller than its parts.
  const bool room = rank_n + rank_d <= nv_ - rank_loops;
  const auto has_normal = [&](int c) {
    return contacts[c].kind != ContactKind::kJointFriction;
  };
  const auto num_normals = std::count_if(island.begin(), island.end(), has_normal);
  return {
      .normals_independent = rank_n == num_normals,
      .spans_disjoint = is_smooth || (room && rank_of(true, true) == rank_loops + rank_n + rank_d)};
}

}  // namespace tenpin::contact
