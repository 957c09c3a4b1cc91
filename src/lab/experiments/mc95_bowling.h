// [MC95, Fig. 11]: the number of felled pins against the position where the ball meets the pin
// line.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

// Runs one throw and reads the study of many throws, whose rows are in throws.csv; repeats a few of
// them.
[[nodiscard]] ExperimentResult run_mc95_bowling(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
