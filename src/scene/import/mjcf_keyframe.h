// The initial state of a model.
#pragma once

#include <string>

#include "scene/import/mjcf_actuators.h"
#include "scene/import/mjcf_tree.h"

namespace tenpin::scene::mjcf {

// The keyframe of that name, or the first if the name is empty; without keyframes nothing is set.
[[nodiscard]] Keyframe read_keyframe(const Element& root, const std::string& name,
                                     const Tree& tree);

// Applies coordinates and velocities of a keyframe; those it does not give keep their reference
// values.
void apply_keyframe(const Keyframe& key, Tree* tree);

}  // namespace tenpin::scene::mjcf
