// [MC95, Fig. 11]: felled pins against where the ball meets the pin line.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

// One throw, and the study of many whose rows stand in throws.csv; a few are thrown again.
[[nodiscard]] ExperimentResult run_mc95_bowling(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
