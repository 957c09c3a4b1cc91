// Builds a frame from one of its axes.
#pragma once

#include <cmath>

#include "math/types.h"

namespace tenpin {

// A rotation whose z axis is the given unit vector. Its x axis is as close as possible to e_x, or
// to e_y if z is close to e_x.
[[nodiscard]] inline Mat3 frame_along(const Vec3& z) {
  const Vec3 start = std::fabs(z.x()) < 0.9 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitY());
  const Vec3 y = z.cross(start).normalized();
  Mat3 R;
  R << y.cross(z), y, z;
  return R;
}

}  // namespace tenpin
