// Writes a scene as text that reads back as the same scene, bit for bit.
#pragma once

#include <string>

#include "scene/scene.h"

namespace tenpin::scene {

// Everything is written explicitly: repeated bodies one by one, defaults as numbers. Numbers are
// the shortest decimals that give the same double. Mesh files remain references.
[[nodiscard]] std::string write_scene(const Scene& scene);

}  // namespace tenpin::scene
