// `tenpin convert robot.urdf`: converts a robot model, or a scene, to a scene file.
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

// Converts a file. Prints notes to stderr. Returns the exit code. Throws the reader's exceptions,
// and std::filesystem::filesystem_error if the output cannot be written; no file is then written.
[[nodiscard]] int run_convert(const ConvertOptions& options);

// Prints what a user should know about a scene to stderr: at most that many lines, then a count.
void print_notes(const scene::Scene& scene, std::size_t most);

}  // namespace tenpin::app
