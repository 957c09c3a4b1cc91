// [MC95, §Results and Analysis]: ten scenes, one set of parameters.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

// The one that the folder is named after.
[[nodiscard]] ExperimentResult run_mc95(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
