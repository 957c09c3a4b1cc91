// Numerical integration of y' = f(t, y) with adaptive steps and dense output.   [B89, §3]
// Written here instead of taken from a library, so that every sum has a fixed order and the bits do
// not depend on how a library was built.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "math/types.h"
#include "scene/options.h"

namespace tenpin::methods::analytic {

class Equations {
 public:
  virtual ~Equations() = default;
  virtual void calc_rate(double t, const VecX& y, VecX* rate) = 0;
};

struct StepRange {
  double h_max = 0.0;      // s   upper bound
  double h_guess = 0.0;    // s   first attempt
  double tolerance = 0.0;  // -   of each component, relative to 1 + its size, in one step
  int num_steering = 0;    // the first components, at least one, control the error; others are
                           // integrated without error control
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  // Takes one step from (t, y) that meets the tolerance. False if no step long enough to advance
  // time does, or if a number is not finite.
  [[nodiscard]] bool step(Equations* equations, double t, const VecX& y, const StepRange& range);

  // Forgets earlier steps, because the following motion does not continue them smoothly.
  virtual void restart() {}

  // What the next step uses from earlier ones, as words; empty for methods without memory. It is
  // part of the state: load it before continuing from a state.
  virtual void save(std::vector<std::uint64_t>* words) const { words->clear(); }
  virtual void load(std::span<const std::uint64_t> /*words*/) {}

  // Of the last step.
  double h() const { return h_; }            // s   its length
  double h_next() const { return h_next_; }  // s   suggested by the error for the next one
  // y at t + theta h, 0 <= theta <= 1.
  virtual void interpolate(double theta, VecX* y) const = 0;
  const VecX& end() const { return y_end_; }
  // The components whose error ruled out the first attempted length; empty if it was accepted.
  const std::vector<int>& hindering() const { return hindering_; }

  long num_evaluations() const { return num_evaluations_; }
  long num_rejected() const { return num_rejected_; }

 protected:
  // Attempts a step of length h from y0_ at t0_; returns the error relative to its tolerance.
  virtual double try_step(Equations* equations, double h, double tolerance) = 0;
  // The closest length that a method with memory can take; others can take any.
  [[nodiscard]] virtual double admit(double h) const { return h; }

  void evaluate(Equations* equations, double t, const VecX& y, VecX* rate);
  [[nodiscard]] double calc_error(const VecX& difference, double tolerance);

  int num_steering_ = 0;
  double t0_ = 0.0;  // s
  double h_ = 0.0;
  double h_next_ = 0.0;
  VecX y0_, y_end_, scratch_;

 private:
  void find_hindering(double tolerance);

  VecX error_;  // of the last attempt
  std::vector<int> hindering_;
  long num_evaluations_ = 0;
  long num_rejected_ = 0;
};

[[nodiscard]] std::unique_ptr<Integrator> make_integrator(
    scene::AnalyticOptions::Integrator integrator);

}  // namespace tenpin::methods::analytic
