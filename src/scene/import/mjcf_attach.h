// <attach>: includes parts of one MJCF model in another.
#pragma once

#include <cstddef>
#include <vector>

#include "scene/import/model_folder.h"
#include "scene/import/model_text.h"

namespace tenpin::scene {

// A model from which others attach parts. Its <compiler> applies to all elements of its files.
struct AttachedModel {
  int root = 0;                                // index of its root element
  std::size_t files_begin = 0, files_end = 0;  // indices into XmlDocument::files
};

// Replaces every <attach model body prefix> by that body of the model, with the prefix before all
// names, and adds to the root what the model defines for it: default classes, assets, contacts,
// equalities, tendons, actuators. Included files must already be in place. In the result, inner
// models come before the models that contain them. Adds problems, and throws SceneError if there
// are any.
[[nodiscard]] std::vector<AttachedModel> attach_models(int root, const ModelFolder& folder,
                                                       std::size_t max_bytes, ModelText* text);

}  // namespace tenpin::scene
