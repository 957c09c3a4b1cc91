#include "dynamics/extrapolation.h"

#include <algorithm>
#include <cmath>

namespace tenpin::dynamics {

namespace {

// -   The largest difference of two approximations of the end of a step from y, relative to its
// tolerance.
double calc_error(const VecX& a, const VecX& b, const VecX& y,
                  const Extrapolation::Limits& limits) {
  double worst = 0.0;
  for (Eigen::Index i = 0; i < a.size() - limits.num_unchecked; ++i) {
    const double size = 1.0 + std::fabs(y[i]) + 10.0 * std::fabs(a[i] - y[i]);
    const double error = std::fabs(a[i] - b[i]) / size;
    if (!(error <= worst)) worst = error;  // keeps a NaN
  }
  return worst / limits.tolerance;
}

}  // namespace

// Gragg's midpoint rule with n substeps of h/n, smoothed at the end.
void Extrapolation::midpoint(const Rate& rate, double t, double h, int n, const VecX& y) {
  const double dt = h / n;
  older_ = y;
  newer_ = y + dt * first_rate_;
  for (int i = 1; i < n; ++i) {
    rate(t + i * dt, newer_, &rate_);
    older_ += 2.0 * dt * rate_;
    older_.swap(newer_);
  }
  rate(t + h, newer_, &rate_);
  end_ = 0.5 * (newer_ + older_ + dt * rate_);
}

// One step of Richardson extrapolation in (h/n)^2; true if it converged.
bool Extrapolation::step(const Rate& rate, double t, double h, const Limits& limits, const VecX& y,
                         int* num_evaluations) {
  rate(t, y, &first_rate_);
  ++*num_evaluations;
  double last_error = 0.0;
  for (int k = 0; k < kMaxColumns; ++k) {
    const int n = 2 * (k + 1);
    midpoint(rate, t, h, n, y);
    *num_evaluations += n;
    // Neville's scheme along the newest diagonal: table_[j] holds column j.
    for (int j = 0; j < k; ++j) {
      const double ratio = static_cast<double>(n) / (2.0 * (k - j));
      const double weight = 1.0 / (ratio * ratio - 1.0);
      newer_ = end_ + weight * (end_ - table_[j]);
      table_[j] = end_;
      end_ = newer_;
    }
    if (k > 0) {
      const double error = calc_error(end_, table_[k - 1], y, limits);
      const bool stalls =
          k > 4 && error >= last_error && error * limits.tolerance <= limits.rounding;
      if ((k > 1 && error <= 1.0) || stalls) return true;
      if (!(error < 1e300)) return false;  // also catches NaN
      last_error = error;
    }
    table_[k] = end_;
  }
  return false;
}

bool Extrapolation::integrate(const Rate& rate, double t, double h, const Limits& limits, VecX* y) {
  int num_evaluations = 0;
  double done = 0.0;  // fraction of the way
  double part = 1.0;
  while (done < 1.0) {
    if (num_evaluations > limits.max_evaluations) return false;
    part = std::min(part, 1.0 - done);
    if (!step(rate, t + done * h, part * h, limits, *y, &num_evaluations)) {
      part *= 0.5;
      continue;
    }
    y->swap(end_);
    done += part;
    part *= 2.0;
  }
  return true;
}

}  // namespace tenpin::dynamics
