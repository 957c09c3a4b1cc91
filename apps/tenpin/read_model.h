// Reads what a user names: a scene, or a robot model made ready to run.
#pragma once

#include <span>
#include <string>

#include "scene/import/read_any.h"

namespace tenpin::app {

// As scene::read_any; links of an imported robot that overlap at the start do not touch, and the
// options may put a plane under it.
[[nodiscard]] scene::Scene read_model(const std::string& file,
                                      std::span<const scene::Override> overrides,
                                      const scene::ReadLimits& limits,
                                      const scene::ImportOptions& options);

}  // namespace tenpin::app
