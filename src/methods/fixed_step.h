// The loop shared by all methods with steps of equal length.
#pragma once

#include <cmath>
#include <span>

#include "base/float_environment.h"
#include "methods/method.h"

namespace tenpin::methods {

// Step n ends at exactly n h. A last, shorter step ends at the time limit and does not count.
// Derived classes compute the steps.
class FixedStep : public Method {
 public:
  explicit FixedStep(double h) : h_(h) {}

  AdvanceStatus advance(double t_target, double t_limit, dynamics::State* state,
                        StepObserver* observer) final {
    // If t_target is a multiple of h up to rounding, it counts as that multiple.
    while (state->t < t_limit && (state->t < t_target - slack() || t_target >= t_limit)) {
      const AdvanceStatus status = step(t_limit, state, observer);
      if (status != AdvanceStatus::kReachedEnd) return status;
    }
    return AdvanceStatus::kReachedEnd;
  }

  AdvanceStatus step(double t_limit, dynamics::State* state, StepObserver* observer) final {
    if (!(state->t < t_limit)) return AdvanceStatus::kReachedEnd;
    const FloatEnvironment environment;
    const double t_next = static_cast<double>(state->step + 1) * h_;
    const double t_end = t_next > t_limit - slack() ? t_limit : t_next;
    const double length = t_end - state->t;
    const Span span{.h = std::fabs(length - h_) <= slack() ? h_ : length, .t_end = t_end};
    const std::int64_t before = state->step;
    const std::span<const contact::ContactRecord> contacts =
        take_step(span, state, &report_, observer);
    if (report_.status == AdvanceStatus::kStopped) return AdvanceStatus::kStopped;
    if (t_end < t_next - slack()) state->step = before;
    const bool continues = observer == nullptr || observer->on_step(report_, contacts, *state);
    if (report_.status != AdvanceStatus::kReachedEnd) return report_.status;
    return continues ? AdvanceStatus::kReachedEnd : AdvanceStatus::kStopped;
  }

 protected:
  struct Span {
    // s   length of the step; equal to the method's step length unless the step is shorter
    double h = 0.0;
    double t_end = 0.0;  // s
  };
  // Advances *state to span.t_end, or leaves it unchanged and gives the reason in *report. Returns
  // the contacts of the step, which are valid until the next one. The observer may stop a long
  // step.
  [[nodiscard]] virtual std::span<const contact::ContactRecord> take_step(
      const Span& span, dynamics::State* state, StepReport* report, StepObserver* observer) = 0;

 private:
  double slack() const { return 1e-9 * h_; }

  double h_;  // s
  StepReport report_;
};

}  // namespace tenpin::methods
