// Converts actuators to motors of the joints that they drive.
#pragma once

#include <vector>

#include "scene/import/mjcf_tendons.h"
#include "scene/import/mjcf_tree.h"

namespace tenpin::scene::mjcf {

// The state of a keyframe, or the reference state: coordinates, velocities, controls, activations.
struct Keyframe {
  std::vector<double> qpos, qvel, ctrl, act;
};

// The number of controls of all actuators of the model, including actuators that are not used.
[[nodiscard]] int count_controls(const Element& root);

struct ActuatorContext {
  const Settings& settings;
  const Defaults& defaults;
  const Keyframe& key;
  const std::map<std::string, Tendon>& tendons;
};

// Sets the motors of the joints, with the keyframe's constant controls. An actuator whose force is
//   gear clamp(gain ctrl + bias0 + bias1 gear q + bias2 gear v)
// becomes a force, a velocity servo or a position servo; several actuators on one joint add up. On
// a fixed tendon, q is its length: servos need a tendon with a lever, forces work on any tendon.
void read_actuators(const Element& root, const ActuatorContext& context, Tree* tree);

// kg m^2, kg   Diagonal of the mass matrix at the reference coordinates, per joint, including
// armature. It is 0 for free and ball joints.
[[nodiscard]] std::vector<double> calc_joint_inertias(const Tree& tree);

}  // namespace tenpin::scene::mjcf
