// Explains why two methods diverge, from their settings and from runs with half the step.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/compare.h"
#include "record/run_header.h"

namespace tenpin::lab {

// Lists the differences between two runs of a scene that can affect the motion, as text.
[[nodiscard]] std::vector<std::string> list_known_differences(const record::RunHeader& a,
                                                              const record::RunHeader& b);

struct RefineOptions {
  std::string folder;    // for run files, which are removed
  double t_end = 0.0;    // s   shortly after the divergence
  double largest = 0.0;  // m   largest distance between the two runs until then
  int threads = 1;
};

// Runs both scenes with half their steps, or a quarter if necessary, and reports what remains of
// the largest distance. The window extends beyond the moment of divergence: a different step may
// shift an impact slightly, which changes the distance at that moment but not afterwards. Empty if
// neither method has a step, or if a run fails.
[[nodiscard]] std::string refine_parting(const Contender& a, const Contender& b,
                                         const RefineOptions& options);

}  // namespace tenpin::lab
