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

// A mesh file that was read, and what the user should know about it.
struct LoadedMesh {
  // Its hull or convex pieces; empty: not read yet, bad, or a surface.
  std::vector<std::shared_ptr<const shapes::ConvexMesh>> hulls = {};
  std::shared_ptr<const shapes::SurfaceMesh> surface = nullptr;
  shapes::MassProperties mass = {};  // at unit density; only with pieces
  std::string note = {};             // "" = nothing
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
  // By path, scale and number of pieces, 0 for a surface that bodies touch.
  std::map<std::tuple<std::string, double, int>, LoadedMesh> meshes = {};
  // Meshes that are drawn as they are, by path and scale; null: bad.
  std::map<std::pair<std::string, double>, std::shared_ptr<const shapes::TriangleMesh>> surfaces =
      {};
  // Height fields that bodies touch, in the order of the scene; null: bad.
  std::vector<HeightSurface> heights = {};
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
