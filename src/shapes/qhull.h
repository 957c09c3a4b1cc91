// The facets of a point set's convex hull, by the Qhull library. The only file that names it.
#pragma once

#include <span>
#include <vector>

#include "math/types.h"

namespace tenpin::shapes {

// Polygons as lists of point indices, counter-clockwise seen from outside. Facets that are coplanar
// up to rounding are one polygon. In the library's order, which means nothing. The points must span
// space: InputError with the library's own words if it gives up.
[[nodiscard]] std::vector<std::vector<int>> calc_hull_facets(std::span<const Vec3> points);

}  // namespace tenpin::shapes
