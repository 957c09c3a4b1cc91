// Reads a file that the user names: a scene, or a robot model, which is made ready to run.
#pragma once

#include <span>
#include <string>

#include "scene/import/read_any.h"

namespace tenpin::app {

// Like scene::read_any. In addition, links of an imported robot that overlap at the start never
// touch, and options may add a plane below the robot.
[[nodiscard]] scene::Scene read_model(const std::string& file,
                                      std::span<const scene::Override> overrides,
                                      const scene::ReadLimits& limits,
                                      const scene::ImportOptions& options);

}  // namespace tenpin::app
