// [MC95, §Results and Analysis]: ten scenes, one set of parameters.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

[[nodiscard]] ExperimentResult run_mc95_pool(const ExperimentOptions& options);
[[nodiscard]] ExperimentResult run_mc95_ramp_decelerating(const ExperimentOptions& options);
[[nodiscard]] ExperimentResult run_mc95_ramp_accelerating(const ExperimentOptions& options);
[[nodiscard]] ExperimentResult run_mc95_bowling(const ExperimentOptions& options);
[[nodiscard]] ExperimentResult run_mc95_platter(const ExperimentOptions& options);
[[nodiscard]] ExperimentResult run_mc95_block_drop(const ExperimentOptions& options);
[[nodiscard]] ExperimentResult run_mc95_dominoes(const ExperimentOptions& options);
[[nodiscard]] ExperimentResult run_mc95_chain(const ExperimentOptions& options);
[[nodiscard]] ExperimentResult run_mc95_coins(const ExperimentOptions& options);
[[nodiscard]] ExperimentResult run_mc95_dish(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
