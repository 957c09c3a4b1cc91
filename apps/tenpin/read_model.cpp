#include "read_model.h"

#include "simulation/overlaps.h"

namespace tenpin::app {

scene::Scene read_model(const std::string& file, std::span<const scene::Override> overrides,
                        const scene::ReadLimits& limits, const scene::ImportOptions& options) {
  scene::Scene scene = scene::read_any(file, overrides, limits, options);
  if (scene::is_robot_model(file)) simulation::part_overlapping_links(&scene);
  return scene;
}

}  // namespace tenpin::app
