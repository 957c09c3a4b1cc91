// Converts actuators to motors of the joints that they drive.
#pragma once

#include <vector>

#include "scene/import/mjcf_tree.h"

namespace tenpin::scene::mjcf {

// The state given by a keyframe, or the reference state: coordinates, velocities, controls,
// activations.
struct Keyframe {
  std::vector<double> qpos, qvel, ctrl, act;
};

// The number of controls of the model's actuators, including those that are not used.
[[nodiscard]] int count_controls(const Element& root);

// Sets the motors of the joints, with the keyframe's constant controls. An actuator with the force
//   gear clamp(gain ctrl + bias0 + bias1 gear q + bias2 gear v)
// is a force, a velocity servo or a position servo; several on one joint add up.
void read_actuators(const Element& root, const Settings& settings, const Defaults& defaults,
                    const Keyframe& key, Tree* tree);

}  // namespace tenpin::scene::mjcf
