#include "complementarity/cone/alart_curnier.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

constexpr double kSmallestShare = 1e-14;  // of reach / |z_T|

// Along p = d-perp.
double across(const double* d, const double* v) {
  return v[2] * d[0] - v[1] * d[1];
}

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

// P(z), and what the contact does there.
AlartCurnier::Contact AlartCurnier::judge(const double* z, double mu, double given, double* P) {
  Contact contact;
  const bool presses = z[0] > 0.0;
  P[0] = presses ? z[0] : 0.0;
  P[1] = P[2] = 0.0;
  const double reach = mu * (P[0] + given);
  if (mu == 0.0 || reach == 0.0) {
    contact.mode = presses ? kNormal : kOpen;
    return contact;
  }
  const double t = std::sqrt(z[1] * z[1] + z[2] * z[2]);
  if (t <= reach) {
    contact.mode = presses ? kStick : kHold;
    P[1] = z[1];
    P[2] = z[2];
    return contact;
  }
  contact.mode = presses ? kSlide : kRub;
  contact.d[0] = z[1] / t;
  contact.d[1] = z[2] / t;
  contact.c = std::max(reach / t, kSmallestShare);
  P[1] = reach * contact.d[0];
  P[2] = reach * contact.d[1];
  return contact;
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
    double P[3];
    Contact contact = judge(z, problem_->mu[a], problem_->given[a], P);
    double F[3];
    for (int i = 0; i < 3; ++i) {
      F[i] = l[first + i] - P[i];
      sum += F[i] * F[i];
    }
    if (!keep) continue;
    const double share = contact.mode == kSlide ? problem_->mu[a] * F[0] : 0.0;
    contact.h = share - (contact.d[0] * F[1] + contact.d[1] * F[2]);
    contacts_[a] = contact;
    std::copy_n(F, 3, &F_[first]);
  }
  return std::sqrt(sum);
}

void AlartCurnier::update_sizes() {
  constexpr int kSizes[] = {0, 1, 2, 3, 2, 1};
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

// Column j of W_ab C_b: of the unknowns of b.
void AlartCurnier::take_column(int e, int j, double* column) const {
  const BlockMatrix& W = problem_->W;
  const int b = W.col[e];
  const int num_rows = (W.value_begin[e + 1] - W.value_begin[e]) / W.size(b);
  const double* const full = W.entry(e);
  const Contact& contact = contacts_[b];
  if (!is_turned(contact.mode)) {
    const int first = contact.mode == kHold ? 1 : 0;
    std::copy_n(full + static_cast<long>(first + j) * num_rows, num_rows, column);
    return;
  }
  const double* const d = contact.d;
  const bool along_n = contact.mode == kSlide && j == 0;
  for (int i = 0; i < num_rows; ++i) {
    const double t1 = full[i + num_rows];
    const double t2 = full[i + 2 * num_rows];
    column[i] =
        along_n ? full[i] + problem_->mu[b] * (t1 * d[0] + t2 * d[1]) : t2 * d[0] - t1 * d[1];
  }
}

// The rows of a contact that its unknowns answer to, in place: N and p where it slides.
void AlartCurnier::pick_rows(const Contact& contact, double* rows) {
  if (contact.mode == kSlide) rows[1] = across(contact.d, rows);
  if (contact.mode == kRub) rows[0] = across(contact.d, rows);
  if (contact.mode == kHold) {
    rows[0] = rows[1];
    rows[1] = rows[2];
  }
}

// A_ab = R_a' W_ab C_b.
void AlartCurnier::fill_entry(int a, int e) {
  double* to = A_.entry(e);
  for (int j = 0; j < sizes_[A_.col[e]]; ++j) {
    double column[6];
    take_column(e, j, column);
    pick_rows(contacts_[a], column);
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
    const Contact& contact = contacts_[a];
    if (is_turned(contact.mode)) diagonal[n * n - 1] += (1.0 - contact.c) / (contact.c * kRho);
  }
}

void AlartCurnier::fill_right_side(std::span<double> known, std::span<double> W_known) {
  const BlockMatrix& W = problem_->W;
  for (int a = 0; a < problem_->num_blocks(); ++a) {
    const int first = W.first_row[a];
    std::fill_n(&known[first], W.size(a), 0.0);
    if (!problem_->is_contact(a)) continue;
    const Contact& contact = contacts_[a];
    const bool presses =
        contact.mode == kNormal || contact.mode == kSlide || contact.mode == kStick;
    if (!presses) known[first] = -F_[first];
    if (contact.mode == kOpen || contact.mode == kNormal) {
      known[first + 1] = -F_[first + 1];
      known[first + 2] = -F_[first + 2];
    } else if (is_turned(contact.mode)) {
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
    double right[6];
    for (int i = 0; i < W.size(a); ++i) right[i] = -F_[first + i] / kRho - W_known[first + i];
    pick_rows(contact, right);
    std::copy_n(right, sizes_[a], x);
    if (!is_turned(contact.mode)) continue;
    x[sizes_[a] - 1] -= (1.0 - contact.c) / (contact.c * kRho) * across(contact.d, &F_[first]);
  }
}

void AlartCurnier::expand(std::span<const double> known, std::span<double> dl) const {
  const BlockMatrix& W = problem_->W;
  std::copy(known.begin(), known.end(), dl.begin());
  for (int a = 0; a < problem_->num_blocks(); ++a) {
    const int first = W.first_row[a];
    const double* const x = x_.data() + A_.first_row[a];
    const Contact& contact = contacts_[a];
    if (!is_turned(contact.mode)) {
      const int skip = contact.mode == kHold ? 1 : 0;
      for (int i = 0; i < sizes_[a]; ++i) dl[first + skip + i] += x[i];
      continue;
    }
    const double normal = contact.mode == kSlide ? x[0] : 0.0;
    const double along = problem_->mu[a] * normal;
    const double aside = x[sizes_[a] - 1];
    dl[first] += normal;
    dl[first + 1] += along * contact.d[0] - aside * contact.d[1];
    dl[first + 2] += along * contact.d[1] + aside * contact.d[0];
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
