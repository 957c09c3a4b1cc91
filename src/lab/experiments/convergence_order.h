// The order of convergence of errors with the step.
#pragma once

#include <vector>

#include "lab/svg_plot.h"

namespace tenpin::lab::experiments {

// The slope of log(error) over log(step) by least squares. The points are (step, error).
[[nodiscard]] double calc_convergence_order(const std::vector<PlotPoint>& errors);

}  // namespace tenpin::lab::experiments
