// `tenpin convert robot.urdf`: a robot model, or a scene, as a scene file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene/import/read_any.h"

namespace tenpin::app {

struct ConvertOptions {
  std::string model;
  std::string output;             // scene file; "" = standard output
  std::vector<std::string> sets;  // path=value
  scene::ImportOptions import;
  std::int64_t max_bodies = scene::ReadLimits{}.max_bodies;
};

// Notes go to stderr. Returns the exit code. Throws what the reader throws, and
// std::filesystem::filesystem_error if the output cannot be written; then nothing is.
[[nodiscard]] int run_convert(const ConvertOptions& options);

// What a user should know about a scene, to stderr: at most so many lines, then a count.
void print_notes(const scene::Scene& scene, std::size_t most);

}  // namespace tenpin::app
