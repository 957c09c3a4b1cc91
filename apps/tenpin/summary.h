// Prints the summary of a run, for people and for programs.
#pragma once

#include <string>

#include "lab/simulation.h"
#include "scene/scene.h"

namespace tenpin::app {

[[nodiscard]] std::string make_summary_table(const scene::Scene& scene,
                                             const lab::Summary& summary);
[[nodiscard]] std::string make_summary_json(const scene::Scene& scene, const lab::Summary& summary);

}  // namespace tenpin::app
