// A soup of triangles as mesh files hold it, and what can be said about it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "math/types.h"

namespace tenpin::shapes {

struct ConvexMesh;

struct TriangleMesh {
  std::vector<Vec3> vertices;                 // m
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise seen from outside
};

// Merges vertices with equal coordinates, drops unused ones and triangles without three different
// corners; the rest keeps its order.
[[nodiscard]] TriangleMesh weld(const TriangleMesh& mesh);

struct Closedness {
  int num_open = 0;          // edges with one triangle
  int num_non_manifold = 0;  // edges with more than two
  int num_inverted = 0;      // edges that two triangles run along in the same direction
  double volume = 0.0;       // m^3   negative: inside out; means nothing unless all above are 0

  // Whether the mesh bounds a solid, so that `volume` and integrals over it make sense.
  [[nodiscard]] bool closed() const;
  // What is wrong, for a user; empty if closed.
  [[nodiscard]] std::string problem() const;
};

// Wants a welded mesh.
[[nodiscard]] Closedness check_closed(const TriangleMesh& mesh);

struct MeshHull {
  std::shared_ptr<const ConvexMesh> mesh;
  std::string note;  // empty if the mesh is the hull; else how they differ, for a user
};

// The convex hull that stands for the mesh in a simulation. Its volume is compared with the mesh's
// own, so that nobody simulates a bowl as a lens without being told.
[[nodiscard]] MeshHull make_mesh_hull(const TriangleMesh& mesh);

}  // namespace tenpin::shapes
