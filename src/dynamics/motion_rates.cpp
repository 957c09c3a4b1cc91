#include "dynamics/motion_rates.h"

#include "dynamics/forces.h"
#include "dynamics/joint_forces.h"
#include "dynamics/joint_motion.h"
#include "dynamics/prescribed.h"

namespace tenpin::dynamics {

MotionRates::MotionRates(const Model& model)
    : model_(&model),
      q_(VecX::Zero(model.nq)),
      v_(VecX::Zero(model.nv)),
      q_dot_(VecX::Zero(model.nq)),
      v_dot_(VecX::Zero(model.nv)),
      f_(VecX::Zero(model.nv)),
      zero_(VecX::Zero(model.nv)),
      X_WB_(model.bodies.size()),
      V_WB_(model.bodies.size()),
      A_WB_(model.bodies.size()),
      V_drive_(model.bodies.size()),
      A_full_(model.bodies.size()),
      wrenches_(model.bodies.size()) {}

// The forces on the bodies and their power at (q_, v_).
MotionRates::Power MotionRates::add_forces(const Mechanism& mechanism, SmoothForces forces,
                                           double t) {
  Power power;
  for (const int i : mechanism.bodies) {
    const Body& body = model_->bodies[i];
    const Vec3 weight = body.mass * model_->gravity;
    power.potential += weight.dot(V_WB_[i].v);
    for (int k = 0; k < num_velocities(body.joint.type) && has_joint_forces(body.joint); ++k) {
      const JointLoad load = calc_joint_load(body.joint, k, q_, v_, t);
      const double rate = v_[body.joint.v_begin + k];
      if (body.joint.type != JointType::kBall) power.potential += load.spring * rate;
      if (forces == SmoothForces::kNone) continue;
      power.applied += load.other * rate;
      f_[body.joint.v_begin + k] += load.spring + load.other;
    }
    if (forces == SmoothForces::kNone) continue;
    const Wrench applied = calc_applied_wrench(body, V_WB_[i], t, 0.0);
    power.applied += applied.force.dot(V_WB_[i].v) + applied.torque.dot(V_WB_[i].w);
    wrenches_[i].force += weight + applied.force;
    wrenches_[i].torque += applied.torque;
  }
  return power;
}

double MotionRates::calc_driving_power(const Mechanism& m, SmoothForces forces, double t) {
  if (!is_driven(*model_, m)) return 0.0;
  update_twists(*model_, m, X_WB_, zero_, t, &V_drive_);
  update_accelerations(*model_, m, {X_WB_, V_WB_, v_, v_dot_, t}, &A_full_);
  return calc_prescribed_power(
      *model_, m, {.X_WB = X_WB_, .V_WB = V_WB_, .A_WB = A_full_, .V_drive = V_drive_, .t = t},
      forces == SmoothForces::kAll);
}

// The equations of motion, solved for the accelerations.
void MotionRates::calc(const Mechanism& m, SmoothForces forces, double t, const VecX& y,
                       VecX* rate) {
  q_.segment(m.q_begin, m.nq) = y.head(m.nq);
  v_.segment(m.v_begin, m.nv) = y.segment(m.nq, m.nv);
  update_poses(*model_, m, q_, t, &X_WB_);
  update_twists(*model_, m, X_WB_, v_, t, &V_WB_);
  update_accelerations(*model_, m, {X_WB_, V_WB_, v_, zero_, t}, &A_WB_);
  f_.segment(m.v_begin, m.nv).setZero();
  for (const int i : m.bodies) {
    const Mat3 I = calc_world_inertia(model_->bodies[i], X_WB_[i]);
    const Vec3& w = V_WB_[i].w;
    wrenches_[i] = {.force = -model_->bodies[i].mass * A_WB_[i].v,
                    .torque = -(I * A_WB_[i].w + w.cross(I * w))};
  }
  const Power power = add_forces(m, forces, t);
  add_generalized_forces(*model_, m, X_WB_, &wrenches_, f_);
  inverse_.update(*model_, m, X_WB_, q_, zero_);
  inverse_.solve(f_.data() + m.v_begin, v_dot_.data() + m.v_begin);
  if (!m.loops.empty()) {
    // The solve leaves phi_dot constant to first order; this removes the velocity terms of its
    // change.
    inverse_.loops().calc_accelerations(V_WB_, A_WB_, v_, zero_, &loop_accelerations_);
    inverse_.close_rates(loop_accelerations_, v_dot_.segment(m.v_begin, m.nv));
  }
  for (const int i : m.bodies) {
    const Joint& joint = model_->bodies[i].joint;
    if (num_velocities(joint.type) > 0) calc_rates(joint, q_, v_, q_dot_);
  }
  rate->resize(y.size());
  *rate << q_dot_.segment(m.q_begin, m.nq), v_dot_.segment(m.v_begin, m.nv), power.potential,
      power.applied, calc_driving_power(m, forces, t);
}

}  // namespace tenpin::dynamics
