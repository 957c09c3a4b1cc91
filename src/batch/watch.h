// Measures that need every step, computed during the step, in the same way as in
// lab/study/measurer.h.
#pragma once

#include "batch/stored.h"
#include "batch/world.h"

namespace tenpin::batch {

template <class Real>
TENPIN_INLINE Real get_component(Vector<Real> v, Word k) {
  return k == 0 ? v.x : (k == 1 ? v.y : v.z);
}

// The value for the scene's origin of the body; positions are relative to the model's origin.
template <class World, class Real = typename World::Real>
TENPIN_INLINE Real read_watched(const World& w, const Watched& watched, Real t) {
  if (watched.motion == kTime) return t;
  const int b = int(watched.body);
  const Vector<Real> spin = w.body(World::kV + World::kAngular, b);
  if (watched.motion == kSpin) return get_component(spin, watched.component);
  const Vector<Real> arm = turn(w.rotation(World::kQ, b), w.model->bodies[b].origin);
  if (watched.motion == kVelocity) {
    return get_component(w.body(World::kV, b) + cross(spin, arm), watched.component);
  }
  return get_component(w.body(World::kX, b) + arm, watched.component);
}

// Interpolates linearly between two steps.
template <class Real>
TENPIN_INLINE void look_for_crossing(const Watch<Real>& watch, Real number, Real value,
                                     WatchState<Real>* state) {
  if (state->has_result != 0) return;
  const bool is_beyond = watch.kind == kFirstAbove ? number > watch.bound : number < watch.bound;
  if (is_beyond) {
    const bool known = state->has_last != 0;
    const Real part = known ? (watch.bound - state->last) / (number - state->last) : Real(1);
    state->result = known ? (Real(1) - part) * state->last_value + part * value : value;
    state->has_result = 1;
  }
  state->last = number;
  state->last_value = value;
  state->has_last = 1;
}

template <class World, class Real = typename World::Real>
TENPIN_INLINE void take_measures(const World& w, Word steps, WatchState<Real>* states) {
  const Model<Real>& model = *w.model;
  for (int i = w.lanes.index(); i < model.num_watches; i += World::kLanes) {
    const Watch<Real>& watch = model.watches[i];
    const Real t = Real(steps) * model.h;
    const Real number = read_watched(w, watch.quantity, t);
    WatchState<Real>* state = states + i;
    if (watch.kind == kFirstAbove || watch.kind == kFirstBelow) {
      look_for_crossing(watch, number, read_watched(w, watch.value, t), state);
      continue;
    }
    const bool wins = watch.kind == kLargest ? number > state->result : number < state->result;
    if (state->has_result == 0 || wins) state->result = number;
    state->has_result = 1;
  }
}

}  // namespace tenpin::batch
