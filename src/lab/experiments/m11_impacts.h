// [M11, §2]: collisions of a double pendulum with the floor, in closed form.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

[[nodiscard]] ExperimentResult run_m11_impacts(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
