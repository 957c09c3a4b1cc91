// Writes joints, loops and contact exceptions in the scene format.
#pragma once

#include <string>

#include "scene/scene.h"

namespace tenpin::scene {

// Returns "joint: {...}" or "motion: {...}", without a line feed.
[[nodiscard]] std::string write_joint(const Body& body);

// The top-level keys `loops` and `touch`; nothing for a scene without them.
[[nodiscard]] std::string write_loops(const Scene& scene);
[[nodiscard]] std::string write_touch(const Scene& scene);

}  // namespace tenpin::scene
