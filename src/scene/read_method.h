// The `method` of a scene.
#pragma once

#include <string_view>

#include "scene/node.h"
#include "scene/options.h"
#include "scene/problem_list.h"

namespace tenpin::scene {

// Reads a checked node. Throws LimitError for options beyond a documented limit.
[[nodiscard]] MethodOptions read_method(const Node& method, ProblemList* problems);

// The method of that name with all its defaults.
[[nodiscard]] MethodOptions default_method(std::string_view name);

// s   The step of a method, or the interval of its reports; 0 for a method that has neither.
[[nodiscard]] double step_of(const MethodOptions& method);

}  // namespace tenpin::scene
