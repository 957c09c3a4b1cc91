// The motor of a hinge or slider.
#pragma once

#include <string>

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

// Reads a motor from the checked map `node`.
[[nodiscard]] Motor read_motor(const Node& node, const std::string& path, ProblemList* problems);

}  // namespace tenpin::scene
