// The solids that bodies are made of, all convex except the bowl and the triangle surface. Each is
// described in its own frame; a body places several of them (a compound) with one Pose each.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "math/pose.h"
#include "math/types.h"

namespace tenpin::shapes {

struct ConvexMesh;   // shapes/convex_mesh.h
struct SurfaceMesh;  // shapes/surface_mesh.h

struct Sphere {
  double radius = 0.0;  // m
};

// A box. With a radius, it consists of the points within `radius` of a smaller box: it has round
// edges and corners and the same extent.
struct Box {
  Vec3 half = Vec3::Zero();  // m   half the edge lengths, rounding included
  double radius = 0.0;       // m   of edges and corners; less than each component of `half`

  Vec3 core_half() const { return half - Vec3::Constant(radius); }  // m   of the smaller box
};

// A capsule: the points within `radius` of the segment from (0,0,-half_length) to
// (0,0,half_length).
struct Capsule {
  double radius = 0.0;       // m
  double half_length = 0.0;  // m   without the caps
};

// A cylinder with flat ends, along z.
struct Cylinder {
  double radius = 0.0;       // m
  double half_length = 0.0;  // m
};

// Around z: a flat base at z = -half_length and the apex at z = +half_length.
struct Cone {
  double radius = 0.0;       // m   of the base
  double half_length = 0.0;  // m

  // -   The outward normal of the side: x is its part away from the axis, y its part along it.
  Vec2 side_normal() const { return Vec2(2.0 * half_length, radius).normalized(); }
};

// The half space z <= 0: solid below, outward normal +z. Infinite, so only for fixed bodies.
struct Plane {};

// An ellipsoid: the points x with sum of (x_i / semiaxes_i)^2 <= 1.
struct Ellipsoid {
  Vec3 semiaxes = Vec3::Zero();  // m
};

struct Polyhedron {
  std::shared_ptr<const ConvexMesh> mesh;
};

// A bowl: all points farther than `radius` from the origin form a wall around a spherical hollow.
// It is also infinite.
struct Bowl {
  double radius = 0.0;  // m
};

// A surface of triangles, open on one side and solid to any depth on the other.
struct TriangleSurface {
  std::shared_ptr<const SurfaceMesh> mesh;
};

using Shape = std::variant<Sphere, Box, Capsule, Cylinder, Plane, Polyhedron, Bowl, Ellipsoid,
                           TriangleSurface, Cone>;

// True if the solid is unbounded, and so has no mass. Only bodies that no contact can move may have
// such shapes.
inline bool is_boundless(const Shape& shape) {
  return std::holds_alternative<Plane>(shape) || std::holds_alternative<Bowl>(shape) ||
         std::holds_alternative<TriangleSurface>(shape);
}

// The circular edges of a shape: of a cylinder at both ends (0: -z, 1: +z), of a cone at its base.
struct Rims {
  double radius = 0.0;       // m
  double half_length = 0.0;  // m   rim 0 is at z = -half_length, rim 1 at z = +half_length
  int count = 0;             // 0: the shape has none
};
inline Rims find_rims(const Shape& shape) {
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    return {.radius = cylinder->radius, .half_length = cylinder->half_length, .count = 2};
  }
  const auto* cone = std::get_if<Cone>(&shape);
  if (cone == nullptr) return {};
  return {.radius = cone->radius, .half_length = cone->half_length, .count = 1};
}

struct PlacedShape {
  Shape shape;
  Pose X_BS;  // pose of the shape in its body
};

}  // namespace tenpin::shapes
