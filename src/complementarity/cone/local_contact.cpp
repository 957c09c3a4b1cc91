#include "complementarity/cone/local_contact.h"

#include <algorithm>
#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

constexpr int kMaxLocalSteps = 60;
constexpr double kRatioTolerance = 1e-14;

struct Slide {
  double r[3] = {};
  double ratio = 0.0;  // mu r_N / |r_T|: one on the cone, below one outside
  double slope = 0.0;  // d ratio / d slip_rate
};

// The reaction that a slip u_T = -slip_rate r_T gives: (S + slip_rate) r_T = -c, u_N = 0.
// False where that matrix is singular.
bool calc_slide(const LocalContact& p, const double* b, double slip_rate, Slide* slide) {
  const double a = p.S[0] + slip_rate;
  const double d = p.S[3] + slip_rate;
  const double det = a * d - p.S[2] * p.S[1];
  if (!(det > 0.0)) return false;
  const double b_share = b[0] / p.A[0];
  const double c1 = b[1] - p.A[1] * b_share;
  const double c2 = b[2] - p.A[2] * b_share;
  const double t1 = -(d * c1 - p.S[2] * c2) / det;
  const double t2 = -(a * c2 - p.S[1] * c1) / det;
  const double d1 = -(d * t1 - p.S[2] * t2) / det;
  const double d2 = -(a * t2 - p.S[1] * t1) / det;
  const double n = -(b[0] + p.A[3] * t1 + p.A[6] * t2) / p.A[0];
  const double dn = -(p.A[3] * d1 + p.A[6] * d2) / p.A[0];
  const double t = std::sqrt(t1 * t1 + t2 * t2);
  slide->r[0] = n;
  slide->r[1] = t1;
  slide->r[2] = t2;
  slide->ratio = p.mu * n / t;
  slide->slope = p.mu * (dn - n * (t1 * d1 + t2 * d2) / (t * t)) / t;
  return true;
}

// The root of ratio(slip_rate) = 1: at zero the ratio is below one, or else the contact sticks, and
// it grows without bound since b_N < 0. Newton's method inside a bracket.
void solve_sliding(const LocalContact& contact, const double* b, double* r) {
  double low = 0.0;
  double high = -1.0;  // none yet
  double rate = contact.has_inverse ? 0.0 : 1e-12 * (contact.S[0] + contact.S[3] + contact.A[0]);
  Slide slide;
  for (int k = 0; k < kMaxLocalSteps; ++k) {
    const bool regular = calc_slide(contact, b, rate, &slide);
    if (regular && std::fabs(slide.ratio - 1.0) <= kRatioTolerance) break;
    (regular && slide.ratio > 1.0 ? high : low) = rate;
    double next = regular ? rate + (1.0 - slide.ratio) / slide.slope : -1.0;
    if (!(next > low) || (high >= 0.0 && !(next < high))) {
      next = high >= 0.0 ? 0.5 * (low + high) : 2.0 * low + contact.A[0];
    }
    if (next == rate) break;
    rate = next;
  }
  // Exactly on the cone.
  r[0] = std::max(slide.r[0], 0.0);
  const double t = std::sqrt(slide.r[1] * slide.r[1] + slide.r[2] * slide.r[2]);
  const double shrink = t > 0.0 ? contact.mu * r[0] / t : 0.0;
  r[1] = shrink * slide.r[1];
  r[2] = shrink * slide.r[2];
}

bool invert(const double* A, double* inverse) {
  const double c0 = A[4] * A[8] - A[7] * A[5];
  const double c1 = A[7] * A[2] - A[1] * A[8];
  const double c2 = A[1] * A[5] - A[4] * A[2];
  const double det = A[0] * c0 + A[3] * c1 + A[6] * c2;
  const double size = A[0] * A[4] * A[8];
  constexpr double kSingular = 1e-13;
  if (!(det > kSingular * size)) return false;
  const double f = 1.0 / det;
  inverse[0] = f * c0;
  inverse[1] = f * c1;
  inverse[2] = f * c2;
  inverse[3] = f * (A[6] * A[5] - A[3] * A[8]);
  inverse[4] = f * (A[0] * A[8] - A[6] * A[2]);
  inverse[5] = f * (A[3] * A[2] - A[0] * A[5]);
  inverse[6] = f * (A[3] * A[7] - A[6] * A[4]);
  inverse[7] = f * (A[6] * A[1] - A[0] * A[7]);
  inverse[8] = f * (A[0] * A[4] - A[3] * A[1]);
  return true;
}

}  // namespace

void prepare(const double* A, double shift, double mu, LocalContact* contact) {
  std::copy_n(A, 9, contact->A);
  for (const int i : {0, 4, 8}) contact->A[i] += shift;
  contact->mu = mu;
  contact->has_inverse = invert(contact->A, contact->inverse);
  if (!(contact->A[0] > 0.0)) return;
  for (int j = 0; j < 2; ++j) {
    const double share = contact->A[3 * (j + 1)] / contact->A[0];
    for (int i = 0; i < 2; ++i) {
      contact->S[i + 2 * j] = contact->A[i + 1 + 3 * (j + 1)] - contact->A[i + 1] * share;
    }
  }
}

void solve(const LocalContact& contact, const double* b, double* r) {
  r[0] = r[1] = r[2] = 0.0;
  if (b[0] >= 0.0 || !(contact.A[0] > 0.0)) return;
  if (contact.mu == 0.0) {
    r[0] = -b[0] / contact.A[0];
    return;
  }
  if (contact.has_inverse) {
    const double* const G = contact.inverse;
    for (int i = 0; i < 3; ++i) r[i] = -(G[i] * b[0] + G[i + 3] * b[1] + G[i + 6] * b[2]);
    const double limit = contact.mu * r[0];
    if (r[0] >= 0.0 && r[1] * r[1] + r[2] * r[2] <= limit * limit) return;
  }
  solve_sliding(contact, b, r);
}

}  // namespace tenpin::complementarity::cone
