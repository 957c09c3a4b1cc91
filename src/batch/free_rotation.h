// Torque-free rotation of a body over one step, by the methods of dynamics/free_flight.h: symmetric
// tops in closed form, others by Kahan and Li's composition of order six.   [KL97]
#pragma once

#include "batch/model.h"

namespace tenpin::batch {

template <class Real>
struct Rotation {
  Quaternion<Real> q;  // -      principal axes in the world
  Vector<Real> spin;   // rad/s  world axes
  bool is_too_fast;    // more than a radian in the step, for which the series do not hold
};

// Multiplies by I or I^-1 in world axes; `moments` are the moments or their inverses.
template <class Real>
TENPIN_INLINE Vector<Real> multiply_inertia(const Body<Real>& body, Quaternion<Real> q,
                                            Vector<Real> moments, Vector<Real> w) {
  const Vector<Real> z = axis_z(q);
  Vector<Real> product = moments.x * w + ((moments.z - moments.x) * dot(z, w)) * z;
  if (body.is_top != Real(1)) {
    const Vector<Real> y = axis_y(q);
    product = product + ((moments.y - moments.x) * dot(y, w)) * y;
  }
  return product;
}

// Rotates the body by +angle about one principal axis, and hence its momentum in body axes by
// -angle.
template <int kAxis, class Real>
TENPIN_INLINE void turn_about(Real half_angle, Quaternion<Real>* q, Vector<Real>* m) {
  const SineCosine<Real> sc = calc_sine_cosine(half_angle * half_angle);
  const Real s = half_angle * sc.over_angle;
  const Real c = sc.cosine;
  const Real sin2 = Real(2) * s * c;
  const Real cos2 = Real(1) - Real(2) * s * s;
  const Quaternion<Real> p = *q;
  const Vector<Real> o = *m;
  if (kAxis == 0) {
    *q = {p.w * c - p.x * s, p.x * c + p.w * s, p.y * c + p.z * s, p.z * c - p.y * s};
    *m = {o.x, cos2 * o.y + sin2 * o.z, cos2 * o.z - sin2 * o.y};
  } else if (kAxis == 1) {
    *q = {p.w * c - p.y * s, p.x * c - p.z * s, p.y * c + p.w * s, p.z * c + p.x * s};
    *m = {cos2 * o.x - sin2 * o.z, o.y, cos2 * o.z + sin2 * o.x};
  } else {
    *q = {p.w * c - p.z * s, p.x * c + p.y * s, p.y * c - p.x * s, p.z * c + p.w * s};
    *m = {cos2 * o.x + sin2 * o.y, cos2 * o.y - sin2 * o.x, o.z};
  }
}

// Nine symmetric steps with Kahan and Li's weights; each consists of turns about x, y, z, y, x.
template <class Real>
TENPIN_INLINE void compose_turns(const Body<Real>& body, Real h, Quaternion<Real>* q,
                                 Vector<Real>* m) {
  const Real weights[5] = {Real(0.39216144400731413928), Real(0.33259913678935943860),
                           Real(-0.70624617255763935981), Real(0.082213596293550800230),
                           Real(0.79854399093482996340)};
  for (int i = 0; i < 9; ++i) {
    const Real dt = weights[i < 5 ? i : 8 - i] * h;
    turn_about<0>(Real(0.5) * dt * body.half_rates.x * m->x, q, m);
    turn_about<1>(Real(0.5) * dt * body.half_rates.y * m->y, q, m);
    turn_about<2>(dt * body.half_rates.z * m->z, q, m);
    turn_about<1>(Real(0.5) * dt * body.half_rates.y * m->y, q, m);
    turn_about<0>(Real(0.5) * dt * body.half_rates.x * m->x, q, m);
  }
}

// The rotation of a symmetric top: one turn about the angular momentum and one about the axis.
template <class Real>
TENPIN_INLINE Rotation<Real> rotate_freely(const Body<Real>& body, Quaternion<Real> q,
                                           Vector<Real> w, Real h) {
  const Real angle2 = (h * h) * dot(w, w);
  Rotation<Real> end;
  end.is_too_fast = !(angle2 <= Real(1));
  if (body.is_top == Real(1)) {
    const Vector<Real> L = multiply_inertia(body, q, body.moments, w);
    const Vector<Real> about_L = (h * body.inverse_moments.x) * L;
    const Real axial = dot(axis_z(q), L);
    const Real about_z = h * axial * (body.inverse_moments.z - body.inverse_moments.x);
    end.is_too_fast =
        end.is_too_fast || !(dot(about_L, about_L) <= Real(1)) || !(about_z * about_z <= Real(1));
    end.q = normalize((exp_map(about_L) * q) * exp_map(Vector<Real>{Real(0), Real(0), about_z}));
    end.spin = multiply_inertia(body, end.q, body.inverse_moments, L);
    return end;
  }
  const Vector<Real> in_body = turn(conjugate(q), w);
  Vector<Real> m = {body.moments.x * in_body.x, body.moments.y * in_body.y,
                    body.moments.z * in_body.z};
  constexpr int kSubsteps = 10;  // of at most 0.1 rad each: the error is then below 1e-13 of a turn
  int substeps = 1;
  while (substeps < kSubsteps && angle2 > Real(0.01) * Real(substeps * substeps)) ++substeps;
  end.q = q;
  for (int i = 0; i < substeps; ++i) compose_turns(body, h / Real(substeps), &end.q, &m);
  end.q = normalize(end.q);
  end.spin = turn(end.q, Vector<Real>{body.inverse_moments.x * m.x, body.inverse_moments.y * m.y,
                                      body.inverse_moments.z * m.z});
  return end;
}

}  // namespace tenpin::batch
