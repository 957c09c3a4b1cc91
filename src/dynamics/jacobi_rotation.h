// Torque-free rotation of a body with three different moments in closed form, at bounded cost for
// any time.   [LL76, §37]
#pragma once

#include "dynamics/free_flight.h"

namespace tenpin::dynamics {

// The moments must be positive and different. The relative error is about 1e-16 of the angle of
// rotation and of each component of w_P, even if the moments differ by many orders of magnitude.
[[nodiscard]] FreeRotation calc_jacobi_rotation(const FreeRotation& start, const Vec3& moments,
                                                double h);

// rad/s   Same as calc_largest_spin.
[[nodiscard]] double calc_largest_jacobi_spin(const Vec3& moments, const Vec3& w_P);

}  // namespace tenpin::dynamics
