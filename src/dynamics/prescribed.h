// The work of prescribed motion on the mechanisms attached to it.
#pragma once

#include <vector>

#include "dynamics/kinematics.h"
#include "dynamics/model.h"

namespace tenpin::dynamics {

// Constant velocities in the parent's axes.
struct ConstantMotion {
  Vec3 velocity = Vec3::Zero();          // m/s
  Vec3 angular_velocity = Vec3::Zero();  // rad/s
};

// Replaces the prescribed motion of a body from time t on. Its pose does not jump.
void begin_motion(double t, const ConstantMotion& motion, Body* body);

// True if the mechanism is attached to a body with prescribed motion, or contains a joint with
// prescribed motion.
[[nodiscard]] bool is_driven(const Model& model, const Mechanism& mechanism);

// Poses and motion of all bodies of the model.
struct DrivenMotion {
  const std::vector<Pose>& X_WB;
  const std::vector<Twist>& V_WB;
  const std::vector<Twist>& A_WB;     // accelerations, including those of the joints
  const std::vector<Twist>& V_drive;  // twists at v = 0: prescribed motion with all joints fixed
  double t = 0.0;                     // s
};

// W   Power that prescribed motion transmits. By d'Alembert's principle, the inertia of the bodies
// and the forces on them do no work in any motion of the joints. Their work in the motion V_drive
// is what prescribed motion transmits. The forces are gravity and those that the scene applies;
// contacts are not included. Loops that connect the mechanism to a body with another prescribed
// motion also transmit work, which is not counted here.
[[nodiscard]] double calc_prescribed_power(const Model& model, const Mechanism& mechanism,
                                           const DrivenMotion& motion, bool with_forces);

// J   The same for an impulse that changes the twists from `before` to `after`.
[[nodiscard]] double calc_prescribed_work(const Model& model, const Mechanism& mechanism,
                                          const std::vector<Pose>& X_WB,
                                          const std::vector<Twist>& before,
                                          const std::vector<Twist>& after,
                                          const std::vector<Twist>& V_drive);

}  // namespace tenpin::dynamics
