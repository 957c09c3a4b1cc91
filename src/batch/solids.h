// Solids that spheres and capsules touch: boxes, cylinders and convex hulls. For each: the vector
// from the solid to a point outside, and the signed distance of a point with its direction.
#pragma once

#include "batch/model.h"

namespace tenpin::batch {

// A solid in the world. The functions below take points in the solid's own axes.
template <class Real>
struct Solid {
  Word kind;            // kBox, kCylinder, kHull
  Vector<Real> centre;  // m   for a hull: its body's centre of mass
  Quaternion<Real> axes;
  Vector<Real> half;  // m   not used for a hull
  bool is_aligned;
  const Vector<Real>* corners;  // m   of a hull
  const Facet<Real>* facets;
  int num_facets;

  TENPIN_INLINE Vector<Real> to_own(Vector<Real> v) const {
    return is_aligned ? v : turn(conjugate(axes), v);
  }
  TENPIN_INLINE Vector<Real> to_world(Vector<Real> v) const {
    return is_aligned ? v : turn(axes, v);
  }
};

// The vector from a box to the point, in the box's axes; zero inside.
template <class Real>
TENPIN_INLINE Vector<Real> calc_outside(Vector<Real> half, Vector<Real> p) {
  return {p.x - clamp(p.x, -half.x, half.x), p.y - clamp(p.y, -half.y, half.y),
          p.z - clamp(p.z, -half.z, half.z)};
}
template <class Real>
TENPIN_INLINE Vector<Real> calc_outside_cylinder(Vector<Real> half, Vector<Real> p) {
  const Real r2 = p.x * p.x + p.y * p.y;
  const Real z = p.z - clamp(p.z, -half.z, half.z);
  if (!(r2 > half.x * half.x)) return {Real(0), Real(0), z};
  const Real share = Real(1) - half.x / square_root(r2);
  return {share * p.x, share * p.y, z};
}

// The point of a triangle that is nearest to p.
template <class Real>
TENPIN_INLINE Vector<Real> find_nearest_in_triangle(Vector<Real> a, Vector<Real> b, Vector<Real> c,
                                                    Vector<Real> p) {
  const Vector<Real> ab = b - a, ac = c - a;
  const Real a1 = dot(ab, p - a), a2 = dot(ac, p - a);
  if (a1 <= Real(0) && a2 <= Real(0)) return a;
  const Real b1 = dot(ab, p - b), b2 = dot(ac, p - b);
  if (b1 >= Real(0) && b2 <= b1) return b;
  const Real c1 = dot(ab, p - c), c2 = dot(ac, p - c);
  if (c2 >= Real(0) && c1 <= c2) return c;
  const Real of_c = a1 * b2 - b1 * a2;  // areas opposite to the corners
  if (of_c <= Real(0) && a1 >= Real(0) && b1 <= Real(0)) return a + (a1 / (a1 - b1)) * ab;
  const Real of_b = c1 * a2 - a1 * c2;
  if (of_b <= Real(0) && a2 >= Real(0) && c2 <= Real(0)) return a + (a2 / (a2 - c2)) * ac;
  const Real of_a = b1 * c2 - c1 * b2, along = b2 - b1, back = c1 - c2;
  if (of_a <= Real(0) && along >= Real(0) && back >= Real(0)) {
    return b + (along / (along + back)) * (c - b);
  }
  const Real inverse = Real(1) / ((of_a + of_b) + of_c);
  return a + ((of_b * inverse) * ab + (of_c * inverse) * ac);
}
// The vector from a hull to the point. Only facets that the point can see need be examined, because
// others are no nearer.
template <class Real>
TENPIN_INLINE Vector<Real> calc_outside_hull(const Solid<Real>& solid, Vector<Real> p) {
  Vector<Real> outside = {Real(0), Real(0), Real(0)};
  Real least = Real(-1);
  for (int f = 0; f < solid.num_facets; ++f) {
    const Facet<Real>& facet = solid.facets[f];
    if (!(dot(facet.normal, p) > facet.offset)) continue;
    const Vector<Real> o = p - find_nearest_in_triangle(solid.corners[facet.corners[0]],
                                                        solid.corners[facet.corners[1]],
                                                        solid.corners[facet.corners[2]], p);
    const Real distance2 = dot(o, o);
    if (least >= Real(0) && !(distance2 < least)) continue;
    least = distance2;
    outside = o;
  }
  return outside;
}

template <class Real>
TENPIN_INLINE Vector<Real> calc_outside(const Solid<Real>& solid, Vector<Real> p) {
  if (solid.kind == kHull) return calc_outside_hull(solid, p);
  if (solid.kind == kCylinder) return calc_outside_cylinder(solid.half, p);
  return calc_outside(solid.half, p);
}

// Outward direction and signed distance. Inside, the nearest face counts.
template <class Real>
struct SolidDistance {
  Vector<Real> direction;
  Real distance;
};
template <class Real>
TENPIN_INLINE SolidDistance<Real> find_nearest_face(const Solid<Real>& solid, Vector<Real> p) {
  if (solid.kind == kHull) {
    SolidDistance<Real> d = {solid.facets[0].normal,
                             dot(solid.facets[0].normal, p) - solid.facets[0].offset};
    for (int f = 1; f < solid.num_facets; ++f) {
      const Real height = dot(solid.facets[f].normal, p) - solid.facets[f].offset;
      if (height > d.distance) d = {solid.facets[f].normal, height};
    }
    return d;
  }
  if (solid.kind == kCylinder) {
    const Real r = square_root(p.x * p.x + p.y * p.y);
    const Real inverse = r > Real(0) ? Real(1) / r : Real(0);
    const SolidDistance<Real> side = {
        {r > Real(0) ? inverse * p.x : Real(1), inverse * p.y, Real(0)}, r - solid.half.x};
    const Real depth = absolute(p.z) - solid.half.z;
    if (!(depth > side.distance)) return side;
    return {{Real(0), Real(0), p.z < Real(0) ? Real(-1) : Real(1)}, depth};
  }
  const Vector<Real> depth = {absolute(p.x) - solid.half.x, absolute(p.y) - solid.half.y,
                              absolute(p.z) - solid.half.z};
  SolidDistance<Real> d = {{p.x < Real(0) ? Real(-1) : Real(1), Real(0), Real(0)}, depth.x};
  if (depth.y > d.distance) {
    d = {{Real(0), p.y < Real(0) ? Real(-1) : Real(1), Real(0)}, depth.y};
  }
  if (depth.z > d.distance) {
    d = {{Real(0), Real(0), p.z < Real(0) ? Real(-1) : Real(1)}, depth.z};
  }
  return d;
}
// Distance from a point p for which calc_outside() returned `o`.
template <class Real>
TENPIN_INLINE SolidDistance<Real> calc_distance(const Solid<Real>& solid, Vector<Real> p,
                                                Vector<Real> o) {
  const Real outside2 = dot(o, o);
  if (!(outside2 > Real(0))) return find_nearest_face(solid, p);
  const Real distance = square_root(outside2);
  return {(Real(1) / distance) * o, distance};
}

}  // namespace tenpin::batch
