// The facets of the convex hull of a point set, computed by the Qhull library. No other file names
// that library.
#pragma once

#include <span>
#include <vector>

#include "math/types.h"

namespace tenpin::shapes {

// The facets are polygons as lists of point indices, counter-clockwise seen from outside, in no
// particular order. Facets that are coplanar to rounding form one polygon. The points must not lie
// in a plane; otherwise Qhull fails and its message becomes an InputError.
[[nodiscard]] std::vector<std::vector<int>> calc_hull_facets(std::span<const Vec3> points);

}  // namespace tenpin::shapes
