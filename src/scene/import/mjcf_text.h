// Reads an MJCF file with all its includes.
#pragma once

#include <cstddef>
#include <string>

#include "scene/import/model_folder.h"
#include "scene/import/model_text.h"

namespace tenpin::scene {

// Replaces each <include> below element `root` by the children of the included file. No file may
// occur twice, which rules out cycles. Paths are relative to the folder of the main file. Throws
// SceneError, LimitError.
void splice_includes(int root, const ModelFolder& folder, std::size_t max_bytes, ModelText* text);

}  // namespace tenpin::scene
