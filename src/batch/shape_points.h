// Points where two convex parts come nearest. Each test of two parts finds at most one point, so
// that its number names the point from step to step:
//   round, round   0: the nearest points; parallel capsules: 0 and 1, the ends of what they share
//   box, round     0, 1: the ends of the segment; 2: a nearer point between them
//   plane, round   0, 1: the ends of the segment
//   plane, box     0 to 7: the corners
// A sphere is a segment without length and has test 0 alone. Points farther apart than the margin
// are left out, as early as that is known.
#pragma once

#include "batch/world.h"

namespace tenpin::batch {

template <class Real>
struct Point {
  Vector<Real> normal;    // -   unit, from A to B
  Vector<Real> position;  // m   on A
  Real gap;               // m   signed
  bool exists;
};

template <class Real>
struct Segment {
  Vector<Real> centre;  // m
  Vector<Real> axis;    // m   from the centre to one end
  Real radius;          // m
};

template <class Real>
TENPIN_INLINE Point<Real> no_point() {
  const Vector<Real> zero = {Real(0), Real(0), Real(0)};
  return {zero, zero, Real(0), false};
}

// Nearest points of two segments, as parameters in [-1, 1]. Parallel ones: the middle of what they
// share.
template <class Real>
struct Nearest {
  Real s, t;
  bool is_parallel;
};
template <class Real>
TENPIN_INLINE Nearest<Real> find_nearest(const Segment<Real>& A, const Segment<Real>& B) {
  constexpr Real kParallel = Real(1e-6);  // sine squared of the angle; both ends count below it
  const Vector<Real> d = A.axis, e = B.axis, r = A.centre - B.centre;
  const Real a = dot(d, d), b = dot(d, e), c = dot(e, e), f = dot(d, r), g = dot(e, r);
  Nearest<Real> n = {Real(0), Real(0), false};
  if (a == Real(0) && c == Real(0)) return n;
  if (a == Real(0)) {
    n.t = clamp(g / c, Real(-1), Real(1));
    return n;
  }
  if (c == Real(0)) {
    n.s = clamp(-f / a, Real(-1), Real(1));
    return n;
  }
  const Real det = a * c - b * b;
  n.is_parallel = !(det > kParallel * (a * c));
  n.s = n.is_parallel ? clamp(-f / a, Real(-1), Real(1))
                      : clamp((b * g - c * f) / det, Real(-1), Real(1));
  n.t = (b * n.s + g) / c;
  if (n.t < Real(-1) || n.t > Real(1)) {
    n.t = clamp(n.t, Real(-1), Real(1));
    n.s = clamp((b * n.t - f) / a, Real(-1), Real(1));
  }
  return n;
}

template <class Real>
TENPIN_INLINE Point<Real> meet_spheres(Vector<Real> a, Real radius_a, Vector<Real> b, Real radius_b,
                                       Real margin) {
  const Vector<Real> d = b - a;
  const Real distance2 = dot(d, d), reach = (radius_a + radius_b) + margin;
  if (!(distance2 > Real(0) && distance2 < reach * reach)) return no_point<Real>();
  const Real distance = square_root(distance2);
  const Vector<Real> n = (Real(1) / distance) * d;
  return {n, a + radius_a * n, (distance - radius_a) - radius_b, true};
}

template <class Real>
TENPIN_INLINE Point<Real> meet_rounds(const Segment<Real>& A, const Segment<Real>& B, int which,
                                      Real margin) {
  Nearest<Real> n = find_nearest(A, B);
  if (n.is_parallel) {
    // Their common interval in A's parameter: from the larger of the lower ends to the smaller
    // upper.
    const Real a = dot(A.axis, A.axis);
    const Real middle = dot(A.axis, B.centre - A.centre) / a;
    const Real half = absolute(dot(A.axis, B.axis)) / a;
    const Real low = larger(Real(-1), middle - half), high = smaller(Real(1), middle + half);
    if (low < high) {
      n.s = which == 0 ? low : high;
      const Vector<Real> p = (A.centre + n.s * A.axis) - B.centre;
      n.t = clamp(dot(B.axis, p) / dot(B.axis, B.axis), Real(-1), Real(1));
    } else if (which != 0) {
      return no_point<Real>();
    }
  } else if (which != 0) {
    return no_point<Real>();
  }
  return meet_spheres(A.centre + n.s * A.axis, A.radius, B.centre + n.t * B.axis, B.radius, margin);
}

template <class Real>
struct BoxPose {
  Vector<Real> centre;
  Quaternion<Real> axes;
  Vector<Real> half;
  bool is_aligned;

  TENPIN_INLINE Vector<Real> to_box(Vector<Real> v) const {
    return is_aligned ? v : turn(conjugate(axes), v);
  }
  TENPIN_INLINE Vector<Real> to_world(Vector<Real> v) const {
    return is_aligned ? v : turn(axes, v);
  }
};

// From a point of a box, in its axes, to the point outside: zero inside.
template <class Real>
TENPIN_INLINE Vector<Real> calc_outside(Vector<Real> half, Vector<Real> p) {
  return {p.x - clamp(p.x, -half.x, half.x), p.y - clamp(p.y, -half.y, half.y),
          p.z - clamp(p.z, -half.z, half.z)};
}

// Of a point to a box, both in the box's axes: outward direction and signed distance. From inside,
// the nearest face counts.
template <class Real>
struct BoxDistance {
  Vector<Real> direction;
  Real distance;
};
template <class Real>
TENPIN_INLINE BoxDistance<Real> calc_box_distance(Vector<Real> half, Vector<Real> p) {
  const Vector<Real> o = calc_outside(half, p);
  const Real outside2 = dot(o, o);
  if (outside2 > Real(0)) {
    const Real distance = square_root(outside2);
    return {(Real(1) / distance) * o, distance};
  }
  const Vector<Real> depth = {absolute(p.x) - half.x, absolute(p.y) - half.y,
                              absolute(p.z) - half.z};
  BoxDistance<Real> d = {{p.x < Real(0) ? Real(-1) : Real(1), Real(0), Real(0)}, depth.x};
  if (depth.y > d.distance) {
    d = {{Real(0), p.y < Real(0) ? Real(-1) : Real(1), Real(0)}, depth.y};
  }
  if (depth.z > d.distance) {
    d = {{Real(0), Real(0), p.z < Real(0) ? Real(-1) : Real(1)}, depth.z};
  }
  return d;
}

// d/dt of half the squared distance of c + t a to the box: it never falls.
template <class Real>
TENPIN_INLINE Real calc_box_slope(Vector<Real> half, Vector<Real> c, Vector<Real> a, Real t) {
  return dot(a, calc_outside(half, c + t * a));
}

// The parameter in [-1, 1] of the segment's point nearest to the box, by bisection of the slope.
template <class Real>
TENPIN_INLINE Real find_nearest_to_box(Vector<Real> half, Vector<Real> c, Vector<Real> a) {
  constexpr int kHalvings = sizeof(Real) == 8 ? 52 : 23;  // to the last bit of a number near 1
  Real low = Real(-1), high = Real(1);
  if (calc_box_slope(half, c, a, low) >= Real(0)) return low;
  if (calc_box_slope(half, c, a, high) <= Real(0)) return high;
  for (int k = 0; k < kHalvings; ++k) {
    const Real middle = Real(0.5) * (low + high);
    if (calc_box_slope(half, c, a, middle) < Real(0)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return Real(0.5) * (low + high);
}

// The parameter of a point between the ends of a segment that is nearer to the box than both; 2 if
// there is none.
template <class Real>
TENPIN_INLINE Real find_inner_point(Vector<Real> half, Vector<Real> c, Vector<Real> a,
                                    Real radius) {
  constexpr Real kInner = Real(0.99);  // nearer to an end than this: the end is the point
  const Real t = find_nearest_to_box(half, c, a);
  if (!(absolute(t) < kInner)) return Real(2);
  // Along a face the ends are as near.
  const Real ends =
      smaller(calc_box_distance(half, c - a).distance, calc_box_distance(half, c + a).distance);
  const Real between = calc_box_distance(half, c + t * a).distance;
  return between < ends - Real(1e-3) * radius ? t : Real(2);
}

template <class Real>
TENPIN_INLINE Point<Real> meet_box_round(const BoxPose<Real>& box, const Segment<Real>& B,
                                         int which, Real margin) {
  const Real length2 = dot(B.axis, B.axis), near = B.radius + margin;
  const Vector<Real> c = box.to_box(B.centre - box.centre);
  Real t = Real(0);
  if (length2 > Real(0)) {
    const Vector<Real> outside = calc_outside(box.half, c);
    const Real reach = near + square_root(length2);
    if (!(dot(outside, outside) < reach * reach)) return no_point<Real>();
    t = which == 0 ? Real(-1) : Real(1);
    if (which == 2) t = find_inner_point(box.half, c, box.to_box(B.axis), B.radius);
    if (t == Real(2)) return no_point<Real>();
  }
  const Vector<Real> at = B.centre + t * B.axis;
  const Vector<Real> p = box.to_box(at - box.centre);
  const Vector<Real> outside = calc_outside(box.half, p);
  if (!(dot(outside, outside) < near * near)) return no_point<Real>();
  const BoxDistance<Real> d = calc_box_distance(box.half, p);
  const Vector<Real> n = box.to_world(d.direction);
  return {n, at - d.distance * n, d.distance - B.radius, true};
}

template <class Real>
TENPIN_INLINE Point<Real> meet_plane_point(Vector<Real> on, Vector<Real> normal, Vector<Real> p,
                                           Real radius) {
  const Real height = dot(normal, p - on);
  return {normal, p - height * normal, height - radius, true};
}

template <class Real>
TENPIN_INLINE Vector<Real> get_corner(const BoxPose<Real>& box, int which) {
  const Vector<Real> local = {(which & 1) != 0 ? box.half.x : -box.half.x,
                              (which & 2) != 0 ? box.half.y : -box.half.y,
                              (which & 4) != 0 ? box.half.z : -box.half.z};
  return box.centre + turn(box.axes, local);
}

}  // namespace tenpin::batch
