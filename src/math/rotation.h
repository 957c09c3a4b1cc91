// Rotations as vectors, unit quaternions and matrices, and the conversions between them.
#pragma once

#include "math/types.h"

namespace tenpin {

// The matrix of the cross product: skew(a) * b = a x b.
[[nodiscard]] Mat3 skew(const Vec3& a);

// The unit quaternion that turns by |rotation| rad about the direction of `rotation`:
// exp(rotation/2). Smooth at zero; good to a few ulp for every angle.
[[nodiscard]] Quat exp_map(const Vec3& rotation);

// The inverse of exp_map, with |result| <= pi; q and -q give the same vector.
[[nodiscard]] Vec3 log_map(const Quat& q);

// The rotation of a quaternion of any non-zero length: even if the quaternion has drifted from unit
// length, the matrix is orthogonal to rounding.
[[nodiscard]] Mat3 to_matrix(const Quat& q);

// The unit quaternion of a rotation matrix, with w >= 0. Divides by the largest component, which is
// at least 1/2, so no accuracy is lost. Shepperd's method.
[[nodiscard]] Quat to_quaternion(const Mat3& R);

}  // namespace tenpin
