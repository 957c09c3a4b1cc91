// A surface of triangles for fixed bodies, with the data of its edges that contacts need.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "math/types.h"
#include "shapes/bounds.h"
#include "shapes/triangle_mesh.h"

namespace tenpin::shapes {

// A surface, made only by make_surface_mesh. The side from which a triangle is seen
// counter-clockwise is open, the other side is solid. Connected triangles that lie in one plane
// form a patch; sides within a patch do not count as edges.
struct SurfaceMesh {
  // Codes for what is beyond a side of a triangle, if it is not the index of an edge.
  static constexpr int kFlat = -1;     // a triangle of the same patch
  static constexpr int kConcave = -2;  // a triangle that rises from that side

  // An edge that can touch: convex, or at the border of the surface.
  struct Edge {
    int from = 0, to = 0;  // vertices
    // -   for each of its triangles: direction in the triangle's plane, away from the triangle
    std::vector<Vec3> out;
  };

  std::vector<Vec3> vertices;                 // m
  std::vector<std::array<int, 3>> triangles;  // corners
  // from corner k to the next: the index of an edge, or a code above
  std::vector<std::array<int, 3>> sides;
  std::vector<int> patches;   // for each triangle: the first triangle of its patch
  std::vector<Vec3> normals;  // -   for each triangle: the normal of its patch
  std::vector<Edge> edges;
  std::vector<int> neighbour_begin;  // vertex v has neighbours[neighbour_begin[v] .. [v+1])
  std::vector<int> neighbours;       // along all sides of triangles
  Aabb box;
  std::vector<Aabb> boxes;   // of the triangles
  std::vector<Aabb> blocks;  // of kBlock triangles in sequence
  static constexpr int kBlock = 64;

  int num_triangles() const { return static_cast<int>(triangles.size()); }
  const Vec3& corner(int triangle, int k) const {
    return vertices[static_cast<std::size_t>(
        triangles[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(k % 3)])];
  }
  double size() const { return (box.upper - box.lower).maxCoeff(); }  // m
};

// Makes a surface: merges equal vertices and leaves out triangles without area. Throws InputError
// if neighbours face opposite ways, or if nothing is left.
[[nodiscard]] std::shared_ptr<const SurfaceMesh> make_surface_mesh(const TriangleMesh& mesh);

}  // namespace tenpin::shapes
