// Functions shared by the experiments of [MC95]: the checks of every run, and their Table 1.
#pragma once

#include <string_view>

#include "lab/experiment.h"
#include "lab/experiment_expected.h"
#include "lab/experiments/track.h"

namespace tenpin::lab::experiments {

// Adds the checks of every run: `finished` (1), `ledger`, `residual` and `slowdown`.
void measure_run(const Track& track, Measurements* measurements);

// Makes findings, notes, the row of Table 1 and the counters.
[[nodiscard]] ExperimentResult make_result(std::string_view id, const ExperimentOptions& options,
                                           const Track& track, const Measurements& measurements);

}  // namespace tenpin::lab::experiments
