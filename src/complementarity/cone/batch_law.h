// Coulomb's law at the contacts of a batch, each solved with all other reactions fixed: the contact
// velocity, the reaction that solves the law exactly, and the change of velocity of the two bodies.
// L is the type of the registers, `at` the part of the batch that they hold; see lanes.h.
#pragma once

#include "complementarity/cone/contact_batch.h"
#include "complementarity/tolerances.h"

namespace tenpin::complementarity::cone {

inline constexpr int kMaxSlideSteps = 30;

template <class L>
TENPIN_INLINE_LANES L multiply_rows(const Lanes* J, LaneSlice<L> at, const L* v) {
  const L first = at.read(J[0]) * v[0] + at.read(J[1]) * v[1];
  const L second = at.read(J[2]) * v[2] + at.read(J[3]) * v[3];
  return (first + second) + (at.read(J[4]) * v[4] + at.read(J[5]) * v[5]);
}

template <class L>
TENPIN_INLINE_LANES void give_rows(const Lanes J[3][kBodySize], LaneSlice<L> at, const L* impulse,
                                   L* v) {
  for (int k = 0; k < kBodySize; ++k) {
    const L pair = at.read(J[0][k]) * impulse[0] + at.read(J[1][k]) * impulse[1];
    v[k] = v[k] + (pair + at.read(J[2][k]) * impulse[2]);
  }
}

// The contact velocity without the compliance term.
template <class L>
TENPIN_INLINE_LANES void calc_velocity(const ContactBatch& batch, LaneSlice<L> at, const L* v_a,
                                       const L* v_b, L* u) {
  for (int k = 0; k < 3; ++k) {
    u[k] = at.read(batch.q[k]) +
           (multiply_rows(batch.J_a[k], at, v_a) + multiply_rows(batch.J_b[k], at, v_b));
  }
}

// The data of a batch that are needed to solve its contacts, in registers.
template <class L>
struct LaneBlock {
  L D[6];
  L inverse_normal;
  L mu;
};

template <class L>
TENPIN_INLINE_LANES LaneBlock<L> read_block(const ContactBatch& batch, LaneSlice<L> at) {
  return {.D = {at.read(batch.D[0]), at.read(batch.D[1]), at.read(batch.D[2]), at.read(batch.D[3]),
                at.read(batch.D[4]), at.read(batch.D[5])},
          .inverse_normal = at.read(batch.inverse_normal),
          .mu = at.read(batch.mu)};
}

// A contact's own block with the normal row eliminated, and its velocity reduced in the same way.
template <class L>
struct LaneTangents {
  L S[3];  // 11, 12, 22
  L c1, c2;
};

template <class L>
TENPIN_INLINE_LANES LaneTangents<L> eliminate_normal(const LaneBlock<L>& block, const L* b) {
  const L* const D = block.D;
  const L share1 = D[1] * block.inverse_normal;
  const L share2 = D[2] * block.inverse_normal;
  return {.S = {D[3] - D[1] * share1, D[4] - D[1] * share2, D[5] - D[2] * share2},
          .c1 = b[1] - share1 * b[0],
          .c2 = b[2] - share2 * b[0]};
}

// The reaction for a slip u_T = -rate r_T: (S + rate) r_T = -c, u_N = 0.
template <class L>
struct LaneSlide {
  L r[3];
  L ratio;  // mu r_N / |r_T|: one on the cone, below one outside
  L slope;  // d ratio / d rate
};

template <class L>
TENPIN_INLINE_LANES void calc_reaction(const LaneBlock<L>& block, const LaneTangents<L>& t,
                                       const L& b_normal, const L& rate, L* r) {
  const L a = t.S[0] + rate;
  const L d = t.S[2] + rate;
  const L inverse = L(1.0) / (a * d - t.S[1] * t.S[1]);
  r[1] = (t.S[1] * t.c2 - d * t.c1) * inverse;
  r[2] = (t.S[1] * t.c1 - a * t.c2) * inverse;
  r[0] = -(b_normal + (block.D[1] * r[1] + block.D[2] * r[2])) * block.inverse_normal;
}

template <class L>
TENPIN_INLINE_LANES LaneSlide<L> calc_lane_slide(const LaneBlock<L>& block,
                                                 const LaneTangents<L>& t, const L& b_normal,
                                                 const L& rate) {
  LaneSlide<L> slide;
  calc_reaction(block, t, b_normal, rate, slide.r);
  const L a = t.S[0] + rate;
  const L d = t.S[2] + rate;
  const L inverse = L(1.0) / (a * d - t.S[1] * t.S[1]);
  const L d1 = (t.S[1] * slide.r[2] - d * slide.r[1]) * inverse;
  const L d2 = (t.S[1] * slide.r[1] - a * slide.r[2]) * inverse;
  const L dn = -(block.D[1] * d1 + block.D[2] * d2) * block.inverse_normal;
  const L size2 = slide.r[1] * slide.r[1] + slide.r[2] * slide.r[2];
  const L over_size = block.mu / square_root(size2);
  slide.ratio = slide.r[0] * over_size;
  slide.slope = (dn - slide.r[0] * (slide.r[1] * d1 + slide.r[2] * d2) / size2) * over_size;
  return slide;
}

// Finds the root of ratio(rate) = 1 in the lanes that slide, by Newton's method inside a bracket.
// At zero the ratio is below one, and it grows without bound because b_N < 0.
template <class L, class Mask>
TENPIN_INLINE_LANES void slide_lanes(const LaneBlock<L>& block, const LaneTangents<L>& t,
                                     const L& b_normal, const Mask& slides, L* r) {
  const L zero(0.0);
  const L one(1.0);
  L rate = zero;
  L low = zero;
  L high(-1.0);  // no upper bound yet
  Mask open = slides;
  LaneSlide<L> slide = calc_lane_slide(block, t, b_normal, rate);
  for (int k = 0; k < kMaxSlideSteps; ++k) {
    const L excess = slide.ratio - one;
    open = open & ((excess > L(kBatchSlideTolerance)) | (excess < L(-kBatchSlideTolerance)));
    if (!any(open)) break;
    const Mask above = slide.ratio > one;
    high = choose(above, rate, high);
    low = choose(above, low, rate);
    L next = rate - excess / slide.slope;
    const Mask bounded = high >= zero;
    const Mask inside = (next > low) & (~bounded | (next < high));
    const L middle = choose(bounded, L(0.5) * (low + high), L(2.0) * low + block.D[0]);
    next = choose(inside, next, middle);
    rate = choose(open, next, rate);
    slide = calc_lane_slide(block, t, b_normal, rate);
  }
  // Puts the reaction exactly on the cone.
  const L normal = larger(slide.r[0], zero);
  const L size = square_root(slide.r[1] * slide.r[1] + slide.r[2] * slide.r[2]);
  const L shrink = choose(size > zero, block.mu * normal / size, zero);
  r[0] = choose(slides, normal, r[0]);
  r[1] = choose(slides, shrink * slide.r[1], r[1]);
  r[2] = choose(slides, shrink * slide.r[2], r[2]);
}

// Solves the contacts exactly, with all other reactions fixed: u = D r + b.
template <class L>
TENPIN_INLINE_LANES void solve_contacts(const LaneBlock<L>& block, const L* b, L* r) {
  const L zero(0.0);
  const LaneTangents<L> t = eliminate_normal(block, b);
  calc_reaction(block, t, b[0], zero, r);
  const auto closed = (b[0] < zero) & (block.inverse_normal > zero);
  const auto rubs = closed & (block.mu > zero);
  const L limit = block.mu * r[0];
  const auto sticks = (r[0] >= zero) & (r[1] * r[1] + r[2] * r[2] <= limit * limit);
  const auto slides = rubs & ~sticks;
  if (any(slides)) slide_lanes(block, t, b[0], slides, r);
  r[0] = choose(rubs, r[0], choose(closed, -b[0] * block.inverse_normal, zero));
  r[1] = choose(rubs, r[1], zero);
  r[2] = choose(rubs, r[2], zero);
}

// Computes the reactions that solve the contacts from r and u; u excludes the compliance term, on
// entry and on return. The velocity without this contact's own part is b = u - D r.
template <class L>
TENPIN_INLINE_LANES void solve_batch(const ContactBatch& batch, LaneSlice<L> at, const L* start,
                                     const L* u, L* r) {
  const LaneBlock<L> block = read_block(batch, at);
  const L* const D = block.D;
  const L normal = at.read(batch.softness[0]);
  const L tangential = at.read(batch.softness[1]);
  const L b[3] = {u[0] - ((D[0] - normal) * start[0] + (D[1] * start[1] + D[2] * start[2])),
                  u[1] - (D[1] * start[0] + ((D[3] - tangential) * start[1] + D[4] * start[2])),
                  u[2] - (D[2] * start[0] + (D[4] * start[1] + (D[5] - tangential) * start[2]))};
  solve_contacts(block, b, r);
}

template <class L>
TENPIN_INLINE_LANES void give(const ContactBatch& batch, LaneSlice<L> at, const L* impulse, L* v_a,
                              L* v_b) {
  give_rows(batch.J_a, at, impulse, v_a);
  give_rows(batch.J_b, at, impulse, v_b);
}

template <class L>
TENPIN_INLINE_LANES L dot_three(const L* x, const L* y) {
  return (x[0] * y[0] + x[1] * y[1]) + x[2] * y[2];
}

// The axes of a contact between balls.
template <class L>
struct LaneFrame {
  L n[3];
  L t1[3];
  L t2[3];
};

template <class L>
TENPIN_INLINE_LANES LaneFrame<L> read_frame(const RoundBatch& batch, LaneSlice<L> at) {
  LaneFrame<L> f;
  for (int k = 0; k < 3; ++k) {
    f.n[k] = at.read(batch.n[k]);
    f.t1[k] = at.read(batch.t1[k]);
  }
  f.t2[0] = f.n[1] * f.t1[2] - f.n[2] * f.t1[1];
  f.t2[1] = f.n[2] * f.t1[0] - f.n[0] * f.t1[2];
  f.t2[2] = f.n[0] * f.t1[1] - f.n[1] * f.t1[0];
  return f;
}

template <class L>
TENPIN_INLINE_LANES void calc_velocity(const RoundBatch& batch, LaneSlice<L> at, const L* v_a,
                                       const L* v_b, L* u) {
  const LaneFrame<L> f = read_frame(batch, at);
  L slide[3];
  L spin[3];
  for (int k = 0; k < 3; ++k) {
    slide[k] = at.read(batch.linear[0]) * v_a[k] + at.read(batch.linear[1]) * v_b[k];
    spin[k] = at.read(batch.spin[0]) * v_a[3 + k] + at.read(batch.spin[1]) * v_b[3 + k];
  }
  u[0] = at.read(batch.q[0]) + dot_three(f.n, slide);
  u[1] = at.read(batch.q[1]) + (dot_three(f.t1, slide) + dot_three(f.t2, spin));
  u[2] = at.read(batch.q[2]) + (dot_three(f.t2, slide) - dot_three(f.t1, spin));
}

template <class L>
TENPIN_INLINE_LANES void give(const RoundBatch& batch, LaneSlice<L> at, const L* impulse, L* v_a,
                              L* v_b) {
  const LaneFrame<L> f = read_frame(batch, at);
  for (int k = 0; k < 3; ++k) {
    const L push = (f.n[k] * impulse[0] + f.t1[k] * impulse[1]) + f.t2[k] * impulse[2];
    const L turn = f.t2[k] * impulse[1] - f.t1[k] * impulse[2];
    v_a[k] = v_a[k] + at.read(batch.linear[0]) * push;
    v_b[k] = v_b[k] + at.read(batch.linear[1]) * push;
    v_a[3 + k] = v_a[3 + k] + at.read(batch.spin[0]) * turn;
    v_b[3 + k] = v_b[3 + k] + at.read(batch.spin[1]) * turn;
  }
}

// For balls the contact's own block is diagonal and equal along both tangents. So r_N follows
// directly, and friction is the sticking reaction scaled back to the cone.
template <class L>
TENPIN_INLINE_LANES void solve_batch(const RoundBatch& batch, LaneSlice<L> at, const L* start,
                                     const L* u, L* r) {
  const L normal = at.read(batch.softness[0]);
  const L tangential = at.read(batch.softness[1]);
  const L inverse_normal = at.read(batch.inverse[0]);
  const L inverse_tangential = at.read(batch.inverse[1]);
  r[0] = larger(start[0] - (u[0] + normal * start[0]) * inverse_normal, L(0.0));
  r[1] = start[1] - (u[1] + tangential * start[1]) * inverse_tangential;
  r[2] = start[2] - (u[2] + tangential * start[2]) * inverse_tangential;
  const L size2 = r[1] * r[1] + r[2] * r[2];
  const L limit = at.read(batch.mu) * r[0];
  const L cut = choose(size2 > limit * limit, limit / square_root(size2), L(1.0));
  r[1] = r[1] * cut;
  r[2] = r[2] * cut;
}

}  // namespace tenpin::complementarity::cone
