#include "complementarity/cone/local_contact.h"

#include <algorithm>
#include <cmath>

#include "complementarity/tolerances.h"

namespace tenpin::complementarity::cone {
namespace {

constexpr int kMaxLocalSteps = 60;

struct Slide {
  double r[3] = {};
  double ratio = 0.0;  // mu (r_N + given) / |r_T|: one on the cone, below one outside
  double slope = 0.0;  // d ratio / d slip_rate
};

// The data of the sliding problem, either closed (u_N = 0) or open (r_N = 0).
struct Sliding {
  const double* S;    // tangential block; the normal row is eliminated if closed
  double c[2];        // u_T for r_T = 0
  double n = 0.0;     // r_N for r_T = 0
  double dn[2] = {};  // change of r_N with r_T
};

// Computes the reaction for a slip u_T = -slip_rate r_T: (S + slip_rate) r_T = -c. Returns false if
// that matrix is singular.
bool calc_slide(const LocalContact& p, const Sliding& s, double slip_rate, Slide* slide) {
  const double a = s.S[0] + slip_rate;
  const double d = s.S[3] + slip_rate;
  const double det = a * d - s.S[2] * s.S[1];
  if (!(det > 0.0)) return false;
  const double t1 = -(d * s.c[0] - s.S[2] * s.c[1]) / det;
  const double t2 = -(a * s.c[1] - s.S[1] * s.c[0]) / det;
  const double d1 = -(d * t1 - s.S[2] * t2) / det;
  const double d2 = -(a * t2 - s.S[1] * t1) / det;
  const double n = s.n + s.dn[0] * t1 + s.dn[1] * t2;
  const double dn = s.dn[0] * d1 + s.dn[1] * d2;
  const double t = std::sqrt(t1 * t1 + t2 * t2);
  slide->r[0] = n;
  slide->r[1] = t1;
  slide->r[2] = t2;
  slide->ratio = p.mu * (n + p.given) / t;
  slide->slope = p.mu * (dn - (n + p.given) * (t1 * d1 + t2 * d2) / (t * t)) / t;
  return true;
}

// Finds the root of ratio(slip_rate) = 1, by Newton's method inside a bracket. At zero the ratio is
// below one (otherwise the contact sticks), and it grows without bound because b_N < 0 or a load is
// given.
void solve_sliding(const LocalContact& contact, const Sliding& sliding, bool from_zero, double* r) {
  double low = 0.0;
  double high = -1.0;  // no upper bound yet
  double rate = from_zero ? 0.0 : 1e-12 * (contact.S[0] + contact.S[3] + contact.A[0]);
  Slide slide;
  for (int k = 0; k < kMaxLocalSteps; ++k) {
    const bool regular = calc_slide(contact, sliding, rate, &slide);
    if (regular && std::fabs(slide.ratio - 1.0) <= kSlideTolerance) break;
    (regular && slide.ratio > 1.0 ? high : low) = rate;
    double next = regular ? rate + (1.0 - slide.ratio) / slide.slope : -1.0;
    if (!(next > low) || (high >= 0.0 && !(next < high))) {
      next = high >= 0.0 ? 0.5 * (low + high) : 2.0 * low + contact.A[0];
    }
    if (next == rate) break;
    rate = next;
  }
  // Puts the reaction exactly on the cone.
  r[0] = std::max(slide.r[0], 0.0);
  const double t = std::sqrt(slide.r[1] * slide.r[1] + slide.r[2] * slide.r[2]);
  const double shrink = t > 0.0 ? contact.mu * (r[0] + contact.given) / t : 0.0;
  r[1] = shrink * slide.r[1];
  r[2] = shrink * slide.r[2];
}

bool is_inside(const LocalContact& contact, const double* r) {
  const double limit = contact.mu * (r[0] + contact.given);
  return r[0] >= 0.0 && r[1] * r[1] + r[2] * r[2] <= limit * limit;
}

// Solves for friction under the given load alone: the contact sticks or slides. Returns false if
// the contact closes.
bool solve_open(const LocalContact& contact, const double* b, double* r) {
  const double* const A = contact.A;
  const double S[4] = {A[4], A[5], A[7], A[8]};
  const double det = S[0] * S[3] - S[2] * S[1];
  const bool is_regular = det > kSingularContact * S[0] * S[3];
  r[0] = 0.0;
  if (is_regular) {
    r[1] = -(S[3] * b[1] - S[2] * b[2]) / det;
    r[2] = -(S[0] * b[2] - S[1] * b[1]) / det;
  }
  if (!is_regular || !is_inside(contact, r)) {
    solve_sliding(contact, {.S = S, .c = {b[1], b[2]}}, is_regular, r);
  }
  return b[0] + A[3] * r[1] + A[6] * r[2] >= 0.0;
}

bool invert(const double* A, double* inverse) {
  const double c0 = A[4] * A[8] - A[7] * A[5];
  const double c1 = A[7] * A[2] - A[1] * A[8];
  const double c2 = A[1] * A[5] - A[4] * A[2];
  const double det = A[0] * c0 + A[3] * c1 + A[6] * c2;
  const double size = A[0] * A[4] * A[8];
  if (!(det > kSingularContact * size)) return false;
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
  const double* const A = contact.A;
  const bool leans = contact.given > 0.0 && contact.mu > 0.0;
  if (leans) {
    if (solve_open(contact, b, r)) return;
    if (!(A[0] > 0.0)) return;
  } else if (b[0] >= 0.0 || !(A[0] > 0.0)) {
    return;
  }
  if (contact.mu == 0.0) {
    r[0] = -b[0] / A[0];
    return;
  }
  if (contact.has_inverse) {
    const double* const G = contact.inverse;
    for (int i = 0; i < 3; ++i) r[i] = -(G[i] * b[0] + G[i + 3] * b[1] + G[i + 6] * b[2]);
    if (is_inside(contact, r)) return;
  }
  const double share = b[0] / A[0];
  const Sliding sliding = {.S = contact.S,
                           .c = {b[1] - A[1] * share, b[2] - A[2] * share},
                           .n = -share,
                           .dn = {-A[3] / A[0], -A[6] / A[0]}};
  solve_sliding(contact, sliding, contact.has_inverse, r);
}

}  // namespace tenpin::complementarity::cone
