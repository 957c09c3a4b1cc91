// The `shapes` of a body.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/read_materials.h"
#include "scene/scene.h"

namespace tenpin::scene {

// Where mesh files are looked up, and those read already.
struct MeshLibrary {
  std::string folder;  // of the scene
  std::map<std::pair<std::string, double>, std::shared_ptr<const shapes::ConvexMesh>> meshes = {};
  std::vector<Problem> notes = {};  // what the user should know about the meshes; `file` is empty
};

struct ShapeContext {
  const MaterialIndex& materials;
  MeshLibrary* library;
  const Node* groups = nullptr;  // of the scene, checked; null if it has none
};

// How many shapes the checked list makes, groups counted in full.
[[nodiscard]] std::int64_t count_shapes(const Node& shapes, const Node* groups);

// Fills body->parts, part_files and part_options from the checked list `shapes`.
void read_shapes(const Node& shapes, const std::string& path, const ShapeContext& context,
                 Body* body, ProblemList* problems);

}  // namespace tenpin::scene
