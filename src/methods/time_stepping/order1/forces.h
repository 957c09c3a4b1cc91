// The smooth forces of a step of first order.
#pragma once

#include <vector>

#include "dynamics/kinematics.h"
#include "methods/time_stepping/core/step_setup.h"
#include "methods/time_stepping/order1/step_values.h"

namespace tenpin::methods::time_stepping::order1 {

// Computes StepForces. Reuses its buffers between calls.
class ForceStage {
 public:
  // Computes all forces at the start of a step, assuming that no motor is at its limit yet.
  void begin(const StepSetup& setup, const StepStart& start, StepForces* forces);
  // Computes joint forces, the mass matrix and motors within their limits again, after `outside` or
  // `motor` changed.
  void apply(const StepSetup& setup, const StepStart& start, StepForces* forces);
  // Sets v_free: the velocity after all impulses except contact, with loops closed.
  void update_free_velocity(const StepSetup& setup, const StepStart& start, StepForces* forces);
  // Sets motors that would exceed their limits at velocities v to their limits. Returns true if
  // there are any.
  [[nodiscard]] static bool limit_motors(const StepSetup& setup, const StepStart& start,
                                         const VecX& v, std::vector<double>* motor);
  // By body: accelerations at the start with all forces except contact.
  const std::vector<dynamics::Twist>& calc_accelerations(const StepSetup& setup,
                                                         const StepStart& start,
                                                         const StepForces& forces);

 private:
  static void set_joint_forces(const StepSetup& setup, const StepStart& start, StepForces* forces);

  std::vector<dynamics::Wrench> wrenches_;  // by body: scratch
  VecX f_, v_dot_, loop_rates_;             // scratch
  std::vector<dynamics::Twist> A_;          // by body: result of calc_accelerations()
};

}  // namespace tenpin::methods::time_stepping::order1
