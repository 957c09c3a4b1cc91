// Brute force on small polytopes: every pair of features is tried, so nothing can be missed. Shares
// no code with the module under test.
#pragma once

#include <array>
#include <vector>

#include "math/pose.h"
#include "shapes/shape.h"

namespace tenpin::collide {

struct OraclePolytope {
  std::vector<Vec3> vertices;           // m   world frame
  std::vector<std::vector<int>> faces;  // counter-clockwise from outside
  std::vector<Vec3> normals;            // -
  std::vector<std::array<int, 2>> edges;
  double rounding = 0.0;  // m
};

// Box, sphere, capsule or polyhedron.
[[nodiscard]] OraclePolytope make_oracle(const shapes::Shape& shape, const Pose& X_WS);

// The signed distance; all pairs of vertices, edges and faces when apart, all normals and cross
// products of edges when overlapping.
[[nodiscard]] double calc_oracle_distance(const OraclePolytope& A, const OraclePolytope& B);

}  // namespace tenpin::collide
