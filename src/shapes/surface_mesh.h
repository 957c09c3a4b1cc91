// A surface of triangles for fixed bodies, with what contacts need to know about its edges.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "math/types.h"
#include "shapes/bounds.h"
#include "shapes/triangle_mesh.h"

namespace tenpin::shapes {

// Made only by make_surface_mesh. The side from which a triangle is seen counter-clockwise is open,
// the other one solid. Triangles that lie in one plane and hang together form a patch, so that an
// edge between two triangles of a floor is none.
struct SurfaceMesh {
  // What is beyond a side of a triangle; edges have their index instead.
  static constexpr int kFlat = -1;     // a triangle of the same patch
  static constexpr int kConcave = -2;  // a triangle that rises from there

  // An edge that can touch: convex, or at the border of the surface.
  struct Edge {
    int from = 0, to = 0;   // vertices
    std::vector<Vec3> out;  // -   for each of its triangles: in its plane, away from it
  };

  std::vector<Vec3> vertices;                 // m
  std::vector<std::array<int, 3>> triangles;  // corners
  std::vector<std::array<int, 3>> sides;      // from corner k to the next: an edge, or as above
  std::vector<int> patches;                   // of each triangle: the first one of its patch
  std::vector<Vec3> normals;                  // -   of each triangle: that of its patch
  std::vector<Edge> edges;
  std::vector<int> neighbour_begin;  // vertex v has neighbours[neighbour_begin[v] .. [v+1])
  std::vector<int> neighbours;       // along any side
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

// Merges equal vertices and leaves out triangles without area. Throws InputError where neighbours
// face opposite ways, or if nothing is left.
[[nodiscard]] std::shared_ptr<const SurfaceMesh> make_surface_mesh(const TriangleMesh& mesh);

}  // namespace tenpin::shapes
