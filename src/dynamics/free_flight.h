// Torque-free rotation of a rigid body that conserves energy and angular momentum.
#pragma once

#include "math/types.h"

namespace tenpin::dynamics {

struct FreeRotation {
  Quat q_WP = Quat::Identity();  // principal axes in the world
  Vec3 w_P = Vec3::Zero();       // rad/s   angular velocity along the principal axes
};

// The motion of a body with the given principal moments (kg m^2) after h torque-free seconds. The
// cost is bounded, however fast the body spins and however long h is.
//
// - Equal moments: a rotation about a fixed axis. Two equal moments: two rotations, a closed form.
// - Rotations of up to 1 rad: the kinetic energy m1^2/(2 I1) + m2^2/(2 I2) + m3^2/(2 I3) is split
//   into its three terms, each of which generates a plain rotation about a principal axis. A
//   symmetric sequence of them is of order two, nine such sequences with Kahan and Li's weights are
//   of order six, and each of them conserves |L| exactly.   [KL97]
// - Longer rotations, and needles, whose axial momentum is below the splitting error: Jacobi's
//   solution (jacobi_rotation.h).
//
// Rates are computed in body axes, never from L in world axes: rounding of L by one part in 1e16
// would change the axial spin of a needle by that part times its ratio of moments.
[[nodiscard]] FreeRotation calc_free_rotation(const FreeRotation& start, const Vec3& moments,
                                              double h);

// rad/s   The largest |w| reached during the torque-free motion, in closed form.
[[nodiscard]] double calc_largest_spin(const Vec3& moments, const Vec3& w_P);

}  // namespace tenpin::dynamics
