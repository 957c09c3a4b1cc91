// A <link> of a URDF file.
#pragma once

#include "scene/import/mesh_store.h"
#include "scene/import/model_folder.h"
#include "scene/import/robot.h"

namespace tenpin::scene::urdf {

// The child <origin> of an element, or the identity.
[[nodiscard]] Pose read_origin(const Element& element);

// Mass and collision shapes. <visual> is for display only and is not read.
[[nodiscard]] Link read_link(const Element& element, const ModelFolder& folder,
                             bool balance_inertia, MeshStore* meshes);

}  // namespace tenpin::scene::urdf
