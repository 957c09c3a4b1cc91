#include "read_model.h"

#include "simulation/overlaps.h"

namespace tenpin::app {

scene::Scene read_model(const std::string& file, std::span<const scene::Override> overrides,
                        const scene::ReadLimits& limits, const scene::ImportOptions& options) {
  scene::Scene scene = scene::read_any(file, overrides, limits, options);
  simulation::part_overlapping_links(&scene);
  if (options.ground) simulation::add_ground(&scene);
  if (simulation::falls_forever(scene)) {
    scene.notes.emplace_back(
        "nothing is fixed, so it falls for ever: --ground puts a plane under it");
  }
  return scene;
}

}  // namespace tenpin::app
