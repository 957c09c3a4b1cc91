// Coulomb's law over the round cone at one contact, solved exactly with all other impulses fixed.
#pragma once

#include "batch/vectors.h"

namespace tenpin::batch {

template <class Real>
struct SlideLimits {};
template <>
struct SlideLimits<double> {
  static constexpr double kTolerance = 1e-12;  // of the squared size, as far as rounding allows
};
template <>
struct SlideLimits<float> {
  static constexpr float kTolerance = 1e-6F;
};
inline constexpr int kMaxSlideSteps = 30;  // 4 are usual; bisection alone would need about 50

// Solves u = D r + b, with D = nn n1 n2 11 12 22, its 1 / D_nn and 1 / determinant of the tangents'
// Schur complement S. Where the contact slides, (S + rate) r_T = -c. With N = det r_T, which is
// linear in the rate, and H = -det D_nn r_n, which is quadratic, |N|^2 = (mu / D_nn)^2 H^2 is a
// quartic in the rate. It is solved by Newton steps inside a bracket, starting with the rate of the
// previous sweep.
template <class Real>
TENPIN_INLINE Vector<Real> solve_contact(const Real* D, Real inverse_n, Real inverse_t,
                                         Vector<Real> b, Real mu, Real* rate_in_out) {
  if (!(b.x < Real(0))) return {Real(0), Real(0), Real(0)};
  if (!(mu > Real(0))) return {-b.x * inverse_n, Real(0), Real(0)};
  const Real s1 = D[1] * inverse_n, s2 = D[2] * inverse_n;
  const Real S_tt = D[3] - D[1] * s1, S_ts = D[4] - D[1] * s2, S_ss = D[5] - D[2] * s2;
  const Real c1 = b.y - s1 * b.x, c2 = b.z - s2 * b.x;
  Vector<Real> r;
  r.y = (S_ts * c2 - S_ss * c1) * inverse_t;
  r.z = (S_ts * c1 - S_tt * c2) * inverse_t;
  r.x = -(b.x + (D[1] * r.y + D[2] * r.z)) * inverse_n;
  const Real limit = mu * r.x;
  if (r.x >= Real(0) && r.y * r.y + r.z * r.z <= limit * limit) return r;
  const Real k2 = (mu * inverse_n) * (mu * inverse_n);
  const Real slope_H = D[1] * c1 + D[2] * c2;
  Real rate = *rate_in_out, low = Real(0), high = Real(-1);
  Real N_t = Real(0), N_s = Real(0), det = Real(1), H = Real(0);
  for (int k = 0; k < kMaxSlideSteps; ++k) {
    const Real a = S_tt + rate, d = S_ss + rate;
    det = a * d - S_ts * S_ts;
    N_t = S_ts * c2 - d * c1;
    N_s = S_ts * c1 - a * c2;
    H = b.x * det + (D[1] * N_t + D[2] * N_s);
    const Real size2 = N_t * N_t + N_s * N_s;
    const Real F = size2 - k2 * (H * H);
    const bool pulls = H > Real(0);  // the normal impulse would be negative: the rate is too small
    if (!pulls && absolute(F) <= SlideLimits<Real>::kTolerance * size2) break;
    if (pulls || F > Real(0)) {
      low = rate;
    } else {
      high = rate;
    }
    const Real slope_F = Real(-2) * ((N_t * c1 + N_s * c2) + k2 * (H * (b.x * (a + d) - slope_H)));
    Real next = rate - F / slope_F;
    const bool is_bounded = high >= Real(0);
    if (pulls || !(next > low && (!is_bounded || next < high))) {
      next = is_bounded ? Real(0.5) * (low + high) : Real(2) * low + D[0];
    }
    rate = next;
  }
  *rate_in_out = rate;
  r.x = larger(-(H / det) * inverse_n, Real(0));
  const Real size = square_root(N_t * N_t + N_s * N_s);
  const Real shrink = size > Real(0) ? mu * r.x / size : Real(0);
  return {r.x, shrink * N_t, shrink * N_s};
}

}  // namespace tenpin::batch
