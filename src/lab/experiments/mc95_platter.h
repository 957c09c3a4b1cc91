// [MC95, §Other simulations]: a ball on a spinning platter, whose circle grows or does not.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

// The scene as it is, and again without microcollisions until the ball rolls off.
[[nodiscard]] ExperimentResult run_mc95_platter(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
