// The facets of the convex hull of a point set, computed by the Qhull library. The only file that
// names it.
#pragma once

#include <span>
#include <vector>

#include "math/types.h"

namespace tenpin::shapes {

// Polygons as lists of point indices, counter-clockwise seen from outside, in no particular order.
// Facets that are coplanar to rounding form one polygon. The points must span space; otherwise
// Qhull gives up and its message becomes an InputError.
[[nodiscard]] std::vector<std::vector<int>> calc_hull_facets(std::span<const Vec3> points);

}  // namespace tenpin::shapes
