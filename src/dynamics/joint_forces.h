// Smooth forces inside joints: springs, damping, motors.
#pragma once

#include "dynamics/joint_motion.h"
#include "dynamics/model.h"

namespace tenpin::dynamics {

// The forces of a joint, split into a part that stores energy and a part that does not.
struct JointLoad {
  double spring = 0.0;  // N m, N
  double other = 0.0;   // N m, N   damping and motor
};

// The forces on velocity k of a joint at (q, v, t).
[[nodiscard]] JointLoad calc_joint_load(const Joint& joint, int k, ConstVecRef q, ConstVecRef v,
                                        double t);

// The same, evaluated at the end of a step of h seconds that moves the joint from q with velocity
// v_end: load = at_start - slope (v_end - v). So the step is stable for any stiffness.
struct StepTime {
  double t = 0.0;  // s   at the start
  double h = 0.0;  // s
};
struct ImplicitLoad {
  JointLoad at_start;
  JointLoad slope;  // N m s, N s
};
[[nodiscard]] ImplicitLoad calc_implicit_load(const Joint& joint, int k, ConstVecRef q,
                                              ConstVecRef v, const StepTime& step);
// The load without the motor.
[[nodiscard]] ImplicitLoad calc_passive_load(const Joint& joint, int k, ConstVecRef q,
                                             ConstVecRef v, double h);
// The motor's force at the end of the step, before its limit.
[[nodiscard]] double calc_motor_force(const Joint& joint, ConstVecRef q, double v_end, double t,
                                      double h);

// J   Energy stored in the springs of all joints.
[[nodiscard]] double calc_spring_energy(const Model& model, ConstVecRef q);

[[nodiscard]] bool has_joint_forces(const Joint& joint);

}  // namespace tenpin::dynamics
