// The motions of all bodies of a state, in the terms of the scene.
#pragma once

#include <vector>

#include "dynamics/kinematics.h"
#include "dynamics/model.h"
#include "dynamics/state.h"
#include "record/run_writer.h"

namespace tenpin::lab {

// Reads the motions of states. The model must outlive it. Reuses its buffers between calls.
class MotionReader {
 public:
  explicit MotionReader(const dynamics::Model& model) : model_(&model) {}

  // Returns the motions by body; valid until the next call.
  const std::vector<record::BodyMotion>& read(const dynamics::State& state);

 private:
  const dynamics::Model* model_;
  std::vector<Pose> X_WB_;
  std::vector<dynamics::Twist> V_WB_;
  std::vector<record::BodyMotion> motions_;
};

}  // namespace tenpin::lab
