// The entries of `pairs` that name bodies. A surface belongs to two materials, so bodies that such
// an entry names get materials of their own.
#pragma once

#include <string_view>

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

// `*` in the pattern stands for any text.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

// Call after bodies, pairs of materials and events have been read, because the new materials follow
// the old ones in all of these. `pairs` has been checked.
void read_body_pairs(const Node& pairs, Scene* scene, ProblemList* problems);

}  // namespace tenpin::scene
