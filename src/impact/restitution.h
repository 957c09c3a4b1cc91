// The end of an impact: which quantity must reach which value.
#pragma once

#include <cmath>
#include <limits>

#include "impact/law.h"
#include "impact/tolerances.h"

namespace tenpin::impact {

constexpr double kNever = std::numeric_limits<double>::infinity();

// The normal part of the current point of an impact.
struct NormalState {
  double p_n = 0.0;  // N s
  double v_n = 0.0;  // m/s
  double E_n = 0.0;  // J
};

class Goal {
 public:
  Goal() = default;
  // Made from the normal velocity before the impact and the state at the end of compression.
  Goal(const Surface& surface, double v_n_before, const NormalState& compression)
      : law_(surface.law) {
    const double e = surface.restitution;
    switch (law_) {
      case Law::kNewton:
        value_ = -e * v_n_before;
        return;
      case Law::kPoisson:
        value_ = (1.0 + e) * compression.p_n;
        return;
      default:
        value_ = compression.E_n - calc_returned_share(surface) * compression.E_n;
    }
  }

  Law law() const { return law_; }
  double value() const { return value_; }

  // The normal impulse from here to the end while v_n changes at a constant rate per impulse;
  // infinite if the end is not reached in this way.
  [[nodiscard]] double calc_impulse_to(const NormalState& here, double rate) const {
    if (law_ == Law::kPoisson) return value_ - here.p_n;
    if (law_ == Law::kNewton) {
      if (here.v_n >= value_) return 0.0;
      return rate > 0.0 ? (value_ - here.v_n) / rate : kNever;
    }
    // The smaller positive root d of (rate / 2) d^2 + v_n d = work still to be returned.
    const double work = value_ - here.E_n;
    if (!(work > 0.0)) return 0.0;  // lost to rounding, or smaller than any double
    const double square = here.v_n * here.v_n + 2.0 * rate * work;
    return square > 0.0 ? 2.0 * work / (here.v_n + std::sqrt(square)) : kNever;
  }

 private:
  Law law_ = Law::kEnergetic;
  double value_ = 0.0;  // m/s, N s or J
};

}  // namespace tenpin::impact
