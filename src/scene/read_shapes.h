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
#include "shapes/triangle_mesh.h"

namespace tenpin::scene {

// A mesh file that was read, and what the user should know about it.
struct LoadedMesh {
  std::shared_ptr<const shapes::ConvexMesh> mesh;  // null: not read yet, or bad
  std::string note;                                // "" = nothing
  bool is_noted = false;                           // in MeshLibrary::notes
};

// Where mesh files are looked up, and those read already.
struct MeshLibrary {
  std::string folder;                                                // of the scene
  std::map<std::pair<std::string, double>, LoadedMesh> meshes = {};  // by path and scale
  // Meshes that are drawn as they are; null: bad.
  std::map<std::pair<std::string, double>, std::shared_ptr<const shapes::TriangleMesh>> surfaces =
      {};
  std::vector<Problem> notes = {};  // on the meshes of the scene being read; `file` is empty

  // For the next scene: keeps the meshes, forgets the notes.
  void restart() {
    for (auto& [key, loaded] : meshes) loaded.is_noted = false;
    notes.clear();
  }
};

struct ShapeContext {
  const MaterialIndex& materials;
  MeshLibrary* library;
  const Node* groups = nullptr;  // of the scene, checked; null if it has none
};

// How many shapes the checked list makes, groups counted in full.
[[nodiscard]] std::int64_t count_shapes(const Node& shapes, const Node* groups);

// Fills body->parts, part_files, part_options and visuals from the checked list `shapes`.
void read_shapes(const Node& shapes, const std::string& path, const ShapeContext& context,
                 Body* body, ProblemList* problems);

}  // namespace tenpin::scene
