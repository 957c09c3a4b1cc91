// The `materials` and `pairs` of a scene.
#pragma once

#include <string>
#include <unordered_map>

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

using MaterialIndex = std::unordered_map<std::string, int>;

// Checks both nodes (null if absent), fills scene->materials, the default one first, and
// scene->pairs. Returns where each name is, also of materials with problems, so that nobody who
// names those is blamed.
MaterialIndex read_materials(const Node* materials, const Node* pairs, Scene* scene,
                             ProblemList* problems);

// The index of a material by name; a problem and 0 if there is none.
[[nodiscard]] int find_material(const MaterialIndex& index, const Node& name,
                                const std::string& path, ProblemList* problems);

}  // namespace tenpin::scene
