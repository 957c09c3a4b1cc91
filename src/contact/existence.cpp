#include "contact/existence.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact/friction_cone.h"

namespace tenpin::contact {

namespace {

// Rows shorter than this after orthogonalisation (from length one) count as dependent.
constexpr double kRankTolerance = 1e-9;

}  // namespace

double* ExistenceTest::begin_row() {
  rows_.resize(static_cast<std::size_t>(count_ + 1) * nv_, 0.0);
  double* row = rows_.data() + static_cast<std::size_t>(count_) * nv_;
  std::fill(row, row + nv_, 0.0);
  return row;
}

void ExistenceTest::end_row(double* row) {
  const double length = std::sqrt(std::inner_product(row, row + nv_, row, 0.0));
  if (length == 0.0) return;  // no such motion (planar bodies): spans nothing
  for (int i = 0; i < nv_; ++i) row[i] /= length;
  ++count_;
}

void ExistenceTest::append_row(const ContactJacobian& J, int contact, int row) {
  double* out = begin_row();
  for (int which = 0; which < 2; ++which) {
    const ContactJacobian::Side& s = J.side(contact, which);
    for (int i = 0; i < s.nv; ++i) out[column_[s.v_begin + i]] += J.rows(s)(row, i);
  }
  end_row(out);
}

void ExistenceTest::append_loops(const dynamics::Model& model, const dynamics::MassMatrix& M) {
  for (const int m : held_) {
    const MatX& loops = M.inverse(m).loops().jacobian();
    const int first = column_[model.mechanisms[m].v_begin];
    for (int r = 0; r < loops.rows(); ++r) {
      double* out = begin_row();
      for (int i = 0; i < loops.cols(); ++i) out[first + i] = loops(r, i);
      end_row(out);
    }
  }
}

// Modified Gram-Schmidt, longest remaining row first; destroys the rows. Each row is looked at
// only from its first number to its last that is not zero.
int ExistenceTest::calc_rank() {
  spans_.resize(count_);
  for (int i = 0; i < count_; ++i) {
    const double* r = row(i);
    Span& span = spans_[i] = {.begin = 0, .end = nv_, .square = 0.0};
    while (span.begin < nv_ && r[span.begin] == 0.0) ++span.begin;
    while (span.end > span.begin && r[span.end - 1] == 0.0) --span.end;
    span.square = std::inner_product(r + span.begin, r + span.end, r + span.begin, 0.0);
  }
  int rank = 0;
  for (; rank < std::min(count_, nv_); ++rank) {
    int longest = rank;
    for (int i = rank + 1; i < count_; ++i) {
      if (spans_[i].square > spans_[longest].square) longest = i;
    }
    const double length = std::sqrt(spans_[longest].square);
    if (length < kRankTolerance) break;
    std::swap_ranges(row(rank), row(rank) + nv_, row(longest));
    std::swap(spans_[rank], spans_[longest]);
    for (int k = spans_[rank].begin; k < spans_[rank].end; ++k) row(rank)[k] /= length;
    for (int i = rank + 1; i < count_; ++i) take_out(rank, i);
  }
  return rank;
}

// Takes the part along unit row `unit` out of row i.
void ExistenceTest::take_out(int unit, int i) {
  const Span& u = spans_[unit];
  Span& s = spans_[i];
  const int begin = std::max(u.begin, s.begin);
  const int end = std::min(u.end, s.end);
  if (begin >= end) return;
  double* r = row(i);
  const double* e = row(unit);
  const double along = std::inner_product(r + begin, r + end, e + begin, 0.0);
  if (along == 0.0) return;
  for (int k = u.begin; k < u.end; ++k) r[k] -= along * e[k];
  s.begin = std::min(s.begin, u.begin);
  s.end = std::max(s.end, u.end);
  s.square = std::inner_product(r + s.begin, r + s.end, r + s.begin, 0.0);
}

// Numbers the velocities of the island's bodies, and tells which of them loops hold.
void ExistenceTest::number_columns(const dynamics::Model& model, const ContactJacobian& J,
                                   std::span<const int> island) {
  column_.assign(model.nv, -1);
  held_.clear();
  nv_ = 0;
  for (const int c : island) {
    for (int which = 0; which < 2; ++which) {
      const ContactJacobian::Side& s = J.side(c, which);
      if (s.nv == 0 || column_[s.v_begin] >= 0) continue;
      for (int i = 0; i < s.nv; ++i) column_[s.v_begin + i] = nv_++;
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
  number_columns(model, J, island);
  const auto rank_of = [&](bool normals, bool tangents) {
    count_ = 0;
    append_loops(model, M);
    for (const int c : island) {
      if (normals) append_row(J, c, kNormalRow);
      if (tangents) append_tangents(J, contacts[c], c);
    }
    return calc_rank();
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
