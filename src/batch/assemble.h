// The data of each contact for the friction law: tangents, arms, own block, softness and required
// velocity, as in methods/time_stepping. One lane per contact.
#pragma once

#include "batch/world.h"

namespace tenpin::batch {

// n'B n and the other products of one body, for three directions at an arm.
template <class Real>
TENPIN_INLINE void add_block(Real inverse_mass, const InverseInertia<Real>& I, Vector<Real> arm,
                             const Vector<Real>* d, Real* D) {
  const Vector<Real> c0 = cross(arm, d[0]), c1 = cross(arm, d[1]), c2 = cross(arm, d[2]);
  const Vector<Real> i0 = I * c0, i1 = I * c1, i2 = I * c2;
  D[0] = D[0] + (inverse_mass + dot(c0, i0));
  D[1] = D[1] + dot(c0, i1);
  D[2] = D[2] + dot(c0, i2);
  D[3] = D[3] + (inverse_mass + dot(c1, i1));
  D[4] = D[4] + dot(c1, i2);
  D[5] = D[5] + (inverse_mass + dot(c2, i2));
}

// The tangent that contact::calc_tangents chooses: e_x projected onto the plane, or e_y if n is
// near e_x.
template <class Real>
TENPIN_INLINE Vector<Real> calc_tangent(Vector<Real> n) {
  const bool along_x = absolute(n.x) < Real(0.9);
  const Real part = along_x ? n.x : n.y;
  const Vector<Real> e = {along_x ? Real(1) : Real(0), along_x ? Real(0) : Real(1), Real(0)};
  const Vector<Real> t = e - part * n;
  return (Real(1) / norm(t)) * t;
}

// 1/kg   The compliance that is added to a contact's block, computed from the block with it: e W =
// e/(1+e) D.
template <class World, class Real = typename World::Real>
TENPIN_INLINE Real calc_softness_n(const World& w, Real D_nn) {
  return D_nn * w.model->compliance_share;
}
template <class World, class Real = typename World::Real>
TENPIN_INLINE Real calc_softness_t(const World& w, Real D_tt, Real D_ss) {
  return (Real(0.5) * (D_tt + D_ss)) * w.model->compliance_share;
}

// 1/kg   Velocity that an impulse causes at its own contact, which is the scale of residuals: the
// mean of the block's diagonal without compliance.
template <class World, class Real = typename World::Real>
TENPIN_INLINE Real calc_mobility(const World& w, Real D_nn, Real D_tt, Real D_ss) {
  return (D_nn + (D_tt + D_ss)) * w.model->mobility_share;
}

// Writes the contacts and returns the scale of the step's velocities (m/s).
template <class World, class Real = typename World::Real>
TENPIN_INLINE Real assemble(const World& w, int count, Real body_speed) {
  const Model<Real>& model = *w.model;
  Real speed = larger(body_speed, model.least_speed);
  for (int c = w.lanes.index(); c < count; c += World::kLanes) {
    const Word bodies = w.word(World::kBodies + c);
    const int a = World::body_a(bodies), b = World::body_b(bodies);
    const Vector<Real> n = w.contact(World::kN, c), on_a = w.contact(World::kArmA, c);
    const Real gap = w.at(World::kFree + c);
    const Vector<Real> t1 = calc_tangent(n);
    w.set_contact(World::kT, c, t1);
    const Vector<Real> d[3] = {n, t1, cross(n, t1)};
    Real D[6] = {Real(0), Real(0), Real(0), Real(0), Real(0), Real(0)};
    const Vector<Real> arm_b = (on_a + gap * n) - w.body(World::kXHat, b);
    w.set_contact(World::kArmB, c, arm_b);
    add_block(model.bodies[b].inverse_mass, read_inverse(w, b), arm_b, d, D);
    if (!World::is_fixed(a)) {
      const Vector<Real> arm_a = on_a - w.body(World::kXHat, a);
      w.set_contact(World::kArmA, c, arm_a);
      add_block(model.bodies[a].inverse_mass, read_inverse(w, a), arm_a, d, D);
    }
    const Real soft_n = model.compliance * D[0];
    const Real soft_t = model.compliance * (Real(0.5) * (D[3] + D[5]));
    D[0] = D[0] + soft_n;
    D[3] = D[3] + soft_t;
    D[5] = D[5] + soft_t;
    for (int k = 0; k < 6; ++k) w.at(World::kBlock + k * World::kNc + c) = D[k];
    const Real inverse = Real(1) / D[0], s1 = D[1] * inverse, s2 = D[2] * inverse;
    const Real S_ts = D[4] - D[1] * s2;
    w.at(World::kInvN + c) = inverse;
    w.at(World::kInvT + c) = Real(1) / ((D[3] - D[1] * s1) * (D[5] - D[2] * s2) - S_ts * S_ts);
    const Vector<Real> u0 = calc_relative_velocity(w, World::kV, c);
    const Vector<Real> free = calc_relative_velocity(w, World::kVFree, c);
    const Word key = w.word(World::kKey + c);
    const Pair& pair = model.pairs[key >> 16];
    const Surface<Real>& surface =
        model.surfaces[model.tests[pair.tests_begin + (key & 0xffffU)].surface];
    Real required = u0.x - gap * model.inverse_h;
    const bool is_impact = u0.x < -model.fall_speed && gap <= Real(0);
    if (model.has_restitution != 0 && is_impact) {
      required = larger(required, -surface.restitution * u0.x);
    }
    const Vector<Real> r = w.contact(World::kR, c);
    w.set_contact(World::kFree, c,
                  {free.x - required, free.y - soft_t * r.y, free.z - soft_t * r.z});
    w.at(World::kMu + c) = surface.friction;
    speed = larger_or_nan(speed, larger_or_nan(norm(free), absolute(required)));
  }
  speed = find_largest(w.lanes, speed);
  w.lanes.sync();
  return speed;
}

}  // namespace tenpin::batch
