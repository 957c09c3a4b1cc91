// The contact points of one pair of shapes that touch or nearly touch.
#pragma once

#include <cstdint>
#include <vector>

#include "math/pose.h"
#include "shapes/shape.h"

namespace tenpin::collide {

// One point of a contact region. The normal points from A to B: pushing B along it separates them.
struct ContactPoint {
  Vec3 p_A = Vec3::Zero();     // m    on A's surface, world frame
  Vec3 p_B = Vec3::Zero();     // m    on B's surface, world frame; p_B - p_A = gap * normal
  Vec3 normal = Vec3::Zero();  // -    unit, world frame
  double gap = 0.0;            // m    signed distance, negative when overlapping
  double radius_A = 0.0;  // m    radius of A at the point: p_A - radius_A * normal is on A's core
  double radius_B = 0.0;  // m    radius of B:              p_B + radius_B * normal is on B's core;
                          // for a bowl, whose core is its centre, the radius is negative
  std::uint32_t feature_A = 0;  // vertex, edge, face or region of A; stable while it touches
  std::uint32_t feature_B = 0;  //   and of B; the pair identifies the point within its manifold
};

// Features, kind * 2^28 + index, named within each shape alone (kinds in features.h):
//   vertex     of a box (bit k of the index: the sign of coordinate k) or polyhedron; a sphere's
//              or bowl's centre (0); a capsule's ends (0: -z, 1: +z)
//   edge       of a box or polyhedron, ordered by their vertices; a capsule's axis (0)
//   face       of a box (-x +x -y +y -z +z) or polyhedron; a cylinder's caps (0: -z, 1: +z); the
//              plane (0)
//   rim        the extreme point of a cylinder's rim (0: -z, 1: +z)
//   rim mark   a fixed point of the rim, 8 * rim + k at k * 45 degrees from x: a flat cap is
//              represented by its marks, by the points where its rim crosses the other face's
//              outline, and by that outline's corners inside
//   rim cross  such a crossing, 4 * rim + k
//   side       the line of a cylinder's side that touches (0)
//   smooth     the point of an ellipsoid that touches (0)
// A point of a contact polygon is (vertex, face) or, where outlines cross, (edge, edge).
//
// A bowl is touched by the extreme points of the shape inside it: vertices, ends of capsules, and
// the farthest point of a cylinder's rim, or the rim's marks if the whole rim is near the wall.
// Each has its own normal, towards the centre.
//
// Appends the contact points of A and B that are at most `margin` apart: the end points of a
// contact segment, the vertices of a contact polygon.   [B89, §4.2] All points share one normal,
// except between the parallel axes of capsules and in bowls. The normal is the best separating
// direction, or exactly the normal of a face (of A, if both qualify) within 0.02 rad of it that has
// the same contact: gaps are then measured along that, and the smallest gap differs from the signed
// distance by up to 1e-3 of itself (and 2e-9 of the shapes' size). Without such a face, the
// smallest gap is the signed distance. Appends nothing if the shapes are farther apart. Never
// fails: touching, parallel, deeply overlapping and coincident poses all give finite unit normals.
// NarrowPhase (narrow_phase.h) does the same without allocating, for many pairs.
void append_manifold(const shapes::Shape& A, const Pose& X_WA, const shapes::Shape& B,
                     const Pose& X_WB, double margin, std::vector<ContactPoint>* points);

}  // namespace tenpin::collide
