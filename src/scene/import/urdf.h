// Reads URDF, the format of ROS.
#pragma once

#include "scene/import/import.h"
#include "scene/import/model_folder.h"
#include "scene/import/model_text.h"

namespace tenpin::scene::urdf {

// Fills the scene from the document whose root is element `root`.
void read_model(int root, const ModelFolder& folder, const ImportOptions& options,
                const ReadLimits& limits, ModelText* text, Scene* scene);

}  // namespace tenpin::scene::urdf
