// The product of two orientations.
#pragma once

#include "math/types.h"

namespace tenpin::scene {

// Hamilton's product, written out so that the order of operations is fixed.
inline Quat product(const Quat& a, const Quat& b) {
  return {a.w() * b.w() - a.x() * b.x() - a.y() * b.y() - a.z() * b.z(),
          a.w() * b.x() + a.x() * b.w() + a.y() * b.z() - a.z() * b.y(),
          a.w() * b.y() - a.x() * b.z() + a.y() * b.w() + a.z() * b.x(),
          a.w() * b.z() + a.x() * b.y() - a.y() * b.x() + a.z() * b.w()};
}

}  // namespace tenpin::scene
