#include "impact/slip_series.h"

#include <algorithm>
#include <cmath>

#include "impact/tolerances.h"

namespace tenpin::impact {

namespace {

// -   relative to the slip at the start of the step: bound on the first omitted terms
constexpr double kTruncation = 1e-17;

double calc_power(double x, int n) {
  double power = 1.0;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) power *= x;
    x *= x;
  }
  return power;
}

}  // namespace

void SlipSeries::expand(const SlipField& field, const SpatialPoint& from) {
  const double mu = field.mu();
  const Mat2& A = field.tangential_block();
  const Vec2& w = field.coupling();
  std::array<double, kOrder + 1> x, y, z;
  x[0] = from.v[0];
  y[0] = from.v[1];
  z[0] = from.v[2];
  c_[0] = {x[0], y[0], z[0], from.p[0], from.p[1], from.p[2], from.E_n, from.E_f};
  for (std::size_t k = 0; k < kOrder; ++k) {
    // The inner terms of the products v_x v_x, v_y v_y, |v_t| |v_t| and v_z |v_t|, computed
    // together.
    double xx = 0.0;
    double yy = 0.0;
    double inner = 0.0;
    double power = 0.0;
    for (std::size_t i = 1; i < k; ++i) {
      xx += x[i] * x[k - i];
      yy += y[i] * y[k - i];
      inner += slip_[i] * slip_[k - i];
      power += z[i] * slip_[k - i];
    }
    const double ends = x[0] * x[k] + y[0] * y[k];
    const double square = (k == 0 ? ends : 2.0 * ends) + (xx + yy);
    slip_[k] = k == 0 ? std::sqrt(square) : 0.5 * (square - inner) / slip_[0];
    power += z[0] * slip_[k];
    if (k > 0) power += z[k] * slip_[0];
    const double share = 1.0 / static_cast<double>(k + 1);
    x[k + 1] = share * (slip_[k] * w[0] - mu * (A(0, 0) * x[k] + A(0, 1) * y[k]));
    y[k + 1] = share * (slip_[k] * w[1] - mu * (A(1, 0) * x[k] + A(1, 1) * y[k]));
    z[k + 1] = share * (slip_[k] * field.normal_entry() - mu * (w[0] * x[k] + w[1] * y[k]));
    c_[k + 1] = {x[k + 1],           y[k + 1],         z[k + 1],      -share * mu * x[k],
                 -share * mu * y[k], share * slip_[k], share * power, -share * mu * square};
  }
  length_ = kLongestSeries / field.scale();
  update_length(slip_[0]);
  update_end();
}

// Chooses the length of the step from the last two terms of the slip, which bound the truncation
// error. Starts from a coarse power of two, which needs no logarithm, then shrinks the step.
void SlipSeries::update_length(double scale) {
  const auto is_small = [this, scale](double s) {
    const auto term = [this](int n) {
      const Lanes& c = c_[static_cast<std::size_t>(n)];
      return std::max(std::fabs(c[kVx]), std::fabs(c[kVy]));
    };
    const double power = calc_power(s, kOrder - 1);
    return term(kOrder - 1) * power <= kTruncation * scale &&
           term(kOrder) * power * s <= kTruncation * scale;
  };
  while (!is_small(length_)) length_ *= 0.5;
  for (int i = 0; i < 3 && is_small(length_ * kSeriesGrowth); ++i) length_ *= kSeriesGrowth;
}

void SlipSeries::update_end() {
  end_ = c_[kOrder];
  end_slope_ = {};
  for (std::size_t k = kOrder; k-- > 0;) {
    for (std::size_t j = 0; j < kNumQuantities; ++j) {
      end_slope_[j] = end_slope_[j] * length_ + end_[j];
      end_[j] = end_[j] * length_ + c_[k][j];
    }
  }
}

SlipSeries::Value SlipSeries::calc(Quantity quantity, double s) const {
  if (s == length_) return {end_[quantity], end_slope_[quantity]};
  Value sum{c_[kOrder][quantity], 0.0};
  for (std::size_t k = kOrder; k-- > 0;) {
    sum.slope = sum.slope * s + sum.value;
    sum.value = sum.value * s + c_[k][quantity];
  }
  return sum;
}

double SlipSeries::value(Quantity quantity, double s) const {
  return calc(quantity, s).value;
}

double SlipSeries::slope(Quantity quantity, double s) const {
  return s == 0.0 ? c_[1][quantity] : calc(quantity, s).slope;
}

SpatialPoint SlipSeries::at(double s) const {
  Lanes sums = end_;
  if (s != length_) {
    sums = c_[kOrder];
    for (std::size_t k = kOrder; k-- > 0;) {
      for (std::size_t j = 0; j < kNumQuantities; ++j) sums[j] = sums[j] * s + c_[k][j];
    }
  }
  return {.p = {sums[kPx], sums[kPy], sums[kPz]},
          .v = {sums[kVx], sums[kVy], sums[kVz]},
          .E_n = sums[kEn],
          .E_f = sums[kEf]};
}

// Finds the maximum between `low`, where the slope is positive, and `high`, where it is negative.
double SlipSeries::find_top(Quantity quantity, double low, double high) const {
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (slope(quantity, middle) > 0.0 ? low : high) = middle;
  }
  return low;
}

// Newton's method inside a bracket, between whose ends the quantity crosses the goal.
double SlipSeries::find_between(Quantity quantity, double goal, double low, double high) const {
  constexpr double kConverged = 4e-16;  // of s
  const bool is_rising = value(quantity, high) >= goal;
  double s = high;
  for (int i = 0; i < 200; ++i) {
    const Value here = calc(quantity, s);
    const double miss = here.value - goal;
    if (miss == 0.0) return s;
    ((miss < 0.0) == is_rising ? low : high) = s;
    double next = s - miss / here.slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::fabs(next - s) <= kConverged * s || next == low || next == high) return next;
    s = next;
  }
  return s;
}

double SlipSeries::find_rise(Quantity quantity, double goal, double low, double high) const {
  if (!(value(quantity, high) >= goal)) {
    if (!(slope(quantity, low) > 0.0 && slope(quantity, high) < 0.0)) return -1.0;
    high = find_top(quantity, low, high);
    if (!(value(quantity, high) >= goal)) return -1.0;
  }
  return find_between(quantity, goal, low, high);
}

double SlipSeries::find_fall(Quantity quantity, double goal, double low, double high) const {
  if (!(value(quantity, high) < goal)) return -1.0;
  if (slope(quantity, low) > 0.0) low = find_top(quantity, low, high);
  return find_between(quantity, goal, low, high);
}

}  // namespace tenpin::impact
