// [MC95, Fig. 3], [MC95, Fig. 4]: how slip flows in an impact, and what three frictions make of it.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

[[nodiscard]] ExperimentResult run_mc95_impact(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
