#include "lab/motions.h"

#include "math/rotation.h"

namespace tenpin::lab {

const std::vector<record::BodyMotion>& MotionReader::read(const dynamics::State& state) {
  motions_.resize(model_->bodies.size());
  update_poses(*model_, state.q, state.t, &X_WB_);
  update_twists(*model_, X_WB_, state.v, state.t, &V_WB_);
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const Vec3 r = X_WB_[i].R * model_->bodies[i].p_BO;
    motions_[i] = {.position = X_WB_[i].p + r,
                   .orientation = to_quaternion(X_WB_[i].R),
                   .velocity = V_WB_[i].at(r),
                   .angular_velocity = V_WB_[i].w};
  }
  return motions_;
}

}  // namespace tenpin::lab
