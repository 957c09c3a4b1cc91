// The start of a step: inverse inertia, velocity without contact, predicted pose. One lane per
// body.
#pragma once

#include "batch/free_rotation.h"
#include "batch/world.h"

namespace tenpin::batch {

template <class Real>
struct StepStart {
  // m/s   of the fastest point of a body, or the speed gained in one step of free fall
  Real speed;
  Real approach;  // m/s   of the fastest shape; a sphere that spins about its centre has speed zero
  Real energy;    // J     kinetic and potential
  bool is_too_fast;  // true if a body turns or moves too far in the step to be followed
};

template <class World, class Real = typename World::Real>
TENPIN_INLINE void update_inverse_inertia(const World& w, int b, Quaternion<Real> q) {
  const Body<Real>& body = w.model->bodies[b];
  const Vector<Real> i = body.inverse_moments;
  const Vector<Real> z = axis_z(q);
  const Real dz = i.z - i.x;
  InverseInertia<Real> I = {i.x + dz * z.x * z.x, dz * z.x * z.y, dz * z.x * z.z,
                            i.x + dz * z.y * z.y, dz * z.y * z.z, i.x + dz * z.z * z.z};
  if (body.is_top != Real(1)) {
    const Vector<Real> y = axis_y(q);
    const Real dy = i.y - i.x;
    I = {I.xx + dy * y.x * y.x, I.xy + dy * y.x * y.y, I.xz + dy * y.x * y.z,
         I.yy + dy * y.y * y.y, I.yz + dy * y.y * y.z, I.zz + dy * y.z * y.z};
  }
  constexpr int kNb = World::kNb;
  constexpr int kField = World::kInverse;
  w.at(kField + b) = I.xx;
  w.at(kField + kNb + b) = I.xy;
  w.at(kField + 2 * kNb + b) = I.xz;
  w.at(kField + 3 * kNb + b) = I.yy;
  w.at(kField + 4 * kNb + b) = I.yz;
  w.at(kField + 5 * kNb + b) = I.zz;
}

template <class World, class Real = typename World::Real>
TENPIN_INLINE Real calc_energy(const World& w, int b, Vector<Real> v, Vector<Real> spin,
                               Vector<Real> L, Vector<Real> x) {
  const Real mass = w.model->bodies[b].mass;
  return Real(0.5) * (mass * dot(v, v) + dot(spin, L)) - mass * dot(w.model->gravity, x);
}

template <class World, class Real = typename World::Real>
TENPIN_INLINE StepStart<Real> begin_step(const World& w) {
  const Model<Real>& model = *w.model;
  Real speed = model.fall_speed, approach = model.fall_speed;
  bool is_too_fast = false;
  FixedSum<Real, typename World::Lanes> energy;
  for (int pass = 0; pass * World::kLanes < World::kNb; ++pass) {
    const int b = pass * World::kLanes + w.lanes.index();
    if (b >= model.num_bodies) continue;
    const Body<Real>& body = model.bodies[b];
    const Quaternion<Real> q = w.rotation(World::kQ, b);
    const Vector<Real> x = w.body(World::kX, b);
    const Vector<Real> v = w.body(World::kV, b);
    const Vector<Real> spin = w.body(World::kV + World::kAngular, b);
    update_inverse_inertia(w, b, q);
    w.set_body(World::kVFree, b, v + model.h * model.gravity);
    const Vector<Real> L = multiply_inertia(body, q, body.moments, spin);
    // Torque-free motion conserves L and not w. Kicks act at the start, so they are added to this
    // w.
    w.set_body(World::kVFree + World::kAngular, b, spin);
    const Rotation<Real> end = rotate_freely(body, q, spin, model.h);
    is_too_fast = is_too_fast || end.is_too_fast;
    w.set_body(World::kXHat, b, x + model.h * v);
    w.set_rotation(World::kQHat, b, end.q);
    const Real linear = norm(v), angular = norm(spin);
    speed = larger_or_nan(speed, linear + angular * body.radius);
    approach = larger_or_nan(approach, linear + angular * body.arm);
    energy.add(pass, calc_energy(w, b, v, spin, L, x));
  }
  StepStart<Real> start;
  start.speed = find_largest(w.lanes, speed);
  start.approach = find_largest(w.lanes, approach);
  start.energy = energy.total(w.lanes);
  start.is_too_fast = w.lanes.any(is_too_fast) || !(start.approach <= model.max_speed);
  w.lanes.sync();
  return start;
}

}  // namespace tenpin::batch
