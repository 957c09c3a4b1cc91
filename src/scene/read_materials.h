// The `materials` and `pairs` of a scene.
#pragma once

#include <string>
#include <unordered_map>

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

using MaterialIndex = std::unordered_map<std::string, int>;

// Checks both nodes (null if absent) and fills scene->materials, the default one first, and
// scene->pairs. Returns the index of each name, including materials with problems, so that
// references to these are not reported as errors, too.
MaterialIndex read_materials(const Node* materials, const Node* pairs, Scene* scene,
                             ProblemList* problems);

// The index of a material by name. If there is none, adds a problem and returns 0.
[[nodiscard]] int find_material(const MaterialIndex& index, const Node& name,
                                const std::string& path, ProblemList* problems);

}  // namespace tenpin::scene
