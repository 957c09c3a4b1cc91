// Sweeps with momentum over the contacts, as in complementarity/cone/body_sweep.h: first the
// contacts with fixed bodies, one lane per body, then the others, colour by colour.
#pragma once

#include "batch/assemble.h"
#include "batch/contact_law.h"

namespace tenpin::batch {

// A body's velocity and inverse mass, in registers.
template <class Real>
struct Moving {
  Vector<Real> v, spin;
  Real inverse_mass;
  InverseInertia<Real> inverse;

  TENPIN_INLINE void push(Vector<Real> arm, Vector<Real> impulse) {
    v = v + inverse_mass * impulse;
    spin = spin + inverse * cross(arm, impulse);
  }
  TENPIN_INLINE Vector<Real> at(Vector<Real> arm) const { return v + cross(spin, arm); }
};
template <class World, class Real = typename World::Real>
TENPIN_INLINE Moving<Real> read_moving(const World& w, int b) {
  return {w.body(World::kW, b), w.body(World::kW + World::kAngular, b),
          w.model->bodies[b].inverse_mass, read_inverse(w, b)};
}
template <class World, class Real = typename World::Real>
TENPIN_INLINE void write_moving(const World& w, int b, const Moving<Real>& body) {
  w.set_body(World::kW, b, body.v);
  w.set_body(World::kW + World::kAngular, b, body.spin);
}

// Adds the velocities due to the impulses to kW, in a fixed order: for each body first the contacts
// with fixed bodies, then the colours.
template <class World, class Real = typename World::Real>
TENPIN_INLINE void add_impulses(const World& w, int num_colours, bool is_active) {
  const auto impulse = [&](int c) {
    const Vector<Real> n = w.contact(World::kN, c), t1 = w.contact(World::kT, c);
    const Vector<Real> r = w.contact(World::kR, c);
    return (r.x * n + r.y * t1) + r.z * cross(n, t1);
  };
  for (int b = w.lanes.index(); is_active && b < w.model->num_bodies; b += World::kLanes) {
    const Word stretch = w.word(World::kFixed + b);
    Moving<Real> body = read_moving(w, b);
    for (int c = int(stretch & 0xffffU); c < int(stretch >> 16); ++c) {
      body.push(w.contact(World::kArmB, c), impulse(c));
    }
    write_moving(w, b, body);
  }
  w.lanes.sync();
  const int colours = w.lanes.largest_in_warp(is_active ? num_colours : 0);
  for (int colour = 0; colour < colours; ++colour) {
    const bool mine = is_active && colour < num_colours;
    const int end = mine ? int(w.word(World::kFirst + colour + 1)) : 0;
    const int begin = mine ? int(w.word(World::kFirst + colour)) : 0;
    for (int k = begin + w.lanes.index(); k < end; k += World::kLanes) {
      const int c = int(w.word(World::kOrder + k));
      const Word bodies = w.word(World::kBodies + c);
      const int a = World::body_a(bodies), b = World::body_b(bodies);
      Moving<Real> body_a = read_moving(w, a), body_b = read_moving(w, b);
      const Vector<Real> p = impulse(c);
      body_b.push(w.contact(World::kArmB, c), p);
      body_a.push(w.contact(World::kArmA, c), -p);
      write_moving(w, b, body_b);
      write_moving(w, a, body_a);
    }
    w.lanes.sync();
  }
}

template <class Real>
struct Change {
  Vector<Real> impulse;  // N s    world axes
  Real size2;            // m^2 kg/s^2   size with the contact's mobility as weight
};
// How a sweep uses the impulse that each contact requires.
template <class Real>
struct Pace {
  Real momentum;  // -   fraction of the last change by which impulses are extrapolated
  Real damping;   // -   fraction of the contact's own solution that is used, up to 1
};
// Computes the change of a contact's impulse from the velocity at the contact.
template <class World, class Real = typename World::Real>
TENPIN_INLINE Change<Real> react(const World& w, int c, Pace<Real> pace, Vector<Real> seen) {
  const Vector<Real> before = w.contact(World::kR, c), last = w.contact(World::kRLast, c);
  const Vector<Real> start = before + pace.momentum * (before - last);
  w.set_contact(World::kRLast, c, before);
  const Vector<Real> n = w.contact(World::kN, c), t1 = w.contact(World::kT, c);
  const Vector<Real> t2 = cross(n, t1);
  const Vector<Real> u =
      w.contact(World::kFree, c) + Vector<Real>{dot(n, seen), dot(t1, seen), dot(t2, seen)};
  Real D[6];
  for (int k = 0; k < 6; ++k) D[k] = w.at(World::kBlock + k * World::kNc + c);
  const Real soft_n = calc_softness_n(w, D[0]), soft_t = calc_softness_t(w, D[3], D[5]);
  // The velocity without the contact's own impulse. Its softness acts on all of the impulse and is
  // contained in D alone.
  const Vector<Real> b = {u.x - ((D[0] - soft_n) * start.x + (D[1] * start.y + D[2] * start.z)),
                          u.y - (D[1] * start.x + ((D[3] - soft_t) * start.y + D[4] * start.z)),
                          u.z - (D[2] * start.x + (D[4] * start.y + (D[5] - soft_t) * start.z))};
  Real rate = w.at(World::kRate + c);
  Vector<Real> now = solve_contact(D, w.at(World::kInvN + c), w.at(World::kInvT + c), b,
                                   w.at(World::kMu + c), &rate);
  w.at(World::kRate + c) = rate;
  // Both are in the cone, which is convex, so their mean is in the cone, too.
  if (pace.damping < Real(1)) now = start + pace.damping * (now - start);
  w.set_contact(World::kR, c, now);
  const Vector<Real> change = now - start;
  return {(change.x * n + change.y * t1) + change.z * t2,
          calc_mobility(w, D[0], D[3], D[5]) * dot(change, change)};
}

// One Gauss-Seidel sweep in the order of the list. Returns the squared size of the change.
template <class World, class Real = typename World::Real>
TENPIN_INLINE Real sweep(const World& w, int num_colours, Pace<Real> pace, bool is_active) {
  FixedSum<Real, typename World::Lanes> sum;
  for (int pass = 0; pass * World::kLanes < World::kNb; ++pass) {
    const int b = pass * World::kLanes + w.lanes.index();
    if (!is_active || b >= w.model->num_bodies) continue;
    Moving<Real> body = read_moving(w, b);
    const Vector<Real> last_v = w.body(World::kWLast, b);
    const Vector<Real> last_spin = w.body(World::kWLast + World::kAngular, b);
    w.set_body(World::kWLast, b, body.v);
    w.set_body(World::kWLast + World::kAngular, b, body.spin);
    body.v = body.v + pace.momentum * (body.v - last_v);
    body.spin = body.spin + pace.momentum * (body.spin - last_spin);
    const Word stretch = w.word(World::kFixed + b);
    Real own = Real(0);
    for (int c = int(stretch & 0xffffU); c < int(stretch >> 16); ++c) {
      const Vector<Real> arm = w.contact(World::kArmB, c);
      const Change<Real> change = react(w, c, pace, body.at(arm));
      body.push(arm, change.impulse);
      own = own + change.size2;
    }
    write_moving(w, b, body);
    sum.add(pass, own);
  }
  w.lanes.sync();
  const int colours = w.lanes.largest_in_warp(is_active ? num_colours : 0);
  for (int colour = 0; colour < colours; ++colour) {
    const bool mine = is_active && colour < num_colours;
    const int begin = mine ? int(w.word(World::kFirst + colour)) : 0;
    const int end = mine ? int(w.word(World::kFirst + colour + 1)) : 0;
    for (int pass = 0; begin + pass * World::kLanes < end; ++pass) {
      const int k = begin + pass * World::kLanes + w.lanes.index();
      if (k >= end) continue;
      const int c = int(w.word(World::kOrder + k));
      const Word bodies = w.word(World::kBodies + c);
      const int a = World::body_a(bodies), b = World::body_b(bodies);
      Moving<Real> body_b = read_moving(w, b), body_a = read_moving(w, a);
      const Vector<Real> arm_b = w.contact(World::kArmB, c), arm_a = w.contact(World::kArmA, c);
      const Change<Real> change = react(w, c, pace, body_b.at(arm_b) - body_a.at(arm_a));
      body_b.push(arm_b, change.impulse);
      body_a.push(arm_a, -change.impulse);
      write_moving(w, b, body_b);
      write_moving(w, a, body_a);
      sum.add(pass, change.size2);
    }
    w.lanes.sync();
  }
  return sum.total(w.lanes);
}

template <class Real>
struct SweepError {
  Real error;  // m/s   largest error of the natural map
  Real speed;  // m/s   scale: speed of the step, or of the fastest impulse
};
// Computes |w r - P(w r - (u + mu |u_T| e_n))| at every contact, with the projection P onto the
// friction cone.
template <class World, class Real = typename World::Real>
TENPIN_INLINE SweepError<Real> find_largest_error(const World& w, int count, Real speed,
                                                  bool is_active) {
  Real worst = Real(0);
  for (int c = w.lanes.index(); is_active && c < count; c += World::kLanes) {
    const Vector<Real> r = w.contact(World::kR, c);
    Vector<Real> u = w.contact(World::kFree, c) + calc_relative_velocity(w, World::kW, c);
    const Real D_nn = w.at(World::kBlock + c);
    const Real D_tt = w.at(World::kBlock + 3 * World::kNc + c);
    const Real D_ss = w.at(World::kBlock + 5 * World::kNc + c);
    const Real mu = w.at(World::kMu + c), mobility = calc_mobility(w, D_nn, D_tt, D_ss);
    const Real soft_t = calc_softness_t(w, D_tt, D_ss);
    u = u + Vector<Real>{calc_softness_n(w, D_nn) * r.x, soft_t * r.y, soft_t * r.z};
    const Vector<Real> wr = mobility * r;
    const Real slip = square_root(u.y * u.y + u.z * u.z);
    // Without friction there are no tangential impulses, and slip is free.
    const Vector<Real> y = {wr.x - (u.x + mu * slip), mu > Real(0) ? wr.y - u.y : Real(0),
                            mu > Real(0) ? wr.z - u.z : Real(0)};
    const Real t = square_root(y.y * y.y + y.z * y.z);
    Vector<Real> projected = y;
    if (mu * t <= -y.x) {
      projected = {Real(0), Real(0), Real(0)};
    } else if (t > mu * y.x) {
      const Real normal = (mu * t + y.x) / (mu * mu + Real(1));
      const Real shrink = mu * normal / t;
      projected = {normal, shrink * y.y, shrink * y.z};
    }
    speed = larger_or_nan(speed, mobility * norm(r));
    const Vector<Real> e = wr - projected;
    worst = larger_or_nan(worst, dot(e, e));
  }
  return {square_root(find_largest(w.lanes, worst)), find_largest(w.lanes, speed)};
}

struct SweepOutcome {
  int sweeps;
  bool is_met;  // true if every contact's error is small enough for the certificate
};
// Sweeps until the error is below the tolerance. The error is computed when the last change
// suggests that it is, relative to the scale of the current impulses.
template <class World, class Real = typename World::Real>
TENPIN_INLINE SweepOutcome solve(const World& w, int count, int num_colours, Real speed,
                                 bool is_active) {
  constexpr int kPatience = 25;  // most sweeps between two computations of the error
  // Sweeps over a sliding body with several feet may cycle around the solution forever. Using only
  // a part of each contact's solution ends the cycle: of 23 such steps of the bowling lane, all
  // then converged within 250 sweeps.
  constexpr int kUndamped = 400;
  constexpr Real kDamping = Real(0.7);
  Real max_mu = Real(0);
  for (int c = w.lanes.index(); is_active && c < count; c += World::kLanes) {
    max_mu = larger(max_mu, w.at(World::kMu + c));
  }
  max_mu = find_largest(w.lanes, max_mu);
  // As in SweptIslands::solve, an error e of the natural map is an error in the power of friction
  // of at most e (2 mu |W r| + (1 + mu) |u_T|).
  const Real part = Real(0.5) * w.model->tolerance / (Real(1) + Real(2) * max_mu);
  Real tolerance = part * speed, momentum = Real(0), last_size = Real(0),
       error_per_change = Real(0);
  int sweeps = 0, looked = 0;
  bool is_busy = is_active && count > 0;
  bool is_met = !is_busy;
  while (w.lanes.any_in_warp(is_busy)) {
    const bool is_damped = sweeps >= kUndamped;
    const Pace<Real> pace = {is_damped ? Real(0) : momentum, is_damped ? kDamping : Real(1)};
    const Real size2 = sweep(w, num_colours, pace, is_busy);
    if (is_busy) {
      ++sweeps;
      momentum = size2 < last_size ? size2 / last_size : Real(0);
      last_size = size2;
    }
    const Real change = square_root(size2);
    const bool is_last = sweeps >= w.model->max_sweeps;
    const bool looks = is_busy && (error_per_change * change <= tolerance || is_last ||
                                   sweeps == kUndamped || sweeps - looked >= kPatience);
    if (!w.lanes.any_in_warp(looks)) continue;
    const SweepError<Real> found = find_largest_error(w, count, speed, looks);
    if (!looks) continue;
    tolerance = part * found.speed;
    looked = sweeps;
    error_per_change = change > Real(0) ? found.error / change : Real(0);
    is_met = found.error <= tolerance;
    if (is_met || is_last || found.error != found.error) is_busy = false;
  }
  return {sweeps, is_met};
}

}  // namespace tenpin::batch
