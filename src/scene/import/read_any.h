// Reads any description of a scene: a scene file, or a robot model of another program.
#pragma once

#include <span>
#include <string>

#include "scene/import/import.h"
#include "scene/read.h"
#include "scene/scene.h"

namespace tenpin::scene {

// Reads like read_scene. A robot model is imported, written as a scene and read back, so that the
// scene that runs is the one that `tenpin convert` writes, and overrides have the same meaning.
// Throws the same exceptions as read_scene.
[[nodiscard]] Scene read_any(const std::string& file, std::span<const Override> overrides = {},
                             const ReadLimits& limits = {}, const ImportOptions& options = {});

}  // namespace tenpin::scene
