// [MC95, Table 1] on this machine, and the cost of resting contacts, about which the papers
// disagree.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

[[nodiscard]] ExperimentResult run_mc95_cost(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
