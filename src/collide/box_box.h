// Two boxes: the best of the fifteen directions that can separate overlapping boxes.
#pragma once

#include "collide/separation.h"

namespace tenpin::collide {

// Exact if the boxes overlap. Otherwise `gap` is a lower bound, which is reached unless a vertex is
// closest to a vertex or an edge. `half_A` and `half_B` in m.
[[nodiscard]] Separation find_box_separation(const Vec3& half_A, const Vec3& half_B,
                                             const Pose& X_AB);

}  // namespace tenpin::collide
