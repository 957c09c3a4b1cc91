#include "methods/analytic/integrator.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "methods/analytic/integrator_steps.h"
#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

namespace {

// x^(1/n) by Newton's method, with the same bits on every machine; for x within a few decades of 1.
double calc_root(double x, int n) {
  double root = 1.0;
  for (int round = 0; round < 60; ++round) {
    double power = 1.0;
    for (int k = 1; k < n; ++k) power *= root;
    const double next = ((n - 1) * root + x / power) / n;
    if (std::fabs(next - root) <= 1e-15 * next) break;
    root = next;
  }
  return root;
}

}  // namespace

void Integrator::evaluate(Equations* equations, double t, const VecX& y, VecX* rate) {
  ++num_evaluations_;
  equations->calc_rate(t, y, rate);
}

double Integrator::calc_error(const VecX& difference, double tolerance) {
  error_ = difference.head(num_steering_);
  double worst = 0.0;
  for (int i = 0; i < num_steering_; ++i) {
    const double size = 1.0 + std::max(std::fabs(y0_[i]), std::fabs(y_end_[i]));
    const double error = std::fabs(difference[i]) / size;
    if (!(error <= worst)) worst = error;  // a NaN stays
  }
  return worst / tolerance;
}

void Integrator::find_hindering(double tolerance) {
  for (int i = 0; i < error_.size(); ++i) {
    const double size = 1.0 + std::max(std::fabs(y0_[i]), std::fabs(y_end_[i]));
    if (!(std::fabs(error_[i]) <= tolerance * size)) hindering_.push_back(i);
  }
}

bool Integrator::step(Equations* equations, double t, const VecX& y, const StepRange& range) {
  TENPIN_DEMAND(range.num_steering > 0 || y.size() == 0);
  constexpr double kShrink = 0.2;
  constexpr int kErrorOrder = 5;  // of the error estimates of all methods
  t0_ = t;
  y0_ = y;
  num_steering_ = range.num_steering;
  hindering_.clear();
  error_.resize(0);
  double h = admit(std::min(range.h_guess, range.h_max));
  for (int attempt = 0; attempt < kMaxStepTries; ++attempt) {
    if (!(t + h > t)) return false;
    const double error = try_step(equations, h, range.tolerance);
    const bool finite = error < 1e300;
    const double ratio = finite ? std::clamp(error, 1e-6, 1e6) : 1e6;
    const double factor =
        std::clamp(kStepMargin / calc_root(ratio, kErrorOrder), kShrink, kMostGrowth);
    if (finite && error <= 1.0) {
      h_ = h;
      h_next_ = std::max(h * factor, range.h_guess > range.h_max ? range.h_guess : 0.0);
      return y_end_.allFinite();
    }
    ++num_rejected_;
    if (attempt == 0) find_hindering(range.tolerance);
    restart();
    h = admit(h * std::min(factor, 0.9));
  }
  return false;
}

std::unique_ptr<Integrator> make_integrator(scene::AnalyticOptions::Integrator integrator) {
  using Choice = scene::AnalyticOptions::Integrator;
  switch (integrator) {
    case Choice::kRungeKutta4:
      return std::make_unique<RungeKutta4>();
    case Choice::kAdams:
      return std::make_unique<Adams>();
    case Choice::kDormandPrince:
      break;
  }
  return std::make_unique<DormandPrince>();
}

}  // namespace tenpin::methods::analytic
