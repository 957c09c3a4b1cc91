// What prescribed motion does to the mechanisms that hang from it.
#pragma once

#include <vector>

#include "dynamics/kinematics.h"
#include "dynamics/model.h"

namespace tenpin::dynamics {

// Whether the mechanism hangs from a body that moves as prescribed, or has such a joint.
[[nodiscard]] bool is_driven(const Model& model, const Mechanism& mechanism);

// Where bodies are and how they move; of the model's size.
struct DrivenMotion {
  const std::vector<Pose>& X_WB;
  const std::vector<Twist>& V_WB;
  const std::vector<Twist>& A_WB;     // accelerations, with those of the joints
  const std::vector<Twist>& V_drive;  // twists at v = 0: prescribed motion with all joints held
};

// W   By d'Alembert, the bodies' inertia and the forces on them do no work in any motion of the
// joints. In the motion V_drive their work is what prescribed motion passes on. Forces are gravity
// and what the scene applies; contacts are not among them. Loops that tie the mechanism to a body
// that moves in another way pass on work, too, which is not counted here.
[[nodiscard]] double calc_prescribed_power(const Model& model, const Mechanism& mechanism,
                                           const DrivenMotion& motion, bool with_forces);

// J   The same at an impulse that changes the twists from `before` to `after`.
[[nodiscard]] double calc_prescribed_work(const Model& model, const Mechanism& mechanism,
                                          const std::vector<Pose>& X_WB,
                                          const std::vector<Twist>& before,
                                          const std::vector<Twist>& after,
                                          const std::vector<Twist>& V_drive);

}  // namespace tenpin::dynamics
