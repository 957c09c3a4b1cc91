// A list of triangles as mesh files contain it, and checks on it.
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
  // m^3   negative if inside out; meaningless unless all counts above are 0
  double volume = 0.0;

  // True if the mesh bounds a solid, so that `volume` and other integrals over it are meaningful.
  [[nodiscard]] bool closed() const;
  // Describes for the user what is wrong; empty if closed.
  [[nodiscard]] std::string problem() const;
};

// The mesh must be welded.
[[nodiscard]] Closedness check_closed(const TriangleMesh& mesh);

struct MeshHull {
  std::shared_ptr<const ConvexMesh> mesh;
  std::string note;  // how the hull differs from the mesh, for the user; empty if it does not
};

// Makes the convex hull that represents the mesh in a simulation. Compares its volume with that of
// the mesh, so that no user simulates a bowl as a lens without being told.
[[nodiscard]] MeshHull make_mesh_hull(const TriangleMesh& mesh);

}  // namespace tenpin::shapes
