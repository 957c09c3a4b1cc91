// Bounds of shapes: boxes along the world's axes, and radii about a point.
#pragma once

#include <span>

#include "shapes/shape.h"

namespace tenpin::shapes {

struct Aabb {
  Vec3 lower = Vec3::Zero();  // m
  Vec3 upper = Vec3::Zero();  // m   may be infinite (planes)
};

// The smallest box around the shape, up to rounding. A plane's box is infinite, except in the
// direction of its normal if that is exactly along an axis.
[[nodiscard]] Aabb calc_bounds(const Shape& shape, const Pose& X_WS);

// The smallest box around all parts of a body; lower > upper (an empty box) if there are none.
[[nodiscard]] Aabb calc_bounds(std::span<const PlacedShape> parts, const Pose& X_WB);

// m   The distance from `center` (in the shape's frame) to the farthest point of the shape.
[[nodiscard]] double calc_bounding_radius(const Shape& shape, const Vec3& center);

// m   The same for a body, with `center` in the body's frame; 0 without parts.
[[nodiscard]] double calc_bounding_radius(std::span<const PlacedShape> parts, const Vec3& center);

// m   The radius by which the shape's core is rounded: that of a sphere, of a capsule or of a box's
// edges; 0 for other shapes.
[[nodiscard]] double calc_rounding(const Shape& shape);

}  // namespace tenpin::shapes
