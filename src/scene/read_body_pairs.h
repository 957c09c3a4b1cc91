// Reads the entries of `pairs` that name bodies. A surface belongs to two materials, so bodies
// named in such an entry get materials of their own.
#pragma once

#include <string_view>

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

// True if the name matches the pattern, in which `*` stands for any text.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

// Call this after bodies, pairs of materials and events have been read, because in all of these the
// new materials follow the old ones. `pairs` must have been checked.
void read_body_pairs(const Node& pairs, Scene* scene, ProblemList* problems);

}  // namespace tenpin::scene
