// Generalised forces other than contact forces.
#pragma once

#include <vector>

#include "dynamics/articulated.h"
#include "dynamics/joint_forces.h"
#include "dynamics/kinematics.h"
#include "dynamics/model.h"

namespace tenpin::dynamics {

// Adds a force (N) and a torque (N m) at the centre of mass of a loose body, in world axes, to f
// (nv).
void add_wrench(const Body& body, const Vec3& force, const Vec3& torque, VecRef f);

// The sum of the scene's forces that act on a body at a time, including those that events have set.
[[nodiscard]] ForceTerms calc_force_terms(const Body& body, double t);

// Is the force on the body constant from time t to the next jump of a force? Otherwise it depends
// on the body's velocity, or follows a curve over time.
[[nodiscard]] bool has_constant_force(const Body& body, double t);
// Does the loose body fly on a parabola with torque-free rotation from time t to the next jump of a
// force?
[[nodiscard]] bool has_closed_flight(const Body& body, double t);

// The scene's constant, viscous and drag forces on a body with that twist. Resistance is evaluated
// implicitly, after it has acted alone for h seconds: c v / (1 + h c / m). So any coefficient is
// stable; h = 0 gives the force itself. Forces that change with time are evaluated at time t.
[[nodiscard]] Wrench calc_applied_wrench(const Body& body, const Twist& V_WB, double t, double h);

// N, N m   Sets f (nv) to the weights. `scratch` holds one wrench per body.
void calc_gravity(const Model& model, const std::vector<Pose>& X_WB, std::vector<Wrench>* scratch,
                  VecRef f, const Workers* workers = nullptr);
// N, N m   Sets f (nv) to all other external forces on the bodies at step.t: k of [ST00, eq. (1)]
// without gravity and without the velocity terms, which free flight integrates.
void calc_applied(const Model& model, const std::vector<Pose>& X_WB, const std::vector<Twist>& V_WB,
                  const StepTime& step, std::vector<Wrench>* scratch, VecRef f);

}  // namespace tenpin::dynamics
