// The `method` of a scene.
#pragma once

#include "scene/node.h"
#include "scene/options.h"
#include "scene/problem_list.h"

namespace tenpin::scene {

// From a checked node. Throws LimitError for options beyond a documented limit.
[[nodiscard]] MethodOptions read_method(const Node& method, ProblemList* problems);

// s   The step of a method; 0 for a method without fixed steps.
[[nodiscard]] double step_of(const MethodOptions& method);

}  // namespace tenpin::scene
