// [ST00, §4.2]: a thrown ball lands on a table and hits a row of three.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

[[nodiscard]] ExperimentResult run_st00_balls(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
