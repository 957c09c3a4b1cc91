#include "lab/experiments/convergence_order.h"

#include <algorithm>

#include "lab/svg_scale.h"

namespace tenpin::lab::experiments {

double calc_convergence_order(const std::vector<PlotPoint>& errors) {
  constexpr double kLeast = 1e-300;  // an error of zero has no logarithm
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (const PlotPoint& p : errors) {
    const double x = calc_log10(p.x);
    const double y = calc_log10(std::max(p.y, kLeast));
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  const auto n = static_cast<double>(errors.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace tenpin::lab::experiments
