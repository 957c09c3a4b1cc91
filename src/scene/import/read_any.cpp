#include "scene/import/read_any.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "scene/write.h"

namespace tenpin::scene {

namespace {

// Refuses options of the import for a scene file, on which they would have no effect.
void refuse_import_options(const std::string& file, const ImportOptions& options) {
  constexpr const char* kNoModel =
      "applies to robot models, got a scene file, want a URDF or MJCF file (a scene sets it at an "
      "entry of models, under import)";
  std::vector<Problem> problems;
  const auto refuse = [&](bool given, const char* option) {
    if (given) problems.push_back({.file = file, .path = option, .text = kNoModel});
  };
  refuse(options.base != Base::kAsModelSays, "--base");
  refuse(!options.keyframe.empty(), "--keyframe");
  refuse(!options.root.empty(), "--root");
  refuse(options.balance_inertia, "--balance-inertia");
  refuse(options.lenient, "--lenient");
  if (!problems.empty()) throw SceneError(std::move(problems));
}

}  // namespace

Scene read_any(const std::string& file, std::span<const Override> overrides,
               const ReadLimits& limits, const ImportOptions& options) {
  if (!is_robot_model(file)) {
    refuse_import_options(file, options);
    return read_scene(file, overrides, limits);
  }
  const Scene imported = import_model(file, options, limits);
  // Meshes are written as lists of points, so the text may be longer than the model.
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
