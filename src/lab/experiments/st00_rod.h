// [ST00, §4.1]: a spinning rod falls on a table, where no finite force can stop it.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

[[nodiscard]] ExperimentResult run_st00_rod(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
