// Scenes with everything that a file can say about mechanisms, from a seed.
#pragma once

#include <cstdint>

#include "scene/scene.h"

namespace tenpin::scene {

// A scene that the reader could have made: trees of up to 12 bodies of all joints, loops of all
// kinds, layers and exceptions of touching, numbers of many magnitudes.
[[nodiscard]] Scene make_random_scene(std::uint64_t seed);

}  // namespace tenpin::scene
