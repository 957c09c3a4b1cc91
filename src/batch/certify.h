// The certificate of a step: checks Coulomb's law using impulses and velocities alone, with
// velocities computed again from the impulses. The three residuals are those of contact/certify.h.
#pragma once

#include "batch/sweep.h"

namespace tenpin::batch {

template <class Real>
struct Certificate {
  Real residual;       // -   worst violation, relative to the scale of the step
  Real overlap;        // m   deepest overlap at the end of the step
  Real work_normal;    // J
  Real work_friction;  // J
};

template <class World, class Real = typename World::Real>
TENPIN_INLINE Certificate<Real> certify(const World& w, int count, int num_colours, Real speed,
                                        bool is_active) {
  for (int b = w.lanes.index(); is_active && b < w.model->num_bodies; b += World::kLanes) {
    w.set_body(World::kW, b, w.body(World::kVFree, b));
    w.set_body(World::kW + World::kAngular, b, w.body(World::kVFree + World::kAngular, b));
  }
  w.lanes.sync();
  add_impulses(w, num_colours, is_active);
  for (int c = w.lanes.index(); is_active && c < count; c += World::kLanes) {
    const Real mobility =
        calc_mobility(w, w.at(World::kBlock + c), w.at(World::kBlock + 3 * World::kNc + c),
                      w.at(World::kBlock + 5 * World::kNc + c));
    speed = larger_or_nan(speed, mobility * norm(w.contact(World::kR, c)));
  }
  speed = find_largest(w.lanes, speed);
  Real worst = Real(0), overlap = Real(0);
  FixedSum<Real, typename World::Lanes> normal, friction;
  for (int pass = 0; is_active && pass * World::kLanes < count; ++pass) {
    const int c = pass * World::kLanes + w.lanes.index();
    if (c >= count) continue;
    const Vector<Real> r = w.contact(World::kR, c), q = w.contact(World::kFree, c);
    const Real D_nn = w.at(World::kBlock + c);
    const Real D_tt = w.at(World::kBlock + 3 * World::kNc + c);
    const Real D_ss = w.at(World::kBlock + 5 * World::kNc + c);
    const Real mu = w.at(World::kMu + c), mobility = calc_mobility(w, D_nn, D_tt, D_ss);
    const Real soft_t = calc_softness_t(w, D_tt, D_ss);
    const Vector<Real> u0 = calc_relative_velocity(w, World::kV, c);
    const Vector<Real> u1 = calc_relative_velocity(w, World::kW, c);
    // q = u_free - (required, memory's part): the part of the law's velocity that is added to u1.
    const Vector<Real> seen = u1 + (q - calc_relative_velocity(w, World::kVFree, c));
    const Vector<Real> u =
        seen + Vector<Real>{calc_softness_n(w, D_nn) * r.x, soft_t * r.y, soft_t * r.z};
    overlap = larger(overlap, -w.model->h * seen.x);
    const Real complementarity = absolute(smaller(r.x * mobility, u.x));
    const Real bound = mu * larger(r.x, Real(0));
    const Real slip = square_root(u.y * u.y + u.z * u.z);
    const Real beyond = square_root(r.y * r.y + r.z * r.z) - bound;
    const Real power = absolute(bound * slip + (r.y * u.y + r.z * u.z));
    const Real impulse = speed / mobility;
    worst = larger_or_nan(worst, complementarity / speed);
    worst = larger_or_nan(worst, beyond / impulse);
    worst = larger_or_nan(worst, power / (impulse * speed));
    normal.add(pass, r.x * (Real(0.5) * (u0.x + u1.x)));
    friction.add(pass, r.y * (Real(0.5) * (u0.y + u1.y)) + r.z * (Real(0.5) * (u0.z + u1.z)));
  }
  Certificate<Real> certificate;
  certificate.residual = find_largest(w.lanes, worst);
  certificate.overlap = find_largest(w.lanes, overlap);
  certificate.work_normal = normal.total(w.lanes);
  certificate.work_friction = friction.total(w.lanes);
  return certificate;
}

}  // namespace tenpin::batch
