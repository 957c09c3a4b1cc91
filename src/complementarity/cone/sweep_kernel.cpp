// Each function is compiled for several instruction sets from the same source, and the best one for
// this machine is used. -ffp-contract=off keeps the results identical.
#include "complementarity/cone/sweep_kernel.h"

#include <algorithm>
#include <cmath>

#include "complementarity/cone/batch_law.h"

namespace tenpin::complementarity::cone {
namespace {

// Loads the velocities of eight bodies: x[k] is component k of all of them.
TENPIN_INLINE_LANES void load_bodies(const BodyMotion* bodies, const std::int32_t* index,
                                     Lanes* x) {
  for (int i = 0; i < kNumLanes; ++i) x[i] = bodies[index[i]].v;
  transpose(x);
}

TENPIN_INLINE_LANES void store_bodies(const std::int32_t* index, Lanes* x, BodyMotion* bodies) {
  transpose(x);
  for (int i = 0; i < kNumLanes; ++i) bodies[index[i]].v = x[i];
}

template <typename Batch>
TENPIN_INLINE_LANES Lanes sweep_one(const Batch& batch, double momentum, BatchReaction* reaction,
                                    BodyMotion* bodies) {
  Lanes v_a[kNumLanes];
  Lanes v_b[kNumLanes];
  load_bodies(bodies, batch.a, v_a);
  load_bodies(bodies, batch.b, v_b);
  Lanes start[3];
  for (int k = 0; k < 3; ++k) {
    start[k] = reaction->r[k] + momentum * (reaction->r[k] - reaction->last[k]);
    reaction->last[k] = reaction->r[k];
  }
  Lanes u[3];
  Lanes r[3];
  calc_velocity(batch, v_a, v_b, u);
  solve_batch(batch, start, u, r);
  Lanes change[3];
  for (int k = 0; k < 3; ++k) {
    change[k] = r[k] - start[k];
    reaction->r[k] = r[k];
  }
  give(batch, change, v_a, v_b);
  store_bodies(batch.a, v_a, bodies);
  store_bodies(batch.b, v_b, bodies);
  return (change[0] * change[0] + change[1] * change[1]) + change[2] * change[2];
}

double add_lanes(const Lanes& x) {
  return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

template <typename Batch>
TENPIN_INLINE_LANES double sweep_text(const SweepSpan<Batch>& span, double momentum) {
  Lanes sum = fill_lanes(0.0);
  for (std::size_t i = 0; i < span.batches.size(); ++i) {
    sum += sweep_one(span.batches[i], momentum, &span.reactions[i], span.bodies);
  }
  return add_lanes(sum);
}

// Projects onto the cone.
TENPIN_INLINE_LANES void project_lanes(const Lanes& mu, Lanes* w) {
  const Lanes zero = fill_lanes(0.0);
  const Lanes t = square_root(w[1] * w[1] + w[2] * w[2]);
  const LaneMask outside = mu * t <= -w[0];
  const LaneMask inside = t <= mu * w[0];
  const Lanes n = (mu * t + w[0]) / (mu * mu + 1.0);
  const Lanes shrink = choose(t > zero, mu * n / t, zero);
  w[0] = choose(outside, zero, choose(inside, w[0], n));
  w[1] = choose(outside, zero, choose(inside, w[1], shrink * w[1]));
  w[2] = choose(outside, zero, choose(inside, w[2], shrink * w[2]));
}

template <typename Batch>
TENPIN_INLINE_LANES double error_text(const SweepSpan<Batch>& span) {
  Lanes worst = fill_lanes(0.0);
  Lanes sum = fill_lanes(0.0);  // propagates NaN, which comparisons drop
  for (std::size_t i = 0; i < span.batches.size(); ++i) {
    const Batch& batch = span.batches[i];
    const Lanes* r = span.reactions[i].r;
    Lanes v_a[kNumLanes];
    Lanes v_b[kNumLanes];
    load_bodies(span.bodies, batch.a, v_a);
    load_bodies(span.bodies, batch.b, v_b);
    Lanes u[3];
    calc_velocity(batch, v_a, v_b, u);
    u[0] += batch.softness[0] * r[0];
    u[1] += batch.softness[1] * r[1];
    u[2] += batch.softness[1] * r[2];
    const Lanes slip = square_root(u[1] * u[1] + u[2] * u[2]);
    // Without friction, tangential velocities do not matter.
    const LaneMask rubs = batch.mu > fill_lanes(0.0);
    Lanes p[3] = {r[0] - (u[0] + batch.mu * slip), choose(rubs, r[1] - u[1], fill_lanes(0.0)),
                  choose(rubs, r[2] - u[2], fill_lanes(0.0))};
    project_lanes(batch.mu, p);
    const Lanes e0 = r[0] - p[0];
    const Lanes e1 = r[1] - p[1];
    const Lanes e2 = r[2] - p[2];
    const Lanes error = batch.unit * batch.unit * ((e0 * e0 + e1 * e1) + e2 * e2);
    span.reactions[i].error = error;
    worst = larger(error, worst);
    sum += error;
  }
  double largest = 0.0;
  for (int i = 0; i < kNumLanes; ++i) largest = std::max(largest, worst[i]);
  const double total = add_lanes(sum);
  return std::isfinite(total) ? std::sqrt(largest) : total;
}

TENPIN_INLINE_LANES void lead_text(std::span<BodyMotion> bodies, double momentum) {
  for (BodyMotion& body : bodies) {
    const Lanes lead = momentum * (body.v - body.last);
    body.last = body.v;
    body.v += lead;
  }
}

#if defined(__x86_64__)
#define TENPIN_FOR_512 __attribute__((target("avx512f,avx512dq")))
#define TENPIN_FOR_256 __attribute__((target("avx2")))

template <typename Batch>
TENPIN_FOR_512 double sweep_by_512(const SweepSpan<Batch>& span, double momentum) {
  return sweep_text(span, momentum);
}
template <typename Batch>
TENPIN_FOR_256 double sweep_by_256(const SweepSpan<Batch>& span, double momentum) {
  return sweep_text(span, momentum);
}
template <typename Batch>
TENPIN_FOR_512 double error_by_512(const SweepSpan<Batch>& span) {
  return error_text(span);
}
template <typename Batch>
TENPIN_FOR_256 double error_by_256(const SweepSpan<Batch>& span) {
  return error_text(span);
}
TENPIN_FOR_512 void lead_by_512(std::span<BodyMotion> bodies, double momentum) {
  lead_text(bodies, momentum);
}
TENPIN_FOR_256 void lead_by_256(std::span<BodyMotion> bodies, double momentum) {
  lead_text(bodies, momentum);
}
#endif
void lead_by_any(std::span<BodyMotion> bodies, double momentum) {
  lead_text(bodies, momentum);
}
template <typename Batch>
double sweep_by_any(const SweepSpan<Batch>& span, double momentum) {
  return sweep_text(span, momentum);
}
template <typename Batch>
double error_by_any(const SweepSpan<Batch>& span) {
  return error_text(span);
}

template <typename Batch>
struct Machine {
  double (*sweep)(const SweepSpan<Batch>& span, double momentum) = sweep_by_any<Batch>;
  double (*error)(const SweepSpan<Batch>& span) = error_by_any<Batch>;
  void (*lead)(std::span<BodyMotion> bodies, double momentum) = lead_by_any;
};

template <typename Batch>
Machine<Batch> choose_machine() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    return {.sweep = sweep_by_512<Batch>, .error = error_by_512<Batch>, .lead = lead_by_512};
  }
  if (__builtin_cpu_supports("avx2")) {
    return {.sweep = sweep_by_256<Batch>, .error = error_by_256<Batch>, .lead = lead_by_256};
  }
#endif
  return {};
}

template <typename Batch>
const Machine<Batch>& machine() {
  static const Machine<Batch> chosen = choose_machine<Batch>();
  return chosen;
}

template <typename Batch>
void add_text(const SweepSpan<Batch>& span) {
  for (std::size_t i = 0; i < span.batches.size(); ++i) {
    const Batch& batch = span.batches[i];
    Lanes v_a[kNumLanes];
    Lanes v_b[kNumLanes];
    load_bodies(span.bodies, batch.a, v_a);
    load_bodies(span.bodies, batch.b, v_b);
    give(batch, span.reactions[i].r, v_a, v_b);
    store_bodies(batch.a, v_a, span.bodies);
    store_bodies(batch.b, v_b, span.bodies);
  }
}

}  // namespace

void lead_bodies(std::span<BodyMotion> bodies, double momentum) {
  machine<RoundBatch>().lead(bodies, momentum);
}

double sweep_batches(const RoundSpan& span, double momentum) {
  return machine<RoundBatch>().sweep(span, momentum);
}

double sweep_batches(const ContactSpan& span, double momentum) {
  return machine<ContactBatch>().sweep(span, momentum);
}

double calc_largest_error(const RoundSpan& span) {
  return machine<RoundBatch>().error(span);
}

double calc_largest_error(const ContactSpan& span) {
  return machine<ContactBatch>().error(span);
}

void add_reactions(const RoundSpan& span) {
  add_text(span);
}

void add_reactions(const ContactSpan& span) {
  add_text(span);
}

}  // namespace tenpin::complementarity::cone
