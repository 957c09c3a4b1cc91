// Where the bodies are and how they move, and where they go.
#pragma once

#include <vector>

#include "dynamics/model.h"
#include "dynamics/state.h"
#include "math/pose.h"

namespace tenpin::dynamics {

// Velocity of a body: of its centre of mass, and its turning. World axes.
struct Twist {
  Vec3 v = Vec3::Zero();  // m/s
  Vec3 w = Vec3::Zero();  // rad/s

  Vec3 at(const Vec3& r) const { return v + w.cross(r); }  // r from the centre of mass
};

// Pose and twist of body B of `model` at coordinates q, velocities v and time t.
[[nodiscard]] Pose calc_pose(const Model& model, int body, ConstVecRef q, double t);
[[nodiscard]] Twist calc_twist(const Model& model, int body, ConstVecRef v, double t);

// All of them. The vectors are resized once and reused.
void update_poses(const Model& model, ConstVecRef q, double t, std::vector<Pose>* X_WB);
void update_twists(const Model& model, ConstVecRef v, double t, std::vector<Twist>* V_WB);

// Moves every body for h seconds without force, from (q, v): positions go to *q_end and, because a
// body that turns freely changes its angular velocity, velocities to *v_end. Momentum is kept
// exactly and kinetic energy to rounding.   [ST00, eq. (14)] with exact rotation.
void drift(const Model& model, ConstVecRef q, ConstVecRef v, double h, VecX* q_end, VecX* v_end);

}  // namespace tenpin::dynamics
