// One page that shows several runs of a scene over each other.
#pragma once

#include <string>

#include "lab/compare.h"

namespace tenpin::lab {

// The viewer's page of a run made of all runs: the bodies of the reference, and beside them a copy
// of each moving body for every other run, at the reference's frame times. That run is written to
// the folder and removed. There must be a reference.
[[nodiscard]] std::string make_compare_page(const Comparison& comparison,
                                            const std::string& folder);

}  // namespace tenpin::lab
