// Meshes and colours that the geoms of an MJCF file refer to.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "scene/import/mesh_store.h"
#include "scene/import/mjcf_defaults.h"
#include "scene/import/mjcf_settings.h"
#include "scene/import/model_folder.h"
#include "scene/scene.h"

namespace tenpin::scene::mjcf {

struct MeshGeom {
  SolidMesh solid;
  MeshFile file;  // "" if the scene cannot refer to it and must contain the points itself
};

class Assets {
 public:
  Assets(const Element& root, const Settings& settings, const Defaults& defaults,
         const ModelFolder& folder);

  // Loads the mesh named by `geom.mesh`; each file is read once. Throws InputError if the file's
  // content is not a solid. For other problems, adds them and returns nothing.
  [[nodiscard]] std::optional<MeshGeom> load_mesh(const Element& geom);

  // The colour "#rrggbb" of the geom's own rgba or of its material; "" if it has none.
  [[nodiscard]] std::string colour(const Element& geom) const;

 private:
  void add(const Element& asset);
  MeshGeom load(const Element& mesh, const Element& geom);
  MeshGeom load_inline(const Element& mesh, const Element& geom, const MeshPlacement& placement);
  MeshInertia read_inertia(const Element& mesh, const Element& geom) const;
  std::string resolve(const Element& mesh, const std::string& file) const;

  const Settings& settings_;
  const ModelFolder& folder_;
  MeshStore store_;
  std::map<std::string, Element> meshes_;
  std::map<std::string, Element> materials_;
};

}  // namespace tenpin::scene::mjcf
