#include "scene/import/read_any.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "scene/write.h"

namespace tenpin::scene {

Scene read_any(const std::string& file, std::span<const Override> overrides,
               const ReadLimits& limits, const ImportOptions& options) {
  if (!is_robot_model(file)) {
    return read_scene(file, overrides, limits);
  }
  const Scene imported = import_model(file, options, limits);
  // Meshes are written as lists of points, which may be longer than the model.
  ReadLimits inner = limits;
  inner.max_bytes = std::max(limits.max_bytes, std::int64_t{1} << 30);
  try {
    Scene scene = parse_scene(write_scene(imported), file, overrides, inner);
    scene.notes = imported.notes;
    return scene;
  } catch (const SceneError& error) {
    // The places refer to an intermediate text that the user has not seen.
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      if (problem.file == file) {
        problem.line = 0;
        problem.path = "as a scene: " + problem.path;
      }
    }
    throw SceneError(std::move(problems));
  }
}

}  // namespace tenpin::scene
