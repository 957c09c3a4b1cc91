// Generalized forces that do not come from contact.
#pragma once

#include <vector>

#include "dynamics/kinematics.h"
#include "dynamics/model.h"

namespace tenpin::dynamics {

// Adds a force (N) and a torque (N m) at the centre of mass of a body, world axes, to f (nv).
void add_wrench(const Body& body, const Vec3& force, const Vec3& torque, VecRef f);

// f = the weights.   N, N m   (nv)
void calc_gravity(const Model& model, VecRef f);

// f = everything else that acts on the bodies: the constant, viscous and drag forces of the scene
// at the given twists.   k of [ST00, eq. (1)] without gravity and without the gyroscopic terms,
// which drift() integrates exactly. Resistance is taken where it will be after h seconds of it
// alone, c v / (1 + h c / m), so that no coefficient is too large for the step.
void calc_applied(const Model& model, const std::vector<Twist>& V_WB, double h, VecRef f);

}  // namespace tenpin::dynamics
