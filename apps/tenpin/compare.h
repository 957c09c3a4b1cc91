// `tenpin compare scene.yaml --methods a,b,c`: one scene under several methods.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene/import/import.h"
#include "scene/read.h"

namespace tenpin::app {

struct CompareCommand {
  std::string scene;
  std::vector<std::string> methods;  // variants; none: every method there is
  std::vector<std::string> sets;     // path=value, for all of them
  std::string html;                  // page, "" = none
  std::string output;                // folder for the run files, "" = none kept
  double tolerance = 0.0;            // m   0: by the size of the bodies
  int threads = 1;
  bool json = false;
  bool quiet = false;
  bool no_refine = false;  // do not run again with half the step
  std::int64_t max_bodies = scene::ReadLimits{}.max_bodies;
  scene::ImportOptions import;
};

// 0 when at least one method came to the end; 2 when all refused the scene, 3 when none got there.
[[nodiscard]] int run_compare(const CompareCommand& command);

}  // namespace tenpin::app
