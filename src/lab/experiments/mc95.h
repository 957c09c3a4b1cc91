// [MC95, §Results and Analysis]: ten scenes, one set of parameters.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

// Runs the experiment named by the folder.
[[nodiscard]] ExperimentResult run_mc95(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
