// `tenpin run scene.yaml`: simulates a scene and says how far the result can be trusted.
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
  std::string from;               // run file to continue instead of a scene; "" = none
  std::optional<double> at;       // s   time of the frame to continue from; empty = the last frame
  std::vector<std::string> sets;  // path=value
  std::string method;             // "" = the scene's method
  std::string output;             // run file, "" = none
  std::string html;               // page, "" = none
  bool live = false;              // show the run while it is computed
  ServeOptions serve;             // how the page is served
  // of a run that is shown: simulated seconds per second; 0 = as fast as possible
  double speed = 1.0;
  int threads = 1;
  double step_limit = 30.0;  // s   of real time for one step
  bool json = false;
  bool quiet = false;
  std::int64_t max_bodies = scene::ReadLimits{}.max_bodies;
  bool force = false;  // ignore the limit on the number of steps
  scene::ImportOptions import;
};

// Prints results to stdout with `json`, otherwise a summary for people; progress and problems go to
// stderr. Returns the exit code. Throws the exceptions of the scene reader and the run file.
[[nodiscard]] int run_run(const RunOptions& options);
// Runs a scene that is already in memory; `options.scene` and its overrides are not used.
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
