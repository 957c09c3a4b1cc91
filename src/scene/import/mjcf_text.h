// An MJCF file with everything that it includes.
#pragma once

#include <cstddef>
#include <string>

#include "scene/import/model_folder.h"
#include "scene/import/model_text.h"

namespace tenpin::scene {

// Puts the children of each included file in the place of its <include>, into a document whose
// root is element `root`. No file may come twice, which rules out cycles. Paths start at the folder
// of the main file. Throws SceneError, LimitError.
void splice_includes(int root, const ModelFolder& folder, std::size_t max_bytes, ModelText* text);

}  // namespace tenpin::scene
