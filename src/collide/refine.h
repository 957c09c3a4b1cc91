// Turns an approximate separating direction into an exact one.
#pragma once

#include "collide/separation.h"

namespace tenpin::collide {

// The separation is smooth as long as the touching features stay the same, so its maximum over each
// plausible pair of features is found in closed form or by Newton's method, and the best is kept.
// `n` must be close enough to identify the features (about 1e-3 rad).
void refine_separation(Separation* separation, CorePair* pair);

// Near its maximum the separation is constant to rounding over a range of directions, some of which
// are far from the best. Chooses the direction whose closest points prove it best, and returns
// these points.
void settle_separation(Separation* separation, CorePair* pair);

}  // namespace tenpin::collide
