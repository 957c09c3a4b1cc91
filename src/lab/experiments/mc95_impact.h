// [MC95, Fig. 3], [MC95, Fig. 4]: the flow of slip during an impact, and the effect of three
// friction coefficients.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

[[nodiscard]] ExperimentResult run_mc95_impact(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
