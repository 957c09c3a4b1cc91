// The constant data of a world: bodies, shapes, surfaces and the pairs that may touch. Plain data,
// which is copied unchanged to a device; divisions are done beforehand.
#pragma once

#include "batch/vectors.h"

namespace tenpin::batch {

// loose bodies; each uses five bits of a 64-bit word (colour.h)
inline constexpr int kMaxBodies = 12;
inline constexpr int kMaxFixed = 32;   // shapes of bodies that never move
inline constexpr int kMaxParts = 128;  // different shapes of loose bodies, and fixed shapes
// of two loose bodies, or of a loose body and a fixed shape
inline constexpr int kMaxPairs = 256;
inline constexpr int kMaxTests = 1024;     // of pairs with different shapes
inline constexpr int kMaxSurfaces = 32;    // different frictions and restitutions
inline constexpr int kMaxWatches = 4;      // measures that need every step
inline constexpr int kMaxCorners = 256;    // of all different hulls
inline constexpr int kMaxFacets = 512;     // triangles of all different hulls
inline constexpr int kMaxOwnCorners = 32;  // of one hull

enum PartKind : Word { kRound, kBox, kPlane, kCylinder, kHull };

// A triangle of a hull, counter-clockwise from outside.
template <class Real>
struct Facet {
  Vector<Real> normal;       // -   outward
  Real offset;               // m   normal . x <= offset inside
  unsigned char corners[3];  // relative to the hull's first corner
};

// A convex part, in the frame of its body (principal axes at the centre of mass) or in the world's.
template <class Real>
struct Part {
  Word kind;
  Word is_aligned;  // kBox: 1 if it is fixed and its axes are the world's
  Word corners_begin, num_corners, facets_begin, num_facets;  // kHull: indices into the model
  Real radius;            // m   kRound: rounding radius of the segment
  Vector<Real> centre;    // m   kPlane: a point of the plane
  Vector<Real> axis;      // m   kRound: from the centre to one end; zero for a sphere
                          // -   kPlane: outward normal
  Vector<Real> half;      // m   kBox; kCylinder: radius, radius, half of the length
  Quaternion<Real> axes;  // -   kBox, kCylinder
};

template <class Real>
struct Body {
  Real mass, inverse_mass;                // kg, 1/kg
  Vector<Real> moments, inverse_moments;  // kg m^2   about the principal axes
  Vector<Real> half_rates;                // 1/(kg m^2)   0.5 / moments
  Real is_top;                            // 1 if the moments about x and y are equal
  Real radius;                            // m   about the centre of mass
  Real arm;                               // m   distance of the farthest centre of rounding
  Vector<Real> spine_centre, spine_axis;  // m   bounding capsule, body frame: segment
  Real spine_radius;                      // m   and radius of that capsule
  Vector<Real> origin;                    // m   origin of the body in the scene, body frame
};

// A test finds at most one contact point of two parts; the number of the test identifies the point.
struct Test {
  unsigned char part_a, part_b;  // indices into Model::parts
  unsigned char which;           // end, corner or other feature (shape_points.h)
  unsigned char surface;         // index into Model::surfaces
};

// Two bodies that may touch. Pairs of bodies with equal shapes share tests.
struct Pair {
  unsigned char a;  // loose body, or kFixedFlag + index of a fixed part
  unsigned char b;  // loose body
  unsigned short tests_begin;
  unsigned short num_tests;
};
inline constexpr int kFixedFlag = 128;

template <class Real>
struct Surface {
  Real friction, restitution;  // -
};

// How a number of a body is followed from step to step.
enum WatchKind : Word { kFirstAbove, kFirstBelow, kLargest, kSmallest };
enum WatchedMotion : Word { kPosition, kVelocity, kSpin, kTime };
struct Watched {
  Word motion;     // WatchedMotion
  Word body;       // a loose body
  Word component;  // 0, 1, 2
};
template <class Real>
struct Watch {
  Word kind;
  Watched quantity;
  Watched value;  // kFirst...: read when the quantity passes the bound
  Real bound;     // in the quantity's unit; positions are relative to Model's origin
};

template <class Real>
struct Model {
  int num_bodies, num_fixed, num_pairs, num_watches;
  int max_sweeps;
  int has_restitution;
  Real h, inverse_h;      // s, 1/s
  Vector<Real> gravity;   // m/s^2
  Real fall_speed;        // m/s   |gravity| h
  Real compliance;        // -     e
  Real compliance_share;  // -     e / (1 + e): fraction of the compliance in a compliant block
  Real mobility_share;    // -     1 / (3 (1 + e))
  Real tolerance;         // -     of the certificate
  Real max_speed;         // m/s   if faster, a body could pass through another
  Real max_overlap;       // m     if deeper, a contact has sunk in
  Real start_overlap;     // m     largest overlap at time 0 that counts as touching
  Real least_speed;       // m/s   smallest scale of residuals
  Body<Real> bodies[kMaxBodies];
  Part<Real> parts[kMaxParts];
  Vector<Real> corners[kMaxCorners];  // m   in the frames of the hulls' bodies
  Facet<Real> facets[kMaxFacets];
  Word fixed_parts[kMaxFixed];  // indices into parts
  Surface<Real> surfaces[kMaxSurfaces];
  Pair pairs[kMaxPairs];
  Test tests[kMaxTests];
  Watch<Real> watches[kMaxWatches];
};

}  // namespace tenpin::batch
