// Ellipsoids against any other core. An ellipsoid is smooth and strictly convex, so that a pair
// touches at one point, and the best separating direction follows from Newton's method as soon as
// the touching feature of the other core is known.
#pragma once

#include <cstdint>

#include "collide/separation.h"

namespace tenpin::collide {

// The features that touch.
struct SmoothTouch {
  std::uint32_t feature_A = 0;
  std::uint32_t feature_B = 0;
};

// Turns an approximate separating direction into an exact one, with the points that touch, for
// pairs with an ellipsoid. Visits the features of the other core around the direction and keeps the
// best one. Sets `certified` if the points prove the direction to rounding.
SmoothTouch refine_ellipsoid(Separation* separation, CorePair* pair);

}  // namespace tenpin::collide
