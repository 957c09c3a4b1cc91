// Points where two convex parts come nearest. Each test of two parts finds at most one point, so
// that its number names the point from step to step:
//   round, round   0: the nearest points; parallel capsules: 0 and 1, the ends of their common part
//   solid, round   0, 1: the ends of the segment; 2: a nearer point between them (solids.h)
//   plane, round   0, 1: the ends of the segment
//   plane, box     0 to 7: the corners
//   plane, hull    its corners
//   plane, cylinder   0, 1: the lowest point of each rim; 2 to 9: marks of the lower rim
// A sphere is a segment without length and has test 0 alone. Points farther apart than the margin
// are left out, as early as that is known.
#pragma once

#include "batch/solids.h"
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

// Finds the nearest points of two segments, as parameters in [-1, 1]. For parallel segments, they
// are in the middle of the common part.
template <class Real>
struct Nearest {
  Real s, t;
  bool is_parallel;
};
template <class Real>
TENPIN_INLINE Nearest<Real> find_nearest(const Segment<Real>& A, const Segment<Real>& B) {
  constexpr Real kParallel = Real(1e-6);  // squared sine of the angle; below it, both ends count
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
    // The common interval in A's parameter, from the larger of the lower ends to the smaller of the
    // upper ends.
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

// Finds the parameter in [-1, 1] of the point of the segment c + t a nearest to the solid, by
// bisection of the slope of half the squared distance, which never decreases. Because of the loop,
// the long code of the distance occurs only once.
template <class Real>
TENPIN_INLINE Real find_nearest_to_solid(const Solid<Real>& solid, Vector<Real> c, Vector<Real> a) {
  constexpr int kHalvings = sizeof(Real) == 8 ? 52 : 23;  // to the last bit of a number near 1
  Real low = Real(-1), high = Real(1);
  for (int k = -2; k < kHalvings; ++k) {
    const Real t = k == -2 ? low : (k == -1 ? high : Real(0.5) * (low + high));
    const Real slope = dot(a, calc_outside(solid, c + t * a));
    if (k == -2) {
      if (slope >= Real(0)) return low;
    } else if (k == -1) {
      if (slope <= Real(0)) return high;
    } else if (slope < Real(0)) {
      low = t;
    } else {
      high = t;
    }
  }
  return Real(0.5) * (low + high);
}

// The parameter of an inner point of a segment that is nearer to the solid than both ends; 2 if
// there is none.
template <class Real>
TENPIN_INLINE Real find_inner_point(const Solid<Real>& solid, Vector<Real> c, Vector<Real> a,
                                    Real radius) {
  // if the point is nearer to an end than this, the end is used
  constexpr Real kInner = Real(0.99);
  const Real inner = find_nearest_to_solid(solid, c, a);
  if (!(absolute(inner) < kInner)) return Real(2);
  // Along a face, the ends are equally near.
  Real ends = Real(0), between = Real(0);
#pragma GCC unroll 1
  for (int k = 0; k < 3; ++k) {
    const Vector<Real> p = k == 0 ? c - a : (k == 1 ? c + a : c + inner * a);
    const Real distance = calc_distance(solid, p, calc_outside(solid, p)).distance;
    if (k == 0) ends = distance;
    if (k == 1) ends = smaller(ends, distance);
    if (k == 2) between = distance;
  }
  return between < ends - Real(1e-3) * radius ? inner : Real(2);
}

template <class Real>
TENPIN_INLINE Point<Real> meet_solid_round(const Solid<Real>& solid, const Segment<Real>& B,
                                           int which, Real margin) {
  const Real length2 = dot(B.axis, B.axis), near = B.radius + margin;
  const Vector<Real> c = solid.to_own(B.centre - solid.centre);
  Real t = Real(0);
  if (length2 > Real(0)) {
    const Vector<Real> outside = calc_outside(solid, c);
    const Real reach = near + square_root(length2);
    if (!(dot(outside, outside) < reach * reach)) return no_point<Real>();
    t = which == 0 ? Real(-1) : Real(1);
    if (which == 2) t = find_inner_point(solid, c, solid.to_own(B.axis), B.radius);
    if (t == Real(2)) return no_point<Real>();
  }
  const Vector<Real> at = B.centre + t * B.axis;
  const Vector<Real> p = solid.to_own(at - solid.centre);
  const Vector<Real> outside = calc_outside(solid, p);
  if (!(dot(outside, outside) < near * near)) return no_point<Real>();
  const SolidDistance<Real> d = calc_distance(solid, p, outside);
  const Vector<Real> n = solid.to_world(d.direction);
  return {n, at - d.distance * n, d.distance - B.radius, true};
}

template <class Real>
TENPIN_INLINE Point<Real> meet_plane_point(Vector<Real> on, Vector<Real> normal, Vector<Real> p,
                                           Real radius) {
  const Real height = dot(normal, p - on);
  return {normal, p - height * normal, height - radius, true};
}

template <class Real>
TENPIN_INLINE Vector<Real> get_corner(const Solid<Real>& box, int which) {
  const Vector<Real> local = {(which & 1) != 0 ? box.half.x : -box.half.x,
                              (which & 2) != 0 ? box.half.y : -box.half.y,
                              (which & 4) != 0 ? box.half.z : -box.half.z};
  return box.centre + turn(box.axes, local);
}

inline constexpr int kRimMarks = 8;  // fixed points of a cylinder's rim, as in the stepper
template <class Real>
struct RimPoint {
  Vector<Real> position;
  bool exists;
};
// Direction k in the plane of the rim, in the cylinder's axes.
template <class Real>
TENPIN_INLINE Vector<Real> get_rim_mark(int k) {
  constexpr Real kHalf = Real(0.70710678118654752440);
  const int quarter = k & 3;
  const Real sign = k < 4 ? Real(1) : Real(-1);
  if (quarter == 0) return {sign, Real(0), Real(0)};
  if (quarter == 2) return {Real(0), sign, Real(0)};
  return {quarter == 1 ? sign * kHalf : -sign * kHalf, sign * kHalf, Real(0)};
}
// A standing cylinder touches with the fixed points of its lower rim and the lowest point of that
// rim; a lying one with the lowest points of both rims.
template <class Real>
TENPIN_INLINE RimPoint<Real> find_rim_point(const Solid<Real>& cylinder, Vector<Real> up,
                                            int which) {
  constexpr Real kStanding = Real(0.7);  // cosine
  constexpr Real kMerge = Real(1e-5);    // of the size; closer points count as one
  const Vector<Real> zero = {Real(0), Real(0), Real(0)};
  const Vector<Real> n = turn(conjugate(cylinder.axes), up);
  const bool stands = absolute(n.z) >= kStanding;
  const Real low = n.z > Real(0) ? -cylinder.half.z : cylinder.half.z;
  const Real radius = cylinder.half.x;
  const Real merged = kMerge * (radius + cylinder.half.z);
  Vector<Real> p;
  if (which >= 2) {
    if (!stands) return {zero, false};
    p = radius * get_rim_mark<Real>(which - 2);
    p.z = low;
  } else {
    const Real end = which == 0 ? -cylinder.half.z : cylinder.half.z;
    const Real sine = square_root(n.x * n.x + n.y * n.y);
    if (!(sine > Real(1e-12)) || (stands && end != low)) return {zero, false};
    const Real scale = -radius / sine;
    p = {scale * n.x, scale * n.y, Real(0)};
    for (int k = 0; stands && k < kRimMarks; ++k) {
      const Vector<Real> to_mark = p - radius * get_rim_mark<Real>(k);
      if (dot(to_mark, to_mark) <= merged * merged) return {zero, false};
    }
    p.z = end;
  }
  return {cylinder.centre + turn(cylinder.axes, p), true};
}

}  // namespace tenpin::batch
