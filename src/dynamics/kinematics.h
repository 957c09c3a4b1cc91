// Poses, velocities and accelerations of bodies.
#pragma once

#include <vector>

#include "base/workers.h"
#include "dynamics/joint_motion.h"
#include "dynamics/model.h"
#include "dynamics/state.h"
#include "math/pose.h"

namespace tenpin::dynamics {

// The parent's pose; the identity for the world.
[[nodiscard]] inline const Pose& parent_pose(const Body& body, const std::vector<Pose>& X_WB) {
  static const Pose identity;
  return body.joint.parent == kWorld ? identity : X_WB[body.joint.parent];
}

// Compute poses of all bodies at coordinates q, their twists at velocities v, and their
// accelerations at v and v_dot, from the roots outwards. The workers, if any, share the roots. The
// vectors are resized once and reused.
void update_poses(const Model& model, ConstVecRef q, double t, std::vector<Pose>* X_WB,
                  const Workers* workers = nullptr);
void update_twists(const Model& model, const std::vector<Pose>& X_WB, ConstVecRef v, double t,
                   std::vector<Twist>* V_WB, const Workers* workers = nullptr);
struct Motion {
  const std::vector<Pose>& X_WB;
  const std::vector<Twist>& V_WB;
  const VecX& v;
  const VecX& v_dot;
  double t;  // s
};
void update_accelerations(const Model& model, const Motion& motion, std::vector<Twist>* A_WB,
                          const Workers* workers = nullptr);

// The same for the bodies of one mechanism and its bases; the vectors must have the model's size.
void update_poses(const Model& model, const Mechanism& mechanism, ConstVecRef q, double t,
                  std::vector<Pose>* X_WB);
void update_twists(const Model& model, const Mechanism& mechanism, const std::vector<Pose>& X_WB,
                   ConstVecRef v, double t, std::vector<Twist>* V_WB);
void update_accelerations(const Model& model, const Mechanism& mechanism, const Motion& motion,
                          std::vector<Twist>* A_WB);

// The same for one body whose parent is already updated.
void update_pose(const Model& model, int body, ConstVecRef q, double t, std::vector<Pose>* X_WB);
void update_twist(const Model& model, int body, const std::vector<Pose>& X_WB, ConstVecRef v,
                  double t, std::vector<Twist>* V_WB);

// row += d/dv of (linear . velocity of the body's point at p_W + angular . its angular velocity),
// over the velocities of the body's mechanism: row[0] is the mechanism's first velocity.
struct PointDirection {
  Vec3 p_W = Vec3::Zero();      // m
  Vec3 linear = Vec3::Zero();   // -
  Vec3 angular = Vec3::Zero();  // -
};
void add_jacobian_row(const Model& model, const std::vector<Pose>& X_WB, int body,
                      const PointDirection& of, double* row);

// q_end = q displaced by dq (nv), joint by joint.
void displace(const Model& model, ConstVecRef q, ConstVecRef dq, VecRef q_end);

}  // namespace tenpin::dynamics
