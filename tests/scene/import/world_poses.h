// Where the bodies of a scene are at time 0, by walking its joints: independent of scene::build.
#pragma once

#include <vector>

#include "math/pose.h"
#include "math/rotation.h"
#include "scene/scene.h"

namespace tenpin::scene {

inline std::vector<Pose> world_poses(const Scene& scene) {
  std::vector<Pose> poses;
  for (const Body& body : scene.bodies) {
    const JointProperties& p = body.properties;
    const Pose parent =
        body.parent == kWorld ? Pose{} : poses[static_cast<std::size_t>(body.parent)];
    Pose X_WB = parent * Pose{.R = to_matrix(body.orientation), .p = body.position};
    Mat3 turn = Mat3::Identity();
    if (body.joint == JointKind::kHinge) {
      turn = to_matrix(exp_map(p.axis * p.at));
    } else if (body.joint == JointKind::kBall) {
      turn = X_WB.R.transpose() * parent.R * to_matrix(p.ball_at) * parent.R.transpose() * X_WB.R;
    } else if (body.joint == JointKind::kSlider) {
      X_WB.p += X_WB.R * p.axis * p.at;
    }
    X_WB.p += X_WB.R * (p.anchor - turn * p.anchor);
    X_WB.R = X_WB.R * turn;
    poses.push_back(X_WB);
  }
  return poses;
}

}  // namespace tenpin::scene
