// The `shapes` of a body.
#pragma once

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

// The folder of the mesh files, and the meshes read so far.
struct MeshLibrary {
  std::string folder;  // of the scene
  std::map<std::pair<std::string, double>, std::shared_ptr<const shapes::ConvexMesh>> meshes = {};
  std::vector<Problem> notes = {};  // notes on the meshes for the user; `file` is empty
};

struct ShapeContext {
  const MaterialIndex& materials;
  MeshLibrary* library;
};

// Fills body->parts, part_files and part_options from the checked list `shapes`.
void read_shapes(const Node& shapes, const std::string& path, const ShapeContext& context,
                 Body* body, ProblemList* problems);

}  // namespace tenpin::scene
