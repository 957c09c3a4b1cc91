// Rotations as vectors, unit quaternions and matrices, and the ways between them.
#pragma once

#include "math/types.h"

namespace tenpin {

// The matrix of the cross product: skew(a) * b = a x b.
[[nodiscard]] Mat3 skew(const Vec3& a);

// The unit quaternion that turns by |rotation| rad about the direction of `rotation`:
// exp(rotation/2). Smooth at zero; good to a few ulp for every angle.
[[nodiscard]] Quat exp_map(const Vec3& rotation);

// The inverse, with |result| <= pi; q and -q give the same.
[[nodiscard]] Vec3 log_map(const Quat& q);

// The rotation of a quaternion of any length but zero: a quaternion that drifted from unit length
// still gives an orthogonal matrix to rounding.
[[nodiscard]] Mat3 to_matrix(const Quat& q);

// The unit quaternion of a rotation matrix, with w >= 0. Every matrix has one component of at least
// 1/2, and dividing by that one loses nothing.   Shepperd's method.
[[nodiscard]] Quat to_quaternion(const Mat3& R);

}  // namespace tenpin
