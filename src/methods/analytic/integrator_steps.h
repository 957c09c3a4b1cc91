// The available integrators.
#pragma once

#include "methods/analytic/integrator.h"

namespace tenpin::methods::analytic {

// Dormand-Prince of order five with embedded order four, and dense output of order four.   [HNW93,
// §II.5]
class DormandPrince final : public Integrator {
 public:
  void interpolate(double theta, VecX* y) const override;

 protected:
  double try_step(Equations* equations, double h, double tolerance) override;

 private:
  std::array<VecX, 7> k_;
  std::array<VecX, 5> dense_;
};

// Classic Runge-Kutta of order four, twice with half the step and once with the whole. Their
// difference is the error, which extrapolation removes. Dense output is the quintic through both
// halves.
class RungeKutta4 final : public Integrator {
 public:
  void interpolate(double theta, VecX* y) const override;

 protected:
  double try_step(Equations* equations, double h, double tolerance) override;

 private:
  // *end = y after h seconds; `first` is the rate at y.
  void advance(Equations* equations, double t, double h, const VecX& y, const VecX& first,
               VecX* end);

  VecX k2_, k3_, k4_, middle_, whole_;
  VecX rate_start_, rate_middle_, rate_end_;
};

// Adams-Bashforth-Moulton of order four: predict, evaluate, correct. Steps are equal while it
// continues; it starts and changes its step with Runge-Kutta. Milne's device estimates the error.
// [HNW93, §III.1]
class Adams final : public Integrator {
 public:
  void restart() override;
  void save(std::vector<std::uint64_t>* words) const override;
  void load(std::span<const std::uint64_t> words) override;
  void interpolate(double theta, VecX* y) const override;

 protected:
  double try_step(Equations* equations, double h, double tolerance) override;
  double admit(double h) const override;

 private:
  static constexpr int kPast = 3;

  void remember();
  bool can_continue(double h) const;

  RungeKutta4 starter_;
  bool by_starter_ = false;       // was the last attempt the starter's?
  int num_past_ = 0;              // rates known before t0
  double past_h_ = 0.0;           // s   their spacing
  std::array<VecX, kPast> past_;  // rates at t0 - h, t0 - 2h, t0 - 3h
  bool has_rate_ = false;
  double t_rate_ = 0.0;  // s   time of rate_
  VecX rate_, rate_end_, predicted_;
};

}  // namespace tenpin::methods::analytic
