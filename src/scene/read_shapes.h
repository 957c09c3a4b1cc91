// The `shapes` of a body.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

// Where mesh files are looked up, and those read already.
struct MeshLibrary {
  std::string folder;  // of the scene
  std::map<std::pair<std::string, double>, std::shared_ptr<const shapes::ConvexMesh>> meshes = {};
  std::vector<Problem> notes = {};  // what the user should know about the meshes; `file` is empty
};

// Fills body->parts and body->part_files from the checked list `shapes`.
void read_shapes(const Node& shapes, const std::string& path, MeshLibrary* library, Body* body,
                 ProblemList* problems);

}  // namespace tenpin::scene
