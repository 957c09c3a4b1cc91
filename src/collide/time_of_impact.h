// How long two shapes in free flight certainly stay apart.   [MC95, §Time of impact estimator]
//   paper       here            meaning
//   d, d-hat    gap, normal     distance of the closest points, and its direction
//   r           radius          farthest point of the shape from the body's centre of mass
//   omega_max   spin_bound      the body never turns faster
// Ours: the plane across the closest points stays between convex shapes until the support of one
// of them along the normal meets that of the other. How fast supports move is bounded by the points
// that can matter, not by the farthest one, and to second order in time. So a ball that spins, or a
// block that rocks on its edge, is not taken to approach.
#pragma once

#include "collide/core.h"
#include "math/pose.h"

namespace tenpin::collide {

// A body that flies: its centre of mass on a parabola, turning without torque.
struct BallisticMotion {
  Vec3 center = Vec3::Zero();        // m       centre of mass now
  Vec3 velocity = Vec3::Zero();      // m/s     of it
  Vec3 acceleration = Vec3::Zero();  // m/s^2   of it, constant
  double unsteadiness = 0.0;         // m/s^2   what else its acceleration may be, in any direction
  Vec3 spin = Vec3::Zero();          // rad/s   now
  double spin_bound = 0.0;           // rad/s   |spin| stays below
  double spin_rate_bound = 0.0;      // rad/s^2 so does its rate of change
};

// A convex piece of it. Refers to its arguments.
struct MovingShape {
  const Core* core = nullptr;  // null for a plane, which must not move
  const Pose& X_WS;
  const BallisticMotion& motion;
  double radius = 0.0;  // m   farthest point of the core from the centre of mass
  int start = 0;        // vertex where walks on its mesh begin: one that faces the other shape
};

// The largest angular velocity that a body can come to in free flight: its angular momentum keeps
// its size. Principal axes.   [MC95, §Time of impact estimator]
[[nodiscard]] double calc_spin_bound(const Vec3& moments, const Vec3& w_P);
// And the largest rate of change of its angular velocity, from Euler's equations.
[[nodiscard]] double calc_spin_rate_bound(const Vec3& moments, double spin_bound);

// The paper's bound: the first time at which the gap could be closed if every point moved as the
// fastest one does. Infinite if it never is.   [MC95, §Time of impact estimator]
[[nodiscard]] double calc_radial_bound(const MovingShape& A, const MovingShape& B,
                                       const Vec3& normal, double gap);

// What separates the shapes now: a unit normal from A to B and the distance along it.
struct SeparatingPlane {
  Vec3 normal = Vec3::UnitZ();  // -
  double gap = 0.0;             // m
};

// s   A time, at most `horizon`, before which the shapes stay more than `goal` apart; goal < gap.
// Never above the true time.
[[nodiscard]] double calc_time_of_impact_bound(const MovingShape& A, const MovingShape& B,
                                               const SeparatingPlane& plane, double goal,
                                               double horizon);

// s   The first time at which a gap that changes by `rate` (m/s) could be closed, if that changes
// by no more than `unsteadiness` (m/s^2) per time.
[[nodiscard]] double calc_closing_time(double gap, double rate, double unsteadiness);

// m   The distance of two shapes along a direction: a lower bound of their distance.
[[nodiscard]] double calc_separation_along(const MovingShape& A, const MovingShape& B,
                                           const Vec3& normal);

}  // namespace tenpin::collide
