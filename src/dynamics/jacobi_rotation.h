// Torque-free rotation of a body with three different moments in closed form: bounded work for any
// time.   [LL76, §37]
#pragma once

#include "dynamics/free_flight.h"

namespace tenpin::dynamics {

// The moments must be positive and different. Errors are some 1e-16 of the angle turned by, and of
// every component of w_P by itself, also where the moments differ by many orders of magnitude.
[[nodiscard]] FreeRotation calc_jacobi_rotation(const FreeRotation& start, const Vec3& moments,
                                                double h);

// rad/s   As calc_largest_spin.
[[nodiscard]] double calc_largest_jacobi_spin(const Vec3& moments, const Vec3& w_P);

}  // namespace tenpin::dynamics
