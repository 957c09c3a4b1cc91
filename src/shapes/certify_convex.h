// Is a mesh the convex hull that it claims to be? Checked from the mesh and the points alone,
// sharing no code with the construction.
#pragma once

#include <span>
#include <string>

#include "shapes/convex_mesh.h"

namespace tenpin::shapes {

struct ConvexCertificate {
  std::string defect;       // what is wrong with the graph; empty if it is a polyhedron's
  double unevenness = 0.0;  // m   largest distance of a face's vertex from its plane
  double concavity = 0.0;   // m   largest height of a neighbouring face's vertex above a plane
  double dent = 0.0;        // m   largest step of a face's boundary to the wrong side
  double outside = 0.0;     // m   largest height of a point above the mesh

  // Whether the mesh is a convex polyhedron around the points up to `tolerance` (m).
  [[nodiscard]] bool holds(double tolerance) const;
};

// Convexity across every edge of a closed surface of genus 0 is convexity as a whole, so this takes
// O(V + E) and a walk over the faces for each point.
[[nodiscard]] ConvexCertificate certify_convex(const ConvexMesh& mesh,
                                               std::span<const Vec3> points);

}  // namespace tenpin::shapes
