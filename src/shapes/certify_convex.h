// Checks that a mesh is the convex hull of a point cloud, from the mesh and the points alone.
// Shares no code with the construction.
#pragma once

#include <span>
#include <string>

#include "shapes/convex_mesh.h"

namespace tenpin::shapes {

struct ConvexCertificate {
  // what is wrong with the graph; empty if it is the graph of a polyhedron
  std::string defect;
  double unevenness = 0.0;  // m   largest distance of a face's vertex from its plane
  double concavity = 0.0;   // m   largest height of a neighbouring face's vertex above a plane
  double dent = 0.0;        // m   largest step of a face's boundary to the wrong side
  double outside = 0.0;     // m   largest height of a point above the mesh

  // True if the mesh is a convex polyhedron around the points, up to `tolerance` (m).
  [[nodiscard]] bool holds(double tolerance) const;
};

// Checks the mesh. A closed surface of genus 0 that is convex across every edge is convex as a
// whole, so this takes O(V + E) and one walk over the faces per point.
[[nodiscard]] ConvexCertificate certify_convex(const ConvexMesh& mesh,
                                               std::span<const Vec3> points);

}  // namespace tenpin::shapes
