// [MC95, Fig. 11]: number of felled pins against where the ball meets the pin line.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

// One throw, and the study of many throws whose rows are in throws.csv; a few are repeated.
[[nodiscard]] ExperimentResult run_mc95_bowling(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
