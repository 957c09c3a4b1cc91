#include "methods/time_stepping/order1/forces.h"

#include <cmath>

#include "dynamics/forces.h"
#include "dynamics/joint_forces.h"

namespace tenpin::methods::time_stepping::order1 {

void ForceStage::begin(const StepSetup& setup, const StepStart& start, StepForces* forces) {
  const dynamics::Model& model = *setup.model;
  forces->gravity.resize(model.nv);
  forces->outside.setZero(model.nv);
  dynamics::calc_gravity(model, start.motion.X, &wrenches_, forces->gravity, setup.workers);
  forces->gravity *= start.h;
  if (setup.is_pushed) {
    const dynamics::StepTime middle{.t = start.t + 0.5 * start.h, .h = start.h};
    dynamics::calc_applied(model, start.motion.X, start.motion.V, middle, &wrenches_,
                           forces->outside);
    forces->outside *= start.h;
  }
  forces->motor.assign(model.bodies.size(), 0.0);
  apply(setup, start, forces);
}

// Springs, damping and servos act at the velocity after the step: the decrease of the force per
// change of velocity acts like mass on the joint's own diagonal entry.
void ForceStage::set_joint_forces(const StepSetup& setup, const StepStart& start,
                                  StepForces* forces) {
  const dynamics::Model& model = *setup.model;
  const double h = start.h;
  forces->joint_spring.setZero(model.nv);
  forces->slope_spring.setZero(model.nv);
  forces->slope.setZero(model.nv);
  for (const int i : model.jointed) {
    const dynamics::Joint& joint = model.bodies[i].joint;
    if (!has_joint_forces(joint)) continue;
    for (int k = 0; k < num_velocities(joint.type); ++k) {
      const int iv = joint.v_begin + k;
      const bool is_limited = forces->motor[i] != 0.0;
      const dynamics::ImplicitLoad load =
          is_limited ? calc_passive_load(joint, k, start.q, start.v, h)
                     : calc_implicit_load(joint, k, start.q, start.v, {.t = start.t, .h = h});
      forces->joint_spring[iv] = h * load.at_start.spring;
      forces->applied[iv] += h * (load.at_start.spring + load.at_start.other);
      forces->slope_spring[iv] = h * load.slope.spring;
      forces->slope[iv] = h * (load.slope.spring + load.slope.other);
      forces->applied[iv] += h * forces->motor[i];
    }
  }
}

bool ForceStage::limit_motors(const StepSetup& setup, const StepStart& start, const VecX& v,
                              std::vector<double>* motor) {
  bool any = false;
  for (const int i : setup.limited_motors) {
    const dynamics::Joint& joint = setup.model->bodies[i].joint;
    const double limit = joint.forces.motor.limit;
    if ((*motor)[i] != 0.0) continue;
    const double drive = calc_motor_force(joint, start.q, v[joint.v_begin], start.t, start.h);
    if (std::fabs(drive) <= limit) continue;
    (*motor)[i] = std::copysign(limit, drive);
    any = true;
  }
  return any;
}

void ForceStage::apply(const StepSetup& setup, const StepStart& start, StepForces* forces) {
  do {
    forces->applied = forces->outside;
    set_joint_forces(setup, start, forces);
    forces->M.update(*setup.model, start.motion.X, start.q, forces->slope);
    if (!setup.limited_motors.empty()) update_free_velocity(setup, start, forces);
  } while (limit_motors(setup, start, forces->v_free, &forces->motor));
}

void ForceStage::update_free_velocity(const StepSetup& setup, const StepStart& start,
                                      StepForces* forces) {
  const dynamics::Model& model = *setup.model;
  VecX& v = forces->v_free;
  v.resize(model.nv);
  f_.resize(model.nv);
  setup.workers->split(model.nv, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) f_[k] = forces->gravity[k] + forces->applied[k];
  });
  forces->M.solve(model, f_, v);
  setup.workers->split(model.nv, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) v[k] += start.v[k];
  });
  for (int m = 0; setup.has_loops && m < model.num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model.mechanisms[m];
    if (mechanism.loops.empty()) continue;
    const dynamics::MechanismInverse& inverse = forces->M.inverse(m);
    inverse.loops().calc_rates(start.motion.V, start.v, &loop_rates_);
    inverse.close_rates(loop_rates_, v.segment(mechanism.v_begin, mechanism.nv));
  }
}

const std::vector<dynamics::Twist>& ForceStage::calc_accelerations(const StepSetup& setup,
                                                                   const StepStart& start,
                                                                   const StepForces& forces) {
  const dynamics::Model& model = *setup.model;
  const std::vector<Pose>& X = start.motion.X;
  const std::vector<dynamics::Twist>& V = start.motion.V;
  update_accelerations(model, {X, V, start.v, setup.zero, start.t}, &A_, setup.workers);
  f_.resize(model.nv);
  setup.workers->split(model.nv, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) f_[k] = -(forces.gravity[k] + forces.applied[k]) / start.h;
  });
  wrenches_.resize(model.bodies.size());
  setup.workers->split(model.num_mechanisms(), [&](int begin, int end) {
    for (int m = begin; m < end; ++m) {
      add_inverse_dynamics(model, model.mechanisms[m], {.X_WB = X, .V_WB = V, .A_WB = A_},
                           setup.zero, &wrenches_, f_);
    }
  });
  v_dot_.resize(model.nv);
  f_ = -f_;
  forces.M.solve(model, f_, v_dot_);
  for (int m = 0; setup.has_loops && m < model.num_mechanisms(); ++m) {
    const dynamics::Mechanism& mechanism = model.mechanisms[m];
    if (mechanism.loops.empty()) continue;
    // The solve keeps phi_dot constant; velocity terms still change it.
    const dynamics::MechanismInverse& inverse = forces.M.inverse(m);
    inverse.loops().calc_accelerations(V, A_, start.v, setup.zero, &loop_rates_);
    inverse.close_rates(loop_rates_, v_dot_.segment(mechanism.v_begin, mechanism.nv));
  }
  update_accelerations(model, {X, V, start.v, v_dot_, start.t}, &A_, setup.workers);
  return A_;
}

}  // namespace tenpin::methods::time_stepping::order1
