// Reads a <link> of a URDF file.
#pragma once

#include <map>
#include <string>

#include "scene/import/mesh_store.h"
#include "scene/import/model_folder.h"
#include "scene/import/robot.h"

namespace tenpin::scene::urdf {

// Reads the child <origin> of an element; returns the identity if there is none.
[[nodiscard]] Pose read_origin(const Element& element);

struct LinkContext {
  const ModelFolder& folder;
  bool balance_inertia = false;
  MeshStore* meshes;
  const std::map<std::string, std::string>& colours;  // of the robot's materials, by name
};

// Reads mass, collision shapes, visual shapes and colour. The visual shapes of a link without
// collision shapes also become parts that touch nothing.
[[nodiscard]] Link read_link(const Element& element, const LinkContext& context);

// The colour of a <material>, or of the robot's material that it names; "" if there is none.
[[nodiscard]] std::string read_colour(const Element& material,
                                      const std::map<std::string, std::string>& colours);

}  // namespace tenpin::scene::urdf
