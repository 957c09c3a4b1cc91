// Time stepping against the exact motion of the analytical method, for decreasing steps.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

// Runs scene.yaml (bricks), dominoes.yaml and rod.yaml by both methods. Measures
//   finished        -   1 if every run reached its end
//   closure         -   worst error of an energy ledger over the largest energy
//   order/SCENE     -   slope of log(error of the last positions) over log(step), by least squares
//   error/SCENE     m   with the shortest step
[[nodiscard]] ExperimentResult run_b89_convergence(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
