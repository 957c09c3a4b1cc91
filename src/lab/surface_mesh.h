// Shapes of a run file as triangles, for formats without other shapes.
#pragma once

#include <cstdint>
#include <vector>

#include "record/run_header.h"

namespace tenpin::lab {

struct SurfaceMesh {
  std::vector<Vec3> positions;           // m   in the frame of the shape
  std::vector<Vec3> normals;             // -   outwards, one per position
  std::vector<std::uint32_t> triangles;  // three positions each, counter-clockwise from outside
};

// Approximates round shapes by facets. A plane becomes a square with that half edge about its
// origin, a bowl becomes its lower half.
[[nodiscard]] SurfaceMesh make_surface_mesh(const record::HeaderPart& part, double plane_half_edge);

}  // namespace tenpin::lab
