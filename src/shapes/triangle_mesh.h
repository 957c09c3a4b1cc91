// A triangle soup as mesh files contain it, and checks on it.
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

// Merges vertices with equal coordinates, drops unused vertices and triangles without three
// different corners, and keeps the order of the rest.
[[nodiscard]] TriangleMesh weld(const TriangleMesh& mesh);

struct Closedness {
  int num_open = 0;          // edges with one triangle
  int num_non_manifold = 0;  // edges with more than two
  int num_inverted = 0;      // edges that two triangles run along in the same direction
  double volume = 0.0;       // m^3   negative: inside out; means nothing unless all above are 0

  // Does the mesh bound a solid, so that `volume` and other integrals over it make sense?
  [[nodiscard]] bool closed() const;
  // What is wrong, in words for the user; empty if closed.
  [[nodiscard]] std::string problem() const;
};

// The mesh must be welded.
[[nodiscard]] Closedness check_closed(const TriangleMesh& mesh);

struct MeshHull {
  std::shared_ptr<const ConvexMesh> mesh;
  std::string note;  // empty if the mesh is its own hull; else how they differ, for the user
};

// The convex hull that represents the mesh in a simulation. Its volume is compared with that of the
// mesh, so that no user simulates a bowl as a lens without being told.
[[nodiscard]] MeshHull make_mesh_hull(const TriangleMesh& mesh);

}  // namespace tenpin::shapes
