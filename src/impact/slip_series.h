// The slip of a three-dimensional impact as a power series.   [MC95, eq. (10)] Equation (10) is
// singular where the slip vanishes. Here, with a parameter s such that dp_z = |v_t| ds it reads
//   dv_t/ds = |v_t| w - mu A v_t,   dv_z/ds = |v_t| W_nn - mu w . v_t,   dp_t/ds = -mu v_t,
// which is smooth everywhere: slip decays exponentially in s, however sharply it turns on the way.
// Its Taylor coefficients follow from each other by products of series, so a step of high order
// costs little, and the series is its own dense output.
#pragma once

#include <array>

#include "impact/slip_field.h"

namespace tenpin::impact {

// A point on the path of an impact.
struct SpatialPoint {
  Vec3 p = Vec3::Zero();  // N s
  Vec3 v = Vec3::Zero();  // m/s
  double E_n = 0.0;       // J   work of the normal impulse
  double E_f = 0.0;       // J   work of friction
};

class SlipSeries {
 public:
  static constexpr int kOrder = 20;

  // The quantities along the step.
  enum Quantity { kVx, kVy, kVz, kPx, kPy, kPz, kEn, kEf, kNumQuantities };

  // Computes the series around `from`, whose slip must not be zero.
  void expand(const SlipField& field, const SpatialPoint& from);

  // The largest s for which the series is accurate.
  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] SpatialPoint at(double s) const;
  [[nodiscard]] double value(Quantity quantity, double s) const;
  [[nodiscard]] double slope(Quantity quantity, double s) const;

  // The first s in [low, high] at which a quantity that starts below `goal` reaches it, or -1. The
  // quantity may have one maximum in between.
  [[nodiscard]] double find_rise(Quantity quantity, double goal, double low, double high) const;

  // The first s in (low, high] at which a quantity that starts at or above `goal` is below it, or
  // -1. The quantity may have one maximum in between.
  [[nodiscard]] double find_fall(Quantity quantity, double goal, double low, double high) const;

 private:
  // All quantities together: evaluating one polynomial is a chain of dependent products, but eight
  // independent chains take no longer than one.
  using Lanes = std::array<double, kNumQuantities>;

  void update_length(double scale);
  void update_end();
  // A quantity and its slope.
  struct Value {
    double value = 0.0;
    double slope = 0.0;
  };
  Value calc(Quantity quantity, double s) const;
  double find_top(Quantity quantity, double low, double high) const;
  double find_between(Quantity quantity, double goal, double low, double high) const;

  std::array<Lanes, kOrder + 1> c_ = {};
  std::array<double, kOrder + 1> slip_ = {};  // |v_t|
  double length_ = 0.0;
  Lanes end_ = {};  // at length_, which every step needs
  Lanes end_slope_ = {};
};

}  // namespace tenpin::impact
