// <attach>: parts of one MJCF model in another.
#pragma once

#include <cstddef>
#include <vector>

#include "scene/import/model_folder.h"
#include "scene/import/model_text.h"

namespace tenpin::scene {

// A model that others attach parts of. Its <compiler> holds for what stands in its files.
struct AttachedModel {
  int root = 0;                                // element
  std::size_t files_begin = 0, files_end = 0;  // indices into XmlDocument::files
};

// Replaces every <attach model body prefix> by that body of the model, with the prefix before all
// names, and adds to the root what the model says about it: default classes, assets, contacts,
// equalities, tendons, actuators. Included files are expected to be in place. Models within models
// come before those around them. Adds problems, and throws SceneError if there are any.
[[nodiscard]] std::vector<AttachedModel> attach_models(int root, const ModelFolder& folder,
                                                       std::size_t max_bytes, ModelText* text);

}  // namespace tenpin::scene
