// `tenpin impact cases.json ...`: solves single impacts by the impact laws; impact_cases.h
// describes the format.
#pragma once

#include <string>
#include <vector>

namespace tenpin::app {

struct ImpactOptions {
  std::vector<std::string> files;
  // newton, poisson, energetic or energetic-ratio; if empty, the file's law or all laws
  std::string law;
  std::string draw;  // folder for SVG files, or a page *.html; if empty, nothing is drawn
  bool json = false;
};

// Prints results to stdout, everything else to stderr. Returns the exit code: 0 if all impacts are
// solved and certified, 2 for invalid input (nothing is written), 3 if some impact has no end or
// fails its certificate (all results are printed).
[[nodiscard]] int run_impact(const ImpactOptions& options);

}  // namespace tenpin::app
