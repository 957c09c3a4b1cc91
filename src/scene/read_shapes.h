// The `shapes` of a body.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/read_materials.h"
#include "scene/scene.h"
#include "shapes/mass_properties.h"
#include "shapes/triangle_mesh.h"

namespace tenpin::scene {

// A mesh file that has been read, and what the user should know about it.
struct LoadedMesh {
  // Its hull or convex pieces. Empty if it is not read yet, invalid, or a surface.
  std::vector<std::shared_ptr<const shapes::ConvexMesh>> hulls = {};
  std::shared_ptr<const shapes::SurfaceMesh> surface = nullptr;
  shapes::MassProperties mass = {};  // at unit density; only for meshes in pieces
  std::string note = {};             // "" if there is none
  bool is_noted = false;             // in MeshLibrary::notes
};

// A height field that was read.
struct HeightSurface {
  std::string path;
  shapes::HeightPlacement placement;
  std::shared_ptr<const shapes::SurfaceMesh> surface;
};

// Where mesh files are looked up, and those read already.
struct MeshLibrary {
  std::string folder;  // of the scene
  // Meshes by path, scale and number of pieces; 0 pieces for a surface that bodies touch.
  std::map<std::tuple<std::string, double, int>, LoadedMesh> meshes = {};
  // Meshes that are drawn as they are, by path and scale; null if invalid.
  std::map<std::pair<std::string, double>, std::shared_ptr<const shapes::TriangleMesh>> surfaces =
      {};
  // Height fields that bodies touch, in the order of the scene; null: bad.
  std::vector<HeightSurface> heights = {};
  std::vector<Problem> notes = {};  // on the meshes of the scene being read; `file` is empty

  // Prepares for the next scene: keeps the meshes, drops the notes.
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

// The number of shapes that the checked list makes, including the shapes of groups.
[[nodiscard]] std::int64_t count_shapes(const Node& shapes, const Node* groups);

// Fills body->parts, part_files, part_options and visuals from the checked list `shapes`.
void read_shapes(const Node& shapes, const std::string& path, const ShapeContext& context,
                 Body* body, ProblemList* problems);

}  // namespace tenpin::scene
