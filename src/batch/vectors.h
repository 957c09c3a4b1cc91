// Vectors and rotations without a library. The order of additions is written out, so that results
// have the same bits on every device.
#pragma once

#include "batch/portable.h"

namespace tenpin::batch {

template <class Real>
struct Vector {
  Real x, y, z;
};

template <class Real>
TENPIN_INLINE Vector<Real> operator+(Vector<Real> a, Vector<Real> b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
TENPIN_INLINE Vector<Real> operator-(Vector<Real> a, Vector<Real> b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
TENPIN_INLINE Vector<Real> operator-(Vector<Real> a) {
  return {-a.x, -a.y, -a.z};
}
template <class Real>
TENPIN_INLINE Vector<Real> operator*(Real s, Vector<Real> a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class Real>
TENPIN_INLINE Real dot(Vector<Real> a, Vector<Real> b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
template <class Real>
TENPIN_INLINE Vector<Real> cross(Vector<Real> a, Vector<Real> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class Real>
TENPIN_INLINE Real norm(Vector<Real> a) {
  return square_root(dot(a, a));
}

template <class Real>
struct Quaternion {
  Real w, x, y, z;
};

template <class Real>
TENPIN_INLINE Quaternion<Real> operator*(Quaternion<Real> a, Quaternion<Real> b) {
  return {((a.w * b.w - a.x * b.x) - a.y * b.y) - a.z * b.z,
          ((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y,
          ((a.w * b.y - a.x * b.z) + a.y * b.w) + a.z * b.x,
          ((a.w * b.z + a.x * b.y) - a.y * b.x) + a.z * b.w};
}
template <class Real>
TENPIN_INLINE Quaternion<Real> conjugate(Quaternion<Real> q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class Real>
TENPIN_INLINE Vector<Real> turn(Quaternion<Real> q, Vector<Real> v) {
  const Vector<Real> u = {q.x, q.y, q.z};
  const Vector<Real> t = Real(2) * cross(u, v);
  return (v + q.w * t) + cross(u, t);
}
template <class Real>
TENPIN_INLINE Vector<Real> axis_x(Quaternion<Real> q) {
  return turn(q, Vector<Real>{Real(1), Real(0), Real(0)});
}
template <class Real>
TENPIN_INLINE Vector<Real> axis_y(Quaternion<Real> q) {
  return turn(q, Vector<Real>{Real(0), Real(1), Real(0)});
}
template <class Real>
TENPIN_INLINE Vector<Real> axis_z(Quaternion<Real> q) {
  return turn(q, Vector<Real>{Real(0), Real(0), Real(1)});
}
template <class Real>
TENPIN_INLINE Quaternion<Real> normalize(Quaternion<Real> q) {
  const Real s = Real(1) / square_root(((q.w * q.w + q.x * q.x) + q.y * q.y) + q.z * q.z);
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

template <class Real>
struct SineCosine {
  Real over_angle;  // sin(a) / a
  Real cosine;
};
// Sine and cosine by power series to rounding, for angles whose square `s` is at most 1/4.
template <class Real>
TENPIN_INLINE SineCosine<Real> calc_sine_cosine(Real s) {
  Real sine = Real(1);
  Real cosine = Real(1);
  // Terms from the last to the first; the compiler evaluates 1/((2k)(2k+1)) and 1/((2k-1)(2k)).
  sine = Real(1) - s * Real(1.0 / 210.0);
  sine = Real(1) - s * Real(1.0 / 156.0) * sine;
  sine = Real(1) - s * Real(1.0 / 110.0) * sine;
  sine = Real(1) - s * Real(1.0 / 72.0) * sine;
  sine = Real(1) - s * Real(1.0 / 42.0) * sine;
  sine = Real(1) - s * Real(1.0 / 20.0) * sine;
  sine = Real(1) - s * Real(1.0 / 6.0) * sine;
  cosine = Real(1) - s * Real(1.0 / 182.0);
  cosine = Real(1) - s * Real(1.0 / 132.0) * cosine;
  cosine = Real(1) - s * Real(1.0 / 90.0) * cosine;
  cosine = Real(1) - s * Real(1.0 / 56.0) * cosine;
  cosine = Real(1) - s * Real(1.0 / 30.0) * cosine;
  cosine = Real(1) - s * Real(1.0 / 12.0) * cosine;
  cosine = Real(1) - s * Real(1.0 / 2.0) * cosine;
  return {sine, cosine};
}
// The rotation by the vector a, |a| <= 1.
template <class Real>
TENPIN_INLINE Quaternion<Real> exp_map(Vector<Real> a) {
  const Vector<Real> b = Real(0.5) * a;
  const SineCosine<Real> half = calc_sine_cosine(dot(b, b));
  return {half.cosine, half.over_angle * b.x, half.over_angle * b.y, half.over_angle * b.z};
}

}  // namespace tenpin::batch
