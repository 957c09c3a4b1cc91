// The state that a model starts in.
#pragma once

#include <string>

#include "scene/import/mjcf_actuators.h"
#include "scene/import/mjcf_tree.h"

namespace tenpin::scene::mjcf {

// The keyframe of that name, the first if the name is empty, or nothing set if there is none.
[[nodiscard]] Keyframe read_keyframe(const Element& root, const std::string& name,
                                     const Tree& tree);

// Coordinates and velocities of a keyframe; what it does not say stays at the reference.
void apply_keyframe(const Keyframe& key, Tree* tree);

}  // namespace tenpin::scene::mjcf
