#include "dynamics/prescribed.h"

#include <algorithm>

#include "dynamics/articulated.h"
#include "dynamics/forces.h"
#include "math/rotation.h"

namespace tenpin::dynamics {

void begin_motion(double t, const ConstantMotion& motion, Body* body) {
  const Pose X_PB = calc_joint_pose(*body, VecX(), t);
  const Vec3 pivot = body->motion.pivot;
  const bool is_at_start =
      t == 0.0 && body->motion.displacement.empty() && body->motion.angle.empty();
  body->motion = {.velocity = motion.velocity, .angular_velocity = motion.angular_velocity};
  body->motion.pivot = pivot;
  if (is_at_start) return;
  const Vec3 origin = X_PB * body->p_BO;
  const Mat3 back = to_matrix(exp_map(-motion.angular_velocity * t));
  body->motion.pivot = origin - motion.velocity * t;
  body->joint.X_PJ.R = to_matrix(to_quaternion(back * X_PB.R));
  body->joint.X_PJ.p = body->motion.pivot + back * (X_PB.p - origin);
}

bool is_driven(const Model& model, const Mechanism& mechanism) {
  const auto is_prescribed = [&](int i) {
    return model.bodies[i].joint.type == JointType::kPrescribed;
  };
  return std::any_of(mechanism.bases.begin(), mechanism.bases.end(), is_prescribed) ||
         std::any_of(mechanism.bodies.begin(), mechanism.bodies.end(), is_prescribed);
}

double calc_prescribed_power(const Model& model, const Mechanism& mechanism,
                             const DrivenMotion& motion, bool with_forces) {
  double power = 0.0;
  for (const int i : mechanism.bodies) {
    const Body& body = model.bodies[i];
    const Mat3 I = calc_world_inertia(body, motion.X_WB[i]);
    const Vec3& w = motion.V_WB[i].w;
    Vec3 force = body.mass * motion.A_WB[i].v;
    Vec3 torque = I * motion.A_WB[i].w + w.cross(I * w);
    if (with_forces) {
      const Wrench applied = calc_applied_wrench(body, motion.V_WB[i], motion.t, 0.0);
      force -= body.mass * model.gravity + applied.force;
      torque -= applied.torque;
    }
    power += force.dot(motion.V_drive[i].v) + torque.dot(motion.V_drive[i].w);
  }
  return power;
}

double calc_prescribed_work(const Model& model, const Mechanism& mechanism,
                            const std::vector<Pose>& X_WB, const std::vector<Twist>& before,
                            const std::vector<Twist>& after, const std::vector<Twist>& V_drive) {
  double work = 0.0;
  for (const int i : mechanism.bodies) {
    const Body& body = model.bodies[i];
    const Vec3 dw = after[i].w - before[i].w;
    work += body.mass * V_drive[i].v.dot(after[i].v - before[i].v) +
            V_drive[i].w.dot(calc_world_inertia(body, X_WB[i]) * dw);
  }
  return work;
}

}  // namespace tenpin::dynamics
