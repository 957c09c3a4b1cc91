#include "dynamics/joint_forces.h"

#include <algorithm>

#include "math/rotation.h"
#include "math/trig.h"

namespace tenpin::dynamics {

namespace {

// The deflection of coordinate k from the rest position of its spring; for a ball joint, along its
// rotation vector.
double calc_stretch(const Joint& joint, int k, ConstVecRef q) {
  const int i = joint.q_begin;
  if (joint.type != JointType::kBall) return q[i + k] - joint.forces.rest;
  return log_map(Quat(q[i], q[i + 1], q[i + 2], q[i + 3]))[k];
}

double calc_target_rate(const Motor& motor, double t) {
  const double along_curve = motor.curve.rate(0, t);
  if (motor.amplitude == 0.0) return along_curve;
  const double rate = 2.0 * kPi * motor.frequency;
  return along_curve + motor.amplitude * rate * sin_cos(rate * t).cos;
}

// The motor's force at a coordinate and a rate, before its limit.
double calc_drive(const Motor& motor, double q, double v, double t) {
  if (!motor.is_on(t)) return 0.0;
  switch (motor.kind) {
    case Motor::Kind::kNone:
      return 0.0;
    case Motor::Kind::kForce:
      return calc_target(motor, t);
    case Motor::Kind::kVelocity:
      return motor.damping * (calc_target(motor, t) - v);
    case Motor::Kind::kPosition:
      return motor.stiffness * (calc_target(motor, t) - q) +
             motor.damping * (calc_target_rate(motor, t) - v);
  }
  return 0.0;
}

bool is_sprung(const Joint& joint) {
  return joint.type != JointType::kFree && joint.forces.stiffness > 0.0;
}

}  // namespace

JointLoad calc_joint_load(const Joint& joint, int k, ConstVecRef q, ConstVecRef v, double t) {
  const JointForces& f = joint.forces;
  const double rate = v[joint.v_begin + k];
  JointLoad load{.spring = 0.0, .other = -f.damping * rate};
  if (f.applied[k] != 0.0) load.other += f.applied[k];
  if (f.stiffness > 0.0) load.spring = -f.stiffness * calc_stretch(joint, k, q);
  if (f.motor.kind != Motor::Kind::kNone) {
    const double drive = calc_drive(f.motor, q[joint.q_begin + k], rate, t);
    load.other += std::clamp(drive, -f.motor.limit, f.motor.limit);
  }
  return load;
}

ImplicitLoad calc_passive_load(const Joint& joint, int k, ConstVecRef q, ConstVecRef v, double h) {
  const JointForces& f = joint.forces;
  const double rate = v[joint.v_begin + k];
  ImplicitLoad load;
  load.slope = {.spring = h * f.stiffness, .other = f.damping};
  load.at_start.other = -f.damping * rate;
  if (f.applied[k] != 0.0) load.at_start.other += f.applied[k];
  if (f.stiffness > 0.0) {
    load.at_start.spring = -f.stiffness * (calc_stretch(joint, k, q) + h * rate);
  }
  return load;
}

ImplicitLoad calc_implicit_load(const Joint& joint, int k, ConstVecRef q, ConstVecRef v,
                                const StepTime& step) {
  const Motor& motor = joint.forces.motor;
  ImplicitLoad load = calc_passive_load(joint, k, q, v, step.h);
  if (motor.kind == Motor::Kind::kNone || !motor.is_on(step.t + step.h)) return load;
  load.at_start.other += calc_motor_force(joint, q, v[joint.v_begin + k], step.t, step.h);
  const bool follows = motor.kind != Motor::Kind::kForce;
  if (follows) load.slope.other += motor.damping + step.h * motor.stiffness;
  return load;
}

double calc_motor_force(const Joint& joint, ConstVecRef q, double v_end, double t, double h) {
  return calc_drive(joint.forces.motor, q[joint.q_begin] + h * v_end, v_end, t + h);
}

double calc_spring_energy(const Model& model, ConstVecRef q) {
  double twice = 0.0;
  for (const Body& body : model.bodies) {
    if (!is_sprung(body.joint)) continue;
    for (int k = 0; k < num_velocities(body.joint.type); ++k) {
      const double stretch = calc_stretch(body.joint, k, q);
      twice += body.joint.forces.stiffness * stretch * stretch;
    }
  }
  return 0.5 * twice;
}

bool has_joint_forces(const Joint& joint) {
  const JointForces& f = joint.forces;
  return f.stiffness > 0.0 || f.damping > 0.0 || f.motor.kind != Motor::Kind::kNone ||
         !f.applied.isZero(0.0);
}

}  // namespace tenpin::dynamics
