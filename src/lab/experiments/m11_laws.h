// Newton's, Poisson's and the energetic law of restitution compared on M11's double pendulum.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

[[nodiscard]] ExperimentResult run_m11_laws(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
