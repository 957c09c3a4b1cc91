// The convex hull of a point cloud as a clean polyhedron: no slivers, no split faces.
#pragma once

#include <memory>
#include <span>

#include "shapes/convex_mesh.h"

namespace tenpin::shapes {

// -   relative to the size of the cloud, the largest edge of its axis-aligned box. Details below
// the first tolerance are merged: points this close to each other become one, and so do faces whose
// corners all lie this close to one plane. The rounding of single-precision files is slightly
// smaller.
inline constexpr double kHullTolerance = 2e-7;
// -   Clouds thinner than this are flat or lie on a line, and cause an InputError.
inline constexpr double kMinHullThickness = 1e-5;

// m   Limits of the coordinates and the size of a cloud; values beyond them cause an InputError.
inline constexpr double kMaxCoordinate = 1e7;
inline constexpr double kMinHullSize = 1e-9;

// Makes the hull. Vertices keep the order and the exact coordinates of the input. Each face starts
// at its lowest vertex, and faces are sorted by their vertex lists. The result is certified: see
// certify_convex.h. Bad clouds (fewer than 4 points, not finite, coincident, collinear, flat) throw
// InputError.
[[nodiscard]] std::shared_ptr<const ConvexMesh> make_convex_hull(std::span<const Vec3> points);

}  // namespace tenpin::shapes
