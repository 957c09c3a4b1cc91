// A page that shows several runs of a scene on top of each other.
#pragma once

#include <string>

#include "lab/compare.h"

namespace tenpin::lab {

// Makes the viewer's page for a run merged from all runs: the bodies of the reference, plus a copy
// of each moving body for every other run, at the reference's frame times. The merged run is
// written to the folder and removed afterwards. There must be a reference.
[[nodiscard]] std::string make_compare_page(const Comparison& comparison,
                                            const std::string& folder);

}  // namespace tenpin::lab
