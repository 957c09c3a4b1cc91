// Torque-free rotation of a rigid body, without losing energy or angular momentum.
#pragma once

#include "math/types.h"

namespace tenpin::dynamics {

// Turns q_WP, the principal axes of a body with the given moments (kg m^2), by the motion that
// keeps L_W (N m s, world axes) for h seconds.
//
// The kinetic energy m1^2/(2 I1) + m2^2/(2 I2) + m3^2/(2 I3) is split into its three terms, each of
// whose motions is a plain rotation about a principal axis. A symmetric sequence of them is of
// order two, nine such sequences with Kahan and Li's weights are of order six, and every one of
// them keeps |L| exactly.   [KL97]   L_W itself is not integrated, so it cannot drift.
[[nodiscard]] Quat calc_free_rotation(const Quat& q_WP, const Vec3& moments, const Vec3& L_W,
                                      double h);

}  // namespace tenpin::dynamics
