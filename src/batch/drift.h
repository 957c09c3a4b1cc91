// The end of a step: free motion with the velocities after the kick. One lane per body.
#pragma once

#include "batch/begin.h"

namespace tenpin::batch {

template <class Real>
struct StepEnd {
  Real energy;        // J   kinetic and potential
  Real work_gravity;  // J   difference between gravity's work over the drift and in the kick
  bool is_too_fast;
};

// Moves the state if the step is accepted. A body that turns too fast keeps its old rotation, and
// the world is flagged.
template <class World, class Real = typename World::Real>
TENPIN_INLINE StepEnd<Real> drift(const World& w, bool commits) {
  const Model<Real>& model = *w.model;
  FixedSum<Real, typename World::Lanes> energy, work;
  bool is_too_fast = false;
  for (int pass = 0; pass * World::kLanes < World::kNb; ++pass) {
    const int b = pass * World::kLanes + w.lanes.index();
    if (b >= model.num_bodies || !commits) continue;
    const Body<Real>& body = model.bodies[b];
    const Vector<Real> v0 = w.body(World::kV, b), v = w.body(World::kW, b);
    const Vector<Real> spin = w.body(World::kW + World::kAngular, b);
    const Rotation<Real> end = rotate_freely(body, w.rotation(World::kQ, b), spin, model.h);
    is_too_fast = is_too_fast || end.is_too_fast;
    const Vector<Real> x = w.body(World::kX, b) + model.h * v;
    w.set_body(World::kX, b, x);
    w.set_rotation(World::kQ, b, end.q);
    w.set_body(World::kV, b, v);
    w.set_body(World::kV + World::kAngular, b, end.spin);
    const Vector<Real> L = multiply_inertia(body, end.q, body.moments, end.spin);
    energy.add(pass, calc_energy(w, b, v, end.spin, L, x));
    // In the kick the work of gravity uses the mean of both velocities, in the drift the last
    // velocity.
    work.add(pass, (body.mass * model.h) * dot(model.gravity, Real(0.5) * (v0 + v) - v));
  }
  StepEnd<Real> end;
  end.energy = energy.total(w.lanes);
  end.work_gravity = work.total(w.lanes);
  end.is_too_fast = w.lanes.any(is_too_fast);
  w.lanes.sync();
  return end;
}

}  // namespace tenpin::batch
