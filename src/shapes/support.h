// The point of a shape that is farthest in a direction.
#pragma once

#include "shapes/shape.h"

namespace tenpin::shapes {

struct ConvexMesh;

struct Support {
  Vec3 point = Vec3::Zero();  // m   in the shape's frame
  int feature = 0;  // box corner (bit i set: +half on axis i), end of a capsule, cylinder or
                    // cone (1: +z), vertex of a polyhedron; 0 for a sphere or ellipsoid
};

// Finds the support point. `direction` is in the shape's frame and need not be a unit vector; zero
// gives an arbitrary point of the shape. For a polyhedron the search starts at vertex `hint`. A
// plane has no support point: throws InputError.
[[nodiscard]] Support support(const Shape& shape, const Vec3& direction, int hint = 0);

// The vertex of a mesh farthest along `direction`, found by walking uphill along edges from `hint`.
// On a convex mesh a vertex without a higher neighbour is the highest; the walk ends after at most
// V steps.
[[nodiscard]] int find_extreme_vertex(const ConvexMesh& mesh, const Vec3& direction, int hint);

}  // namespace tenpin::shapes
