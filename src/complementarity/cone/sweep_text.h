// The sweep kernels over registers of type L, for files that are each compiled for one kind of
// machine. Such a file exports only the pointers of make_kernels(): if it used a function of the
// standard library that the compiler did not inline, the linker could share that function with
// files for lesser machines.
#pragma once

#include "complementarity/cone/batch_law.h"
#include "complementarity/cone/sweep_kernel.h"

namespace tenpin::complementarity::cone {
namespace {

// Loads the velocities of a slice's bodies, component by component.
template <class L>
TENPIN_INLINE_LANES void load_bodies(const BodyMotion* bodies, const std::int32_t* index, L* v) {
  const double* rows[L::kWidth];
  for (int i = 0; i < L::kWidth; ++i) rows[i] = bodies[index[i]].v.x;
  L::load_rows(rows, v);
}

template <class L>
TENPIN_INLINE_LANES void store_bodies(const L* v, const std::int32_t* index, BodyMotion* bodies) {
  double* rows[L::kWidth];
  for (int i = 0; i < L::kWidth; ++i) rows[i] = bodies[index[i]].v.x;
  L::store_rows(v, rows);
}

// Sweeps the contacts of a slice, which share no body. Returns their squared changes.
template <class L, class Batch>
TENPIN_INLINE_LANES L sweep_slice(const Batch& batch, LaneSlice<L> at, const L& momentum,
                                  BatchReaction* reaction, BodyMotion* bodies) {
  L v_a[kBodySize];
  L v_b[kBodySize];
  load_bodies(bodies, batch.a + at.first, v_a);
  load_bodies(bodies, batch.b + at.first, v_b);
  L start[3];
  for (int k = 0; k < 3; ++k) {
    const L r = at.read(reaction->r[k]);
    start[k] = r + momentum * (r - at.read(reaction->last[k]));
    at.write(r, &reaction->last[k]);
  }
  L u[3];
  L r[3];
  calc_velocity(batch, at, v_a, v_b, u);
  solve_batch(batch, at, start, u, r);
  L change[3];
  for (int k = 0; k < 3; ++k) {
    change[k] = r[k] - start[k];
    at.write(r[k], &reaction->r[k]);
  }
  give(batch, at, change, v_a, v_b);
  store_bodies(v_a, batch.a + at.first, bodies);
  store_bodies(v_b, batch.b + at.first, bodies);
  return (change[0] * change[0] + change[1] * change[1]) + change[2] * change[2];
}

// Adds up the lanes in a fixed order.
template <class L>
TENPIN_INLINE_LANES double add_lanes(const L* slices) {
  Lanes all;
  for (int i = 0; i < kNumLanes; i += L::kWidth) slices[i / L::kWidth].store(&all.x[i]);
  const double* const x = all.x;
  return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

template <class L, class Batch>
double sweep_by(const SweepSpan<Batch>& span, double momentum) {
  constexpr int kNumSlices = kNumLanes / L::kWidth;
  const L lead(momentum);
  L sum[kNumSlices];
  for (L& slice : sum) slice = L(0.0);
  for (int i = 0; i < span.size; ++i) {
    for (int k = 0; k < kNumSlices; ++k) {
      const LaneSlice<L> at = {.first = k * L::kWidth};
      sum[k] = sum[k] + sweep_slice(span.batches[i], at, lead, &span.reactions[i], span.bodies);
    }
  }
  return add_lanes(sum);
}

// Projects a reaction onto the cone.
template <class L>
TENPIN_INLINE_LANES void project_lanes(const L& mu, L* w) {
  const L zero(0.0);
  const L t = square_root(w[1] * w[1] + w[2] * w[2]);
  const auto outside = mu * t <= -w[0];
  const auto inside = t <= mu * w[0];
  const L n = (mu * t + w[0]) / (mu * mu + L(1.0));
  const L shrink = choose(t > zero, mu * n / t, zero);
  w[0] = choose(outside, zero, choose(inside, w[0], n));
  w[1] = choose(outside, zero, choose(inside, w[1], shrink * w[1]));
  w[2] = choose(outside, zero, choose(inside, w[2], shrink * w[2]));
}

// Computes the squared errors of a slice, and stores them with its reactions.
template <class L, class Batch>
TENPIN_INLINE_LANES L error_of_slice(const Batch& batch, LaneSlice<L> at, const BodyMotion* bodies,
                                     BatchReaction* reaction) {
  const L zero(0.0);
  const L mu = at.read(batch.mu);
  const L r[3] = {at.read(reaction->r[0]), at.read(reaction->r[1]), at.read(reaction->r[2])};
  L v_a[kBodySize];
  L v_b[kBodySize];
  load_bodies(bodies, batch.a + at.first, v_a);
  load_bodies(bodies, batch.b + at.first, v_b);
  L u[3];
  calc_velocity(batch, at, v_a, v_b, u);
  u[0] = u[0] + at.read(batch.softness[0]) * r[0];
  u[1] = u[1] + at.read(batch.softness[1]) * r[1];
  u[2] = u[2] + at.read(batch.softness[1]) * r[2];
  const L slip = square_root(u[1] * u[1] + u[2] * u[2]);
  // Without friction, tangential velocities are not errors.
  const auto rubs = mu > zero;
  L p[3] = {r[0] - (u[0] + mu * slip), choose(rubs, r[1] - u[1], zero),
            choose(rubs, r[2] - u[2], zero)};
  project_lanes(mu, p);
  const L e0 = r[0] - p[0];
  const L e1 = r[1] - p[1];
  const L e2 = r[2] - p[2];
  const L unit = at.read(batch.unit);
  const L error = unit * unit * ((e0 * e0 + e1 * e1) + e2 * e2);
  at.write(error, &reaction->error);
  return error;
}

template <class L, class Batch>
double error_by(const SweepSpan<Batch>& span) {
  constexpr int kNumSlices = kNumLanes / L::kWidth;
  L worst(0.0);
  L sum[kNumSlices];  // propagates NaN, which comparisons would drop
  for (L& slice : sum) slice = L(0.0);
  for (int i = 0; i < span.size; ++i) {
    for (int k = 0; k < kNumSlices; ++k) {
      const LaneSlice<L> at = {.first = k * L::kWidth};
      const L error = error_of_slice(span.batches[i], at, span.bodies, &span.reactions[i]);
      worst = larger(error, worst);
      sum[k] = sum[k] + error;
    }
  }
  Lanes all;
  worst.store(all.x);
  double largest = 0.0;
  for (int i = 0; i < L::kWidth; ++i) largest = largest < all.x[i] ? all.x[i] : largest;
  const double total = add_lanes(sum);
  return __builtin_isfinite(total) ? __builtin_sqrt(largest) : total;
}

template <class L>
void lead_by(BodyMotion* bodies, int num_bodies, double momentum) {
  for (int i = 0; i < num_bodies; ++i) {
    for (int k = 0; k < kNumLanes; k += L::kWidth) {
      const LaneSlice<L> at = {.first = k};
      const L v = at.read(bodies[i].v);
      const L lead = L(momentum) * (v - at.read(bodies[i].last));
      at.write(v, &bodies[i].last);
      at.write(v + lead, &bodies[i].v);
    }
  }
}

template <class L, class Batch>
void add_by(const SweepSpan<Batch>& span) {
  for (int i = 0; i < span.size; ++i) {
    const Batch& batch = span.batches[i];
    for (int k = 0; k < kNumLanes; k += L::kWidth) {
      const LaneSlice<L> at = {.first = k};
      const Lanes* const reaction = span.reactions[i].r;
      const L r[3] = {at.read(reaction[0]), at.read(reaction[1]), at.read(reaction[2])};
      L v_a[kBodySize];
      L v_b[kBodySize];
      load_bodies(span.bodies, batch.a + k, v_a);
      load_bodies(span.bodies, batch.b + k, v_b);
      give(batch, at, r, v_a, v_b);
      store_bodies(v_a, batch.a + k, span.bodies);
      store_bodies(v_b, batch.b + k, span.bodies);
    }
  }
}

template <class L>
SweepKernels make_kernels(const char* name) {
  return {.name = name,
          .lead = lead_by<L>,
          .sweep_round = sweep_by<L, RoundBatch>,
          .sweep_contacts = sweep_by<L, ContactBatch>,
          .add_round = add_by<L, RoundBatch>,
          .add_contacts = add_by<L, ContactBatch>,
          .error_round = error_by<L, RoundBatch>,
          .error_contacts = error_by<L, ContactBatch>};
}

}  // namespace
}  // namespace tenpin::complementarity::cone
