// Reads the initial state of a model.
#pragma once

#include <string>

#include "scene/import/mjcf_actuators.h"
#include "scene/import/mjcf_tree.h"

namespace tenpin::scene::mjcf {

// The keyframe of that name, or the first one if the name is empty. Without keyframes nothing is
// set.
[[nodiscard]] Keyframe read_keyframe(const Element& root, const std::string& name,
                                     const Tree& tree);

// Applies coordinates and velocities of a keyframe. Values that the keyframe does not give keep
// their reference values.
void apply_keyframe(const Keyframe& key, Tree* tree);

}  // namespace tenpin::scene::mjcf
