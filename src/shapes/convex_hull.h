// The convex hull of a point cloud as a clean polyhedron: no slivers, no split faces.
#pragma once

#include <memory>
#include <span>

#include "shapes/convex_mesh.h"

namespace tenpin::shapes {

// All relative to the size of the cloud, the largest edge of its box along the axes.
// Features below the first are merged away: points this close become one, faces whose corners all
// lie this close to one plane become one. Single precision files round a little below it.
inline constexpr double kHullTolerance = 2e-7;
// Thinner clouds are flat, or a line: InputError.
inline constexpr double kMinHullThickness = 1e-5;

// m   Limits of coordinates and of the size of a cloud; beyond them InputError.
inline constexpr double kMaxCoordinate = 1e7;
inline constexpr double kMinHullSize = 1e-9;

// Vertices keep the order and the exact coordinates of the input; each face starts at its least
// vertex and faces are in the order of their vertex lists. The result is certified: see
// certify_convex.h. Bad clouds (fewer than 4 points, not finite, coincident, collinear, flat) throw
// InputError.
[[nodiscard]] std::shared_ptr<const ConvexMesh> make_convex_hull(std::span<const Vec3> points);

}  // namespace tenpin::shapes
