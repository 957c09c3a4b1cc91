// How much room a shape takes: boxes along the world's axes, and radii about a point.
#pragma once

#include <span>

#include "shapes/shape.h"

namespace tenpin::shapes {

struct Aabb {
  Vec3 lower = Vec3::Zero();  // m
  Vec3 upper = Vec3::Zero();  // m   may be infinite (planes)
};

// The least box around the shape, up to rounding. A plane's is infinite but for the side of its
// normal when that is exactly along an axis.
[[nodiscard]] Aabb calc_bounds(const Shape& shape, const Pose& X_WS);

// The least box around all parts of a body; lower > upper (an empty box) when there are none.
[[nodiscard]] Aabb calc_bounds(std::span<const PlacedShape> parts, const Pose& X_WB);

// m   The distance from `center` (in the shape's frame) to the farthest point of the shape.
[[nodiscard]] double calc_bounding_radius(const Shape& shape, const Vec3& center);

// m   The same for a body, whose frame `center` is in; 0 without parts.
[[nodiscard]] double calc_bounding_radius(std::span<const PlacedShape> parts, const Vec3& center);

}  // namespace tenpin::shapes
