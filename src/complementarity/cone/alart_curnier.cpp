#include "complementarity/cone/alart_curnier.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

constexpr double kSmallestShare = 1e-14;  // of reach / |z_T|

double dot_tangents(const double* a, const double* b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// Sets `across` to unit vectors orthogonal to d.
void set_across(const double* d, int n, double (*across)[3]) {
  if (n == 2) {
    across[0][0] = -d[1];
    across[0][1] = d[0];
    return;
  }
  int least = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::fabs(d[i]) < std::fabs(d[least])) least = i;
  }
  double* const a = across[0];
  for (int i = 0; i < 3; ++i) a[i] = (i == least ? 1.0 : 0.0) - d[least] * d[i];
  const double size = std::sqrt(dot_tangents(a, a, 3));
  for (int i = 0; i < 3; ++i) a[i] /= size;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    across[1][i] = d[j] * a[k] - d[k] * a[j];
  }
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

// Evaluates P(z) and the mode of the contact there.
AlartCurnier::Contact AlartCurnier::judge(const double* z, const Limit& limit, double* P) {
  const int n = limit.num_tangents;
  Contact contact;
  const bool presses = z[0] > 0.0;
  P[0] = presses ? z[0] : 0.0;
  const double reach = limit.mu * (P[0] + limit.given);
  const double t = std::sqrt(dot_tangents(z + 1, z + 1, n));
  if (limit.mu == 0.0 || reach == 0.0) {
    contact.mode = presses ? kNormal : kOpen;
    std::fill_n(P + 1, n, 0.0);
  } else if (t <= reach) {
    contact.mode = presses ? kStick : kHold;
    std::copy_n(z + 1, n, P + 1);
  } else {
    contact.mode = presses ? kSlide : kRub;
    contact.c = std::max(reach / t, kSmallestShare);
    for (int i = 0; i < n; ++i) {
      contact.d[i] = z[1 + i] / t;
      P[1 + i] = reach * contact.d[i];
    }
    set_across(contact.d, n, contact.across);
  }
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
    const int n = W.size(a);
    double z[4];
    for (int i = 0; i < n; ++i) {
      const int k = first + i;
      z[i] = l[k] - kRho * (u[k] + weight_ * (l[k] - centre_[k]));
    }
    double P[4];
    Contact contact =
        judge(z, {.num_tangents = n - 1, .mu = problem_->mu[a], .given = problem_->given[a]}, P);
    double F[4];
    for (int i = 0; i < n; ++i) {
      F[i] = l[first + i] - P[i];
      sum += F[i] * F[i];
    }
    if (!keep) continue;
    const double share = contact.mode == kSlide ? problem_->mu[a] * F[0] : 0.0;
    contact.h = share - dot_tangents(contact.d, F + 1, n - 1);
    contacts_[a] = contact;
    std::copy_n(F, n, &F_[first]);
  }
  return std::sqrt(sum);
}

void AlartCurnier::update_sizes() {
  for (int a = 0; a < problem_->num_blocks(); ++a) {
    const int n = problem_->W.size(a);
    const int sizes[] = {0, 1, n - 1, n, n - 1, n - 2};  // by mode
    sizes_[a] = sizes[contacts_[a].mode];
  }
  if (sizes_ == planned_sizes_) return;
  planned_sizes_ = sizes_;
  A_.set_sizes(sizes_);
  if (!is_ordered_) lu_.order(A_);
  is_ordered_ = true;
  lu_.analyze(A_);
}

// Computes column j of W_ab C_b, by the unknowns of b.
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
  const int n = num_tangents(b);
  const bool is_along = contact.mode == kSlide && j == 0;
  const int k = contact.mode == kSlide ? j - 1 : j;
  const double* const direction = is_along ? contact.d : contact.across[k];
  const double share = is_along ? problem_->mu[b] : 1.0;
  for (int i = 0; i < num_rows; ++i) {
    double sum = 0.0;
    for (int t = 0; t < n; ++t) sum += full[i + (t + 1) * num_rows] * direction[t];
    column[i] = is_along ? full[i] + share * sum : sum;
  }
}

// Keeps, in place, only the rows of a contact that match its unknowns: N and, if it slides, the
// directions across the slip.
void AlartCurnier::pick_rows(int block, double* rows) const {
  const Contact& contact = contacts_[block];
  const int n = num_tangents(block);
  if (contact.mode == kHold) std::copy_n(rows + 1, n, rows);
  if (!is_turned(contact.mode)) return;
  double picked[2];
  for (int k = 0; k < n - 1; ++k) picked[k] = dot_tangents(contact.across[k], rows + 1, n);
  std::copy_n(picked, n - 1, rows + (contact.mode == kSlide ? 1 : 0));
}

// Computes A_ab = R_a' W_ab C_b.
void AlartCurnier::fill_entry(int a, int e) {
  double* to = A_.entry(e);
  for (int j = 0; j < sizes_[A_.col[e]]; ++j) {
    double column[6];
    take_column(e, j, column);
    pick_rows(a, column);
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
    if (!is_turned(contact.mode)) continue;
    for (int i = contact.mode == kSlide ? 1 : 0; i < n; ++i) {
      diagonal[i + i * n] += (1.0 - contact.c) / (contact.c * kRho);
    }
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
    for (int i = 0; i < num_tangents(a); ++i) {
      const int k = first + 1 + i;
      if (contact.mode == kOpen || contact.mode == kNormal) known[k] = -F_[k];
      if (is_turned(contact.mode)) known[k] = contact.h * contact.d[i];
    }
  }
  multiply(W, known, zeros_, W_known);
  x_.resize(A_.num_rows());
  for (int a = 0; a < problem_->num_blocks(); ++a) {
    const int first = W.first_row[a];
    double* const x = x_.data() + A_.first_row[a];
    const Contact& contact = contacts_[a];
    // Across the slip, F is scaled by 1 / c.
    double right[6];
    for (int i = 0; i < W.size(a); ++i) right[i] = -F_[first + i] / kRho - W_known[first + i];
    pick_rows(a, right);
    std::copy_n(right, sizes_[a], x);
    if (!is_turned(contact.mode)) continue;
    double* const x_across = x + (contact.mode == kSlide ? 1 : 0);
    for (int k = 0; k < num_tangents(a) - 1; ++k) {
      x_across[k] -= (1.0 - contact.c) / (contact.c * kRho) *
                     dot_tangents(contact.across[k], &F_[first + 1], num_tangents(a));
    }
  }
}

void AlartCurnier::expand(std::span<const double> known, std::span<double> dl) const {
  const BlockMatrix& W = problem_->W;
  std::copy(known.begin(), known.end(), dl.begin());
  for (int a = 0; a < problem_->num_blocks(); ++a) {
    const int first = W.first_row[a];
    const double* x = x_.data() + A_.first_row[a];
    const Contact& contact = contacts_[a];
    if (!is_turned(contact.mode)) {
      const int skip = contact.mode == kHold ? 1 : 0;
      for (int i = 0; i < sizes_[a]; ++i) dl[first + skip + i] += x[i];
      continue;
    }
    const double normal = contact.mode == kSlide ? *x++ : 0.0;
    dl[first] += normal;
    const double along = problem_->mu[a] * normal;
    for (int i = 0; i < num_tangents(a); ++i) {
      dl[first + 1 + i] += along * contact.d[i];
      for (int k = 0; k < num_tangents(a) - 1; ++k)
        dl[first + 1 + i] += x[k] * contact.across[k][i];
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
