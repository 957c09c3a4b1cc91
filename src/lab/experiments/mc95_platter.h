// [MC95, §Other simulations]: a ball on a spinning platter, and whether its circle grows.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

// Runs the scene as given, and again without microcollisions until the ball rolls off the disc.
[[nodiscard]] ExperimentResult run_mc95_platter(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
