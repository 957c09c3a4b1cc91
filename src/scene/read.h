// Reads scene files: returns a Scene, or every problem with its line and column.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene/problem.h"
#include "scene/scene.h"

namespace tenpin::scene {

// One `--set path=value` of the command line, for example method.time-stepping.step=0.001 or
// bodies.ball.mass=2.
struct Override {
  std::string path;
  std::string value;  // YAML
};

struct ReadLimits {
  std::int64_t max_bytes = 64LL << 20;
  std::int64_t max_bodies = 1'000'000;
  std::int64_t max_parts = 10'000'000;     // shapes of all bodies
  std::int64_t max_touching = 1'000'000;   // pairs of parts in touch.always
  std::int64_t max_steps = 1'000'000'000;  // until / step, unless forced
  int max_depth = 64;
  std::vector<std::string> including = {};  // files that are being read; none may include itself
};

// Throws SceneError (all problems found) or LimitError. Mesh files are searched in the scene's
// folder.
[[nodiscard]] Scene read_scene(const std::string& file, std::span<const Override> overrides = {},
                               const ReadLimits& limits = {});
[[nodiscard]] Scene parse_scene(const std::string& text, const std::string& file,
                                std::span<const Override> overrides = {},
                                const ReadLimits& limits = {});
// Returns the bytes of a scene or model file; throws the same exceptions as read_scene.
[[nodiscard]] std::string read_scene_text(const std::string& file, const ReadLimits& limits);

}  // namespace tenpin::scene
