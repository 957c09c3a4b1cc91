// The kinematics of one joint: how a body moves relative to its parent.
#pragma once

#include "dynamics/model.h"
#include "math/pose.h"

namespace tenpin::dynamics {

// Velocity of a body's centre of mass, and angular velocity; in world axes.
struct Twist {
  Vec3 v = Vec3::Zero();  // m/s
  Vec3 w = Vec3::Zero();  // rad/s

  Vec3 at(const Vec3& r) const { return v + w.cross(r); }  // r from the centre of mass
};

// A body's twist per unit of each velocity of its own joint, for a parent at rest: columns of (v,
// w) in world axes at the centre of mass.   S of Featherstone
using Subspace = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;

// The quaternion whose w, x, y, z start at `begin`.
[[nodiscard]] inline Quat quaternion_at(ConstVecRef q, int begin) {
  return {q[begin], q[begin + 1], q[begin + 2], q[begin + 3]};
}

// Pose of body B in its parent's frame at its own coordinates; in the world if it has no parent.
[[nodiscard]] Pose calc_joint_pose(const Body& body, ConstVecRef q, double t);

// X_WP is the parent's pose, or the identity for the world.
[[nodiscard]] Subspace calc_subspace(const Body& body, const Pose& X_WP, const Pose& X_WB);

// The motion of B relative to its parent, in world axes.
struct RelativeMotion {
  Twist V;                // its velocity
  Vec3 a = Vec3::Zero();  // m/s^2   acceleration of its centre of mass at constant joint rates
  // rad/s^2   angular acceleration at constant joint rates; from prescribed motion alone
  Vec3 alpha = Vec3::Zero();
};
[[nodiscard]] RelativeMotion calc_relative_motion(const Body& body, const Pose& X_WP,
                                                  const Pose& X_WB, ConstVecRef v, double t);

// Computes q_dot of the joint's own coordinates from v.
void calc_rates(const Joint& joint, ConstVecRef q, ConstVecRef v, VecRef q_dot);

// q_end = q displaced by dq, in the units of v, along lines and shortest rotations. dq may be
// large.
void displace(const Joint& joint, ConstVecRef q, ConstVecRef dq, VecRef q_end);

// The target of a motor at time t.
[[nodiscard]] double calc_target(const Motor& motor, double t);

}  // namespace tenpin::dynamics
