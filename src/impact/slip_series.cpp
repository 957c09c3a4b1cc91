#include "impact/slip_series.h"

#include <algorithm>
#include <cmath>

namespace tenpin::impact {

namespace {

// Of the slip at the start of the step: what the first terms that are left out may come to.
constexpr double kTruncation = 1e-17;
// In units of the field's time scale: longer steps are never needed.
constexpr double kLongest = 8.0;

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
  from_ = from;
  mu_ = field.mu();
  const Mat2& A = field.tangential_block();
  const Vec2& w = field.coupling();
  Coefficients& x = c_[kVx];
  Coefficients& y = c_[kVy];
  Coefficients& z = c_[kVz];
  x[0] = from.v[0];
  y[0] = from.v[1];
  z[0] = from.v[2];
  c_[kPz][0] = from.p[2];
  c_[kEn][0] = from.E_n;
  c_[kEf][0] = from.E_f;
  for (std::size_t k = 0; k < kOrder; ++k) {
    // Inner terms of the products v_x v_x, v_y v_y, |v_t| |v_t| and v_z |v_t|, side by side.
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
    x[k + 1] = share * (slip_[k] * w[0] - mu_ * (A(0, 0) * x[k] + A(0, 1) * y[k]));
    y[k + 1] = share * (slip_[k] * w[1] - mu_ * (A(1, 0) * x[k] + A(1, 1) * y[k]));
    z[k + 1] = share * (slip_[k] * field.normal_entry() - mu_ * (w[0] * x[k] + w[1] * y[k]));
    c_[kPz][k + 1] = share * slip_[k];
    c_[kEn][k + 1] = share * power;
    c_[kEf][k + 1] = -share * mu_ * square;
  }
  length_ = kLongest / field.scale();
  update_length(slip_[0]);
}

// The last two terms of the slip bound what is left out. A coarse power of two first, so that no
// logarithm is needed, then smaller steps.
void SlipSeries::update_length(double scale) {
  const auto is_small = [this, scale](double s) {
    const auto term = [this](int n) {
      const auto i = static_cast<std::size_t>(n);
      return std::max(std::fabs(c_[kVx][i]), std::fabs(c_[kVy][i]));
    };
    const double power = calc_power(s, kOrder - 1);
    return term(kOrder - 1) * power <= kTruncation * scale &&
           term(kOrder) * power * s <= kTruncation * scale;
  };
  while (!is_small(length_)) length_ *= 0.5;
  constexpr double kGrow = 1.1892071150027210667;  // 2^(1/4)
  for (int i = 0; i < 3 && is_small(length_ * kGrow); ++i) length_ *= kGrow;
}

double SlipSeries::value(Quantity quantity, double s) const {
  const Coefficients& c = c_[quantity];
  double sum = c[kOrder];
  for (int i = kOrder - 1; i >= 0; --i) sum = sum * s + c[static_cast<std::size_t>(i)];
  return sum;
}

double SlipSeries::slope(Quantity quantity, double s) const {
  const Coefficients& c = c_[quantity];
  double sum = kOrder * c[kOrder];
  for (int i = kOrder - 1; i >= 1; --i) sum = sum * s + i * c[static_cast<std::size_t>(i)];
  return sum;
}

SpatialPoint SlipSeries::at(double s) const {
  // All quantities side by side: each is a chain of products that waits for the one before.
  std::array<double, kNumQuantities> sums;
  for (std::size_t j = 0; j < kNumQuantities; ++j) sums[j] = c_[j][kOrder];
  for (std::size_t k = kOrder; k-- > 0;) {
    for (std::size_t j = 0; j < kNumQuantities; ++j) sums[j] = sums[j] * s + c_[j][k];
  }
  SpatialPoint point;
  point.v = {sums[kVx], sums[kVy], sums[kVz]};
  point.E_n = sums[kEn];
  point.E_f = sums[kEf];
  // p_t is -mu times the integral of v_t.
  Vec2 way(0.0, 0.0);
  for (int i = kOrder - 1; i >= 0; --i) {
    const auto k = static_cast<std::size_t>(i);
    way = (way + Vec2(c_[kVx][k], c_[kVy][k]) / (i + 1)) * (i > 0 ? s : 1.0);
  }
  point.p = {from_.p[0] - mu_ * way[0] * s, from_.p[1] - mu_ * way[1] * s, sums[kPz]};
  return point;
}

// The slope is positive at `low` and negative at `high`.
double SlipSeries::find_top(Quantity quantity, double low, double high) const {
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (slope(quantity, middle) > 0.0 ? low : high) = middle;
  }
  return low;
}

// Newton's method kept inside the bracket, between whose ends the quantity passes the goal.
double SlipSeries::find_between(Quantity quantity, double goal, double low, double high) const {
  const bool is_rising = value(quantity, high) >= goal;
  double s = high;
  for (int i = 0; i < 200; ++i) {
    const double miss = value(quantity, s) - goal;
    if (miss == 0.0) return s;
    ((miss < 0.0) == is_rising ? low : high) = s;
    double next = s - miss / slope(quantity, s);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == s || next == low || next == high) return next;
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
