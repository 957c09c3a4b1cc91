#include "complementarity/cone/alart_curnier.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

constexpr double kSmallestShare = 1e-14;  // of mu z_N / |z_T|

}  // namespace

void AlartCurnier::reset(const ScaledProblem& problem) {
  problem_ = &problem;
  const BlockMatrix& W = problem.W;
  contacts_.assign(problem.num_blocks(), {});
  F_.assign(problem.num_rows(), 0.0);
  zeros_.assign(problem.num_rows(), 0.0);
  known_.assign(problem.num_rows(), 0.0);
  sizes_.assign(problem.num_blocks(), 0);
  planned_sizes_.assign(problem.num_blocks(), -1);
  A_.row_begin = W.row_begin;
  A_.col = W.col;
  A_.diagonal = W.diagonal;
  A_.mirror = W.mirror;
  is_ordered_ = false;
}

double AlartCurnier::calc_residual(std::span<const double> l, std::span<const double> u,
                                   bool keep) {
  const BlockMatrix& W = problem_->W;
  double sum = 0.0;
  for (int a = 0; a < problem_->num_blocks(); ++a) {
    const int first = W.first_row[a];
    if (!problem_->is_contact(a)) {
      for (int i = first; i < first + W.size(a); ++i) {
        const double F = kRho * (u[i] + weight_ * (l[i] - centre_[i]));
        sum += F * F;
        if (keep) F_[i] = F;
      }
      continue;
    }
    double z[3];
    for (int i = 0; i < 3; ++i) {
      const int k = first + i;
      z[i] = l[k] - kRho * (u[k] + weight_ * (l[k] - centre_[k]));
    }
    Contact contact;
    const double mu = problem_->mu[a];
    double P[3] = {0.0, 0.0, 0.0};
    if (z[0] > 0.0) {
      const double t = std::sqrt(z[1] * z[1] + z[2] * z[2]);
      P[0] = z[0];
      if (mu == 0.0) {
        contact.mode = kNormal;
      } else if (t <= mu * z[0]) {
        contact.mode = kStick;
        P[1] = z[1];
        P[2] = z[2];
      } else {
        contact.mode = kSlide;
        contact.d[0] = z[1] / t;
        contact.d[1] = z[2] / t;
        contact.c = std::max(mu * z[0] / t, kSmallestShare);
        P[1] = mu * z[0] * contact.d[0];
        P[2] = mu * z[0] * contact.d[1];
      }
    }
    double F[3];
    for (int i = 0; i < 3; ++i) {
      F[i] = l[first + i] - P[i];
      sum += F[i] * F[i];
    }
    if (!keep) continue;
    contact.h = mu * F[0] - (contact.d[0] * F[1] + contact.d[1] * F[2]);
    contacts_[a] = contact;
    std::copy_n(F, 3, &F_[first]);
  }
  return std::sqrt(sum);
}

void AlartCurnier::update_sizes() {
  constexpr int kSizes[] = {0, 1, 2, 3};
  for (int a = 0; a < problem_->num_blocks(); ++a) {
    sizes_[a] = problem_->is_contact(a) ? kSizes[contacts_[a].mode] : problem_->W.size(a);
  }
  if (sizes_ == planned_sizes_) return;
  planned_sizes_ = sizes_;
  A_.set_sizes(sizes_);
  if (!is_ordered_) lu_.order(A_);
  is_ordered_ = true;
  lu_.analyze(A_);
}

// Column j of W_ab C_b: n + mu d and p = d-perp where b slides, else a column of W_ab itself.
void AlartCurnier::take_column(int e, int j, double* column) const {
  const BlockMatrix& W = problem_->W;
  const int b = W.col[e];
  const int num_rows = (W.value_begin[e + 1] - W.value_begin[e]) / W.size(b);
  const double* const full = W.entry(e);
  if (!slides(b)) {
    std::copy_n(full + static_cast<long>(j) * num_rows, num_rows, column);
    return;
  }
  const double* const d = contacts_[b].d;
  for (int i = 0; i < num_rows; ++i) {
    const double t1 = full[i + num_rows];
    const double t2 = full[i + 2 * num_rows];
    column[i] =
        j == 0 ? full[i] + problem_->mu[b] * (t1 * d[0] + t2 * d[1]) : t2 * d[0] - t1 * d[1];
  }
}

// A_ab = R_a' W_ab C_b: of a sliding contact, the rows N and p.
void AlartCurnier::fill_entry(int a, int e) {
  double* to = A_.entry(e);
  for (int j = 0; j < sizes_[A_.col[e]]; ++j) {
    double column[6];
    take_column(e, j, column);
    if (slides(a)) column[1] = column[2] * contacts_[a].d[0] - column[1] * contacts_[a].d[1];
    to = std::copy_n(column, sizes_[a], to);
  }
}

void AlartCurnier::fill_matrix() {
  for (int a = 0; a < problem_->num_blocks(); ++a) {
    const int n = sizes_[a];
    if (n == 0) continue;
    for (int e = A_.row_begin[a]; e < A_.row_begin[a + 1]; ++e) fill_entry(a, e);
    double* const diagonal = A_.entry(A_.diagonal[a]);
    for (int i = 0; i < n; ++i) diagonal[i + i * n] += weight_;
    if (slides(a)) diagonal[3] += (1.0 - contacts_[a].c) / (contacts_[a].c * kRho);
  }
}

void AlartCurnier::fill_right_side(std::span<double> known, std::span<double> W_known) {
  const BlockMatrix& W = problem_->W;
  for (int a = 0; a < problem_->num_blocks(); ++a) {
    const int first = W.first_row[a];
    std::fill_n(&known[first], W.size(a), 0.0);
    if (!problem_->is_contact(a)) continue;
    const Contact& contact = contacts_[a];
    if (contact.mode == kOpen) known[first] = -F_[first];
    if (contact.mode == kOpen || contact.mode == kNormal) {
      known[first + 1] = -F_[first + 1];
      known[first + 2] = -F_[first + 2];
    } else if (contact.mode == kSlide) {
      known[first + 1] = contact.h * contact.d[0];
      known[first + 2] = contact.h * contact.d[1];
    }
  }
  multiply(W, known, zeros_, W_known);
  x_.resize(A_.num_rows());
  for (int a = 0; a < problem_->num_blocks(); ++a) {
    const int first = W.first_row[a];
    double* const x = x_.data() + A_.first_row[a];
    const Contact& contact = contacts_[a];
    if (slides(a)) {
      const auto across = [&](std::span<const double> v) {
        return v[first + 2] * contact.d[0] - v[first + 1] * contact.d[1];
      };
      x[0] = -F_[first] / kRho - W_known[first];
      x[1] = -across(F_) / (contact.c * kRho) - across(W_known);
    } else {
      for (int i = 0; i < sizes_[a]; ++i) x[i] = -F_[first + i] / kRho - W_known[first + i];
    }
  }
}

void AlartCurnier::expand(std::span<const double> known, std::span<double> dl) const {
  const BlockMatrix& W = problem_->W;
  std::copy(known.begin(), known.end(), dl.begin());
  for (int a = 0; a < problem_->num_blocks(); ++a) {
    const int first = W.first_row[a];
    const double* const x = x_.data() + A_.first_row[a];
    const Contact& contact = contacts_[a];
    if (slides(a)) {
      const double along = problem_->mu[a] * x[0];
      dl[first] += x[0];
      dl[first + 1] += along * contact.d[0] - x[1] * contact.d[1];
      dl[first + 2] += along * contact.d[1] + x[1] * contact.d[0];
    } else {
      for (int i = 0; i < sizes_[a]; ++i) dl[first + i] += x[i];
    }
  }
}

bool AlartCurnier::calc_step(std::span<double> dl, std::span<double> W_dl) {
  update_sizes();
  fill_matrix();
  fill_right_side(known_, W_dl);
  if (!lu_.factorize(A_)) return false;
  lu_.solve(x_);
  expand(known_, dl);
  multiply(problem_->W, dl, zeros_, W_dl);
  double sum = 0.0;
  for (const double x : W_dl) sum += x;
  return std::isfinite(sum);
}

}  // namespace tenpin::complementarity::cone
