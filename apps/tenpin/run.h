// `tenpin run scene.yaml`: simulates a scene and says how far to trust the result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/import/import.h"
#include "scene/read.h"
#include "view.h"

namespace tenpin::app {

struct RunOptions {
  std::string scene;
  std::string from;               // run file to continue instead of a scene, "" = none
  std::optional<double> at;       // s   of the frame to continue from; none = the last
  std::vector<std::string> sets;  // path=value
  std::string method;             // "" = the scene's
  std::string output;             // run file, "" = none
  std::string html;               // page, "" = none
  bool live = false;              // show the run while it is computed
  ServeOptions serve;             // how
  double speed = 1.0;  // of a run that is shown: its seconds per second; 0 = as fast as it can
  int threads = 1;
  double step_limit = 30.0;  // s   of real time for one step
  bool json = false;
  bool quiet = false;
  std::int64_t max_bodies = scene::ReadLimits{}.max_bodies;
  bool force = false;  // lifts the limit on the number of steps
  scene::ImportOptions import;
};

// Results go to stdout with `json`, else a summary for people; progress and problems to stderr.
// Returns the exit code. Throws what the scene reader and the run file throw.
[[nodiscard]] int run_run(const RunOptions& options);
// Runs a scene that is in memory already; `options.scene` and its overrides are not used.
[[nodiscard]] int run_scene(const scene::Scene& scene, const RunOptions& options);

struct CheckOptions {
  std::vector<std::string> scenes;
  std::vector<std::string> sets;
  bool json = false;
  std::int64_t max_bodies = scene::ReadLimits{}.max_bodies;
  scene::ImportOptions import;
  bool schema = false;  // print the JSON Schema of scene files instead
};
[[nodiscard]] int run_check(const CheckOptions& options);

}  // namespace tenpin::app
