// Coulomb's law at eight contacts, each solved with all other reactions fixed: the contact
// velocity, the reaction that solves the law exactly, and the change of velocity of the two bodies.
#pragma once

#include "complementarity/cone/contact_batch.h"

namespace tenpin::complementarity::cone {

inline constexpr int kMaxSlideSteps = 30;
inline constexpr double kRatioTolerance = 1e-13;

TENPIN_INLINE_LANES Lanes multiply_rows(const Lanes* J, const Lanes* v) {
  return ((J[0] * v[0] + J[1] * v[1]) + (J[2] * v[2] + J[3] * v[3])) + (J[4] * v[4] + J[5] * v[5]);
}

TENPIN_INLINE_LANES void give_rows(const Lanes J[3][kBodySize], const Lanes* impulse, Lanes* v) {
  for (int k = 0; k < kBodySize; ++k) {
    v[k] += (J[0][k] * impulse[0] + J[1][k] * impulse[1]) + J[2][k] * impulse[2];
  }
}

// Without the compliance term.
TENPIN_INLINE_LANES void calc_velocity(const ContactBatch& batch, const Lanes* v_a,
                                       const Lanes* v_b, Lanes* u) {
  for (int k = 0; k < 3; ++k) {
    u[k] = batch.q[k] + (multiply_rows(batch.J_a[k], v_a) + multiply_rows(batch.J_b[k], v_b));
  }
}

// A contact's own block with the normal row eliminated, and its velocity reduced in the same way.
struct LaneTangents {
  Lanes S[3];  // 11, 12, 22
  Lanes c1, c2;
};

TENPIN_INLINE_LANES LaneTangents eliminate_normal(const ContactBatch& batch, const Lanes* b) {
  const Lanes share1 = batch.D[1] * batch.inverse_normal;
  const Lanes share2 = batch.D[2] * batch.inverse_normal;
  return {.S = {batch.D[3] - batch.D[1] * share1, batch.D[4] - batch.D[1] * share2,
                batch.D[5] - batch.D[2] * share2},
          .c1 = b[1] - share1 * b[0],
          .c2 = b[2] - share2 * b[0]};
}

// The reaction for a slip u_T = -rate r_T: (S + rate) r_T = -c, u_N = 0.
struct LaneSlide {
  Lanes r[3];
  Lanes ratio;  // mu r_N / |r_T|: one on the cone, below one outside
  Lanes slope;  // d ratio / d rate
};

TENPIN_INLINE_LANES void calc_reaction(const ContactBatch& batch, const LaneTangents& t,
                                       const Lanes& b_normal, const Lanes& rate, Lanes* r) {
  const Lanes a = t.S[0] + rate;
  const Lanes d = t.S[2] + rate;
  const Lanes inverse = 1.0 / (a * d - t.S[1] * t.S[1]);
  r[1] = (t.S[1] * t.c2 - d * t.c1) * inverse;
  r[2] = (t.S[1] * t.c1 - a * t.c2) * inverse;
  r[0] = -(b_normal + (batch.D[1] * r[1] + batch.D[2] * r[2])) * batch.inverse_normal;
}

TENPIN_INLINE_LANES LaneSlide calc_lane_slide(const ContactBatch& batch, const LaneTangents& t,
                                              const Lanes& b_normal, const Lanes& rate) {
  LaneSlide slide;
  calc_reaction(batch, t, b_normal, rate, slide.r);
  const Lanes a = t.S[0] + rate;
  const Lanes d = t.S[2] + rate;
  const Lanes inverse = 1.0 / (a * d - t.S[1] * t.S[1]);
  const Lanes d1 = (t.S[1] * slide.r[2] - d * slide.r[1]) * inverse;
  const Lanes d2 = (t.S[1] * slide.r[1] - a * slide.r[2]) * inverse;
  const Lanes dn = -(batch.D[1] * d1 + batch.D[2] * d2) * batch.inverse_normal;
  const Lanes size2 = slide.r[1] * slide.r[1] + slide.r[2] * slide.r[2];
  const Lanes over_size = batch.mu / square_root(size2);
  slide.ratio = slide.r[0] * over_size;
  slide.slope = (dn - slide.r[0] * (slide.r[1] * d1 + slide.r[2] * d2) / size2) * over_size;
  return slide;
}

// The root of ratio(rate) = 1 in the lanes that slide, by Newton's method inside a bracket. At zero
// the ratio is below one, and it grows without bound because b_N < 0.
TENPIN_INLINE_LANES void slide_lanes(const ContactBatch& batch, const LaneTangents& t,
                                     const Lanes& b_normal, const LaneMask& slides, Lanes* r) {
  const Lanes zero = fill_lanes(0.0);
  Lanes rate = zero;
  Lanes low = zero;
  Lanes high = fill_lanes(-1.0);  // no upper bound yet
  LaneMask open = slides;
  LaneSlide slide = calc_lane_slide(batch, t, b_normal, rate);
  for (int k = 0; k < kMaxSlideSteps; ++k) {
    const Lanes excess = slide.ratio - 1.0;
    open &= (excess > kRatioTolerance) | (excess < -kRatioTolerance);
    if (!any(open)) break;
    const LaneMask above = slide.ratio > 1.0;
    high = choose(above, rate, high);
    low = choose(above, low, rate);
    Lanes next = rate - excess / slide.slope;
    const LaneMask bounded = high >= zero;
    const LaneMask inside = (next > low) & (~bounded | (next < high));
    next = choose(inside, next, choose(bounded, 0.5 * (low + high), 2.0 * low + batch.D[0]));
    rate = choose(open, next, rate);
    slide = calc_lane_slide(batch, t, b_normal, rate);
  }
  // Puts the reaction exactly on the cone.
  const Lanes normal = larger(slide.r[0], zero);
  const Lanes size = square_root(slide.r[1] * slide.r[1] + slide.r[2] * slide.r[2]);
  const Lanes shrink = choose(size > zero, batch.mu * normal / size, zero);
  r[0] = choose(slides, normal, r[0]);
  r[1] = choose(slides, shrink * slide.r[1], r[1]);
  r[2] = choose(slides, shrink * slide.r[2], r[2]);
}

// Solves eight contacts exactly with all other reactions fixed: u = D r + b.
TENPIN_INLINE_LANES void solve_contacts(const ContactBatch& batch, const Lanes* b, Lanes* r) {
  const Lanes zero = fill_lanes(0.0);
  const LaneTangents t = eliminate_normal(batch, b);
  calc_reaction(batch, t, b[0], zero, r);
  const LaneMask closed = (b[0] < zero) & (batch.inverse_normal > zero);
  const LaneMask rubs = closed & (batch.mu > zero);
  const Lanes limit = batch.mu * r[0];
  const LaneMask sticks = (r[0] >= zero) & (r[1] * r[1] + r[2] * r[2] <= limit * limit);
  const LaneMask slides = rubs & ~sticks;
  if (any(slides)) slide_lanes(batch, t, b[0], slides, r);
  r[0] = choose(rubs, r[0], choose(closed, -b[0] * batch.inverse_normal, zero));
  r[1] = choose(rubs, r[1], zero);
  r[2] = choose(rubs, r[2], zero);
}

// b = u - D r, where u excludes the compliance term.
TENPIN_INLINE_LANES void take_own_part(const ContactBatch& batch, const Lanes* r, const Lanes* u,
                                       Lanes* b) {
  const Lanes* D = batch.D;
  b[0] = u[0] - ((D[0] - batch.softness[0]) * r[0] + (D[1] * r[1] + D[2] * r[2]));
  b[1] = u[1] - (D[1] * r[0] + ((D[3] - batch.softness[1]) * r[1] + D[4] * r[2]));
  b[2] = u[2] - (D[2] * r[0] + (D[4] * r[1] + (D[5] - batch.softness[1]) * r[2]));
}

// From r and u to the reactions that solve the contacts; u excludes the compliance term before and
// after.
TENPIN_INLINE_LANES void solve_batch(const ContactBatch& batch, const Lanes* start, const Lanes* u,
                                     Lanes* r) {
  Lanes b[3];
  take_own_part(batch, start, u, b);
  solve_contacts(batch, b, r);
}

TENPIN_INLINE_LANES void give(const ContactBatch& batch, const Lanes* impulse, Lanes* v_a,
                              Lanes* v_b) {
  give_rows(batch.J_a, impulse, v_a);
  give_rows(batch.J_b, impulse, v_b);
}

TENPIN_INLINE_LANES Lanes dot_three(const Lanes* x, const Lanes* y) {
  return (x[0] * y[0] + x[1] * y[1]) + x[2] * y[2];
}

TENPIN_INLINE_LANES void calc_second_tangent(const RoundBatch& batch, Lanes* t2) {
  t2[0] = batch.n[1] * batch.t1[2] - batch.n[2] * batch.t1[1];
  t2[1] = batch.n[2] * batch.t1[0] - batch.n[0] * batch.t1[2];
  t2[2] = batch.n[0] * batch.t1[1] - batch.n[1] * batch.t1[0];
}

TENPIN_INLINE_LANES void calc_velocity(const RoundBatch& batch, const Lanes* v_a, const Lanes* v_b,
                                       Lanes* u) {
  Lanes t2[3];
  Lanes slide[3];
  Lanes spin[3];
  calc_second_tangent(batch, t2);
  for (int k = 0; k < 3; ++k) {
    slide[k] = batch.linear[0] * v_a[k] + batch.linear[1] * v_b[k];
    spin[k] = batch.spin[0] * v_a[3 + k] + batch.spin[1] * v_b[3 + k];
  }
  u[0] = batch.q[0] + dot_three(batch.n, slide);
  u[1] = batch.q[1] + (dot_three(batch.t1, slide) + dot_three(t2, spin));
  u[2] = batch.q[2] + (dot_three(t2, slide) - dot_three(batch.t1, spin));
}

TENPIN_INLINE_LANES void give(const RoundBatch& batch, const Lanes* impulse, Lanes* v_a,
                              Lanes* v_b) {
  Lanes t2[3];
  calc_second_tangent(batch, t2);
  for (int k = 0; k < 3; ++k) {
    const Lanes push = (batch.n[k] * impulse[0] + batch.t1[k] * impulse[1]) + t2[k] * impulse[2];
    const Lanes turn = t2[k] * impulse[1] - batch.t1[k] * impulse[2];
    v_a[k] += batch.linear[0] * push;
    v_b[k] += batch.linear[1] * push;
    v_a[3 + k] += batch.spin[0] * turn;
    v_b[3 + k] += batch.spin[1] * turn;
  }
}

// The contact's own block is diagonal and equal along both tangents. So r_N follows directly, and
// friction is the sticking reaction cut back to the cone.
TENPIN_INLINE_LANES void solve_batch(const RoundBatch& batch, const Lanes* start, const Lanes* u,
                                     Lanes* r) {
  const Lanes zero = fill_lanes(0.0);
  r[0] = larger(start[0] - (u[0] + batch.softness[0] * start[0]) * batch.inverse[0], zero);
  r[1] = start[1] - (u[1] + batch.softness[1] * start[1]) * batch.inverse[1];
  r[2] = start[2] - (u[2] + batch.softness[1] * start[2]) * batch.inverse[1];
  const Lanes size2 = r[1] * r[1] + r[2] * r[2];
  const Lanes limit = batch.mu * r[0];
  const Lanes cut = choose(size2 > limit * limit, limit / square_root(size2), fill_lanes(1.0));
  r[1] *= cut;
  r[2] *= cut;
}

}  // namespace tenpin::complementarity::cone
