// How long two shapes in free flight certainly stay apart.   [MC95, §Time of impact estimator]
//   paper       here            meaning
//   d, d-hat    gap, normal     distance of the closest points, and its direction
//   r           radius          farthest point of the shape from the body's centre of mass
//   omega_max   spin_bound      upper bound of the angular velocity
// Beyond the paper: the plane across the closest points stays between convex shapes until the
// supports of the two along the normal meet. The speed of a support is bounded, to second order in
// time, by the points that can reach the plane instead of by the farthest one. So a spinning ball,
// or a block that rocks on its edge, does not count as approaching.
#pragma once

#include "collide/core.h"
#include "math/pose.h"

namespace tenpin::collide {

// A body in free flight: its centre of mass moves on a parabola, and it rotates without torque.
struct BallisticMotion {
  Vec3 center = Vec3::Zero();        // m       centre of mass now
  Vec3 velocity = Vec3::Zero();      // m/s     of the centre of mass
  Vec3 acceleration = Vec3::Zero();  // m/s^2   of the centre of mass, constant
  double unsteadiness = 0.0;         // m/s^2   bound on any further acceleration, in any direction
  Vec3 spin = Vec3::Zero();          // rad/s   now
  double spin_bound = 0.0;           // rad/s   upper bound of |spin|
  double spin_rate_bound = 0.0;      // rad/s^2 upper bound of its rate of change
};

// A convex part of the body. Holds references to its arguments.
struct MovingShape {
  const Core* core = nullptr;  // null for a plane, which must not move
  const Pose& X_WS;
  const BallisticMotion& motion;
  double radius = 0.0;  // m   farthest point of the core from the centre of mass
  int start = 0;        // vertex where walks on its mesh start; it faces the other shape
};

// An upper bound of the angular velocity in free flight, from the constant magnitude of the angular
// momentum. w_P is along the principal axes.   [MC95, §Time of impact estimator]
[[nodiscard]] double calc_spin_bound(const Vec3& moments, const Vec3& w_P);
// An upper bound of the rate of change of the angular velocity, from Euler's equations.
[[nodiscard]] double calc_spin_rate_bound(const Vec3& moments, double spin_bound);

// The paper's bound: the first time at which the gap could close if every point moved as fast as
// the fastest one. Infinite if it never does.   [MC95, §Time of impact estimator]
[[nodiscard]] double calc_radial_bound(const MovingShape& A, const MovingShape& B,
                                       const Vec3& normal, double gap);

// A plane that separates the shapes now: its unit normal from A to B and the distance along it.
struct SeparatingPlane {
  Vec3 normal = Vec3::UnitZ();  // -
  double gap = 0.0;             // m
};

// s   A time, at most `horizon`, until which the shapes stay more than `goal` apart; goal < gap.
// Never later than the true time.
[[nodiscard]] double calc_time_of_impact_bound(const MovingShape& A, const MovingShape& B,
                                               const SeparatingPlane& plane, double goal,
                                               double horizon);

// s   The first time at which a gap that changes by `rate` (m/s) could close, if the rate changes
// by at most `unsteadiness` (m/s^2).
[[nodiscard]] double calc_closing_time(double gap, double rate, double unsteadiness);

// m   The separation of two shapes along a direction: a lower bound of their distance.
[[nodiscard]] double calc_separation_along(const MovingShape& A, const MovingShape& B,
                                           const Vec3& normal);

}  // namespace tenpin::collide
