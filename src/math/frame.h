// A frame from one of its axes.
#pragma once

#include <cmath>

#include "math/types.h"

namespace tenpin {

// A rotation whose z axis is the given unit vector; x is as near to e_x (or e_y, for a z near e_x)
// as that allows.
[[nodiscard]] inline Mat3 frame_along(const Vec3& z) {
  const Vec3 start = std::fabs(z.x()) < 0.9 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitY());
  const Vec3 y = z.cross(start).normalized();
  Mat3 R;
  R << y.cross(z), y, z;
  return R;
}

}  // namespace tenpin
