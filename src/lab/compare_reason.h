// Why two methods part: from what their settings say, and from what happens when the step is
// halved.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/compare.h"
#include "record/run_header.h"

namespace tenpin::lab {

// What differs between two runs of a scene and can move bodies, in words.
[[nodiscard]] std::vector<std::string> list_known_differences(const record::RunHeader& a,
                                                              const record::RunHeader& b);

struct RefineOptions {
  std::string folder;    // for run files, which are removed
  double t_end = 0.0;    // s   a little after the parting
  double largest = 0.0;  // m   distance of the two up to then
  int threads = 1;
};

// Runs both with half their steps, if need be with a quarter, and says what is left of the largest
// distance. Looking past the instant of the parting matters: an impact that a step puts a little
// earlier or later changes the distance there, but not what follows. Empty when neither has a step,
// or when a run fails.
[[nodiscard]] std::string refine_parting(const Contender& a, const Contender& b,
                                         const RefineOptions& options);

}  // namespace tenpin::lab
