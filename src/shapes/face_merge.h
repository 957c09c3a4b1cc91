// Merges the facets of a hull into the faces of a clean polyhedron; used by make_convex_hull.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "shapes/convex_mesh.h"

namespace tenpin::shapes {

using Polygon = std::vector<int>;  // point indices, counter-clockwise from outside

// Grows each face from its largest facet over the neighbours whose corners all lie within
// `tolerance` (m) of that facet's plane, and keeps the points where three or more faces meet.
// Returns nothing if the outcome is not the graph of a polyhedron, which happens only if the
// tolerance is close to the size of the details.
[[nodiscard]] std::optional<std::vector<Polygon>> merge_faces(std::span<const Vec3> points,
                                                              const std::vector<Polygon>& facets,
                                                              double tolerance);

// The vector area of a polygon times two: along its normal, with twice the area as its length.
[[nodiscard]] Vec3 calc_area_vector(std::span<const Vec3> points, std::span<const int> polygon);

}  // namespace tenpin::shapes
