// The `method` of a scene.
#pragma once

#include "scene/node.h"
#include "scene/options.h"
#include "scene/problem_list.h"

namespace tenpin::scene {

// From a checked node. Throws LimitError for options beyond a declared limit.
[[nodiscard]] MethodOptions read_method(const Node& method, ProblemList* problems);

// s   The step of a method that has one; 0 for one that has none.
[[nodiscard]] double step_of(const MethodOptions& method);

}  // namespace tenpin::scene
