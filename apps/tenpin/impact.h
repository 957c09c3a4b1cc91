// `tenpin impact cases.json ...`: impact laws by themselves; impact_cases.h has the format.
#pragma once

#include <string>
#include <vector>

namespace tenpin::app {

struct ImpactOptions {
  std::vector<std::string> files;
  std::string law;   // newton, poisson, energetic, energetic-ratio; empty: the file's, or all
  std::string draw;  // folder for SVG files, or one page *.html; empty: none
  bool json = false;
};

// Results go to stdout, all else to stderr. Returns the exit code: 0 all solved and certified, 2
// bad input and nothing written, 3 some impact has no end or fails its certificate (all results
// are printed).
[[nodiscard]] int run_impact(const ImpactOptions& options);

}  // namespace tenpin::app
