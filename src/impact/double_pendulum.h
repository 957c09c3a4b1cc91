// The mechanism of [M11, §2.1]: two equal slender bars on pin joints, whose lower end strikes a
// horizontal floor. Angles are measured counterclockwise, q[0] from the x axis, q[1] from the upper
// bar.
#pragma once

#include "impact/planar.h"
#include "math/types.h"

namespace tenpin::impact {

struct DoublePendulum {
  double mass = 1.0;    // kg   of each bar
  double length = 1.0;  // m    of each bar
  Vec2 q;               // rad
};

// Its mass matrix and the Jacobian of its end: row 0 tangential (x), row 1 normal (y).
struct PlanarMechanism {
  Mat2 M;  // kg m^2
  Mat2 J;  // m
};

// [M11, eq. (2.1)]
[[nodiscard]] PlanarMechanism calc_mechanism(const DoublePendulum& pendulum);

// M^-1 J': the change of the joint velocities per impulse; columns are tangential and normal.
// [M11, eq. (2.4)-(2.5)]
[[nodiscard]] Mat2 calc_collision_matrix(const PlanarMechanism& mechanism);

// The data of the impact laws for the mechanism with joint velocities u (rad/s). Slip within
// rounding is set to zero, so that a contact that sticks from the start is recognised.
[[nodiscard]] PlanarContact make_planar_contact(const PlanarMechanism& mechanism, const Vec2& u);

}  // namespace tenpin::impact
