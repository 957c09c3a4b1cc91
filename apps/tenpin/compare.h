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
  std::vector<std::string> methods;  // variants; if empty, every method
  std::vector<std::string> sets;     // path=value, for all of them
  std::string html;                  // page to write; "" = none
  std::string output;                // folder for the run files; "" = do not keep them
  double tolerance = 0.0;            // m   0: derived from the size of the bodies
  int threads = 1;
  bool json = false;
  bool quiet = false;
  bool no_refine = false;  // do not run again with half the step
  std::int64_t max_bodies = scene::ReadLimits{}.max_bodies;
  scene::ImportOptions import;
};

// Returns 0 if at least one method reached the end, 2 if all methods refused the scene, 3 if none
// reached the end.
[[nodiscard]] int run_compare(const CompareCommand& command);

}  // namespace tenpin::app
