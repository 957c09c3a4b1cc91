#include "methods/time_stepping/time_stepping.h"

#include <cmath>
#include <memory>

#include "base/check.h"
#include "base/float_environment.h"
#include "methods/time_stepping/default_stepping.h"
#include "methods/time_stepping/retry.h"
#include "methods/time_stepping/second_order.h"
#include "methods/time_stepping/stepper.h"

namespace tenpin::methods::time_stepping {

namespace {

TakeStep make_step(SecondOrderStepper* stepper) {
  return [stepper](double h, double t_end, dynamics::State* state, StepReport* report) {
    stepper->step(h, t_end, state, report);
    return stepper->contacts();
  };
}

TakeStep make_step(Stepper* stepper, OwnError own_error) {
  return [=](double h, double t_end, dynamics::State* state, StepReport* report) {
    stepper->step(h, t_end, own_error, state, report);
    return stepper->contacts();
  };
}

// True if the scene asks for the paper's scheme as printed, errors included.
bool is_printed(const scene::TimeSteppingOptions& options) {
  using Options = scene::TimeSteppingOptions;
  const bool at_velocities = options.formulation == Options::Formulation::kVelocity;
  return options.lever == Options::Lever::kPrinted || (at_velocities && !options.projection);
}

// A stepper of first order with shorter steps of its own, the shortest as they are: what they gain
// is in the ledger.
class FirstOrder {
 public:
  FirstOrder(const dynamics::Model& model, const scene::TimeSteppingOptions& options,
             const Workers& workers)
      : stepper_(model, options, workers),
        retrying_({.step = make_step(&stepper_, OwnError::kBounded),
                   .last_resort = make_step(&stepper_, OwnError::kAccepted),
                   .last_resort_name = "accepting their error"}) {}

  std::span<const contact::ContactRecord> step(double h, double t_end, dynamics::State* state,
                                               StepReport* report) {
    retrying_.step(h, t_end, state, report);
    return retrying_.contacts();
  }

 private:
  Stepper stepper_;
  RetryingStep retrying_;
};

// By velocities, where overlaps are undone without a push. What sleeps must stay where it is, so
// with sleeping by positions. The stepper is made when it is first needed, which is rare.
RetryPlan plan_last_resort(const dynamics::Model& model, scene::TimeSteppingOptions options,
                           const Workers& workers, const TakeStep& step) {
  using Options = scene::TimeSteppingOptions;
  options.order = 1;
  options.formulation =
      options.sleeping ? Options::Formulation::kPosition : Options::Formulation::kVelocity;
  const auto order1 = std::make_shared<std::unique_ptr<FirstOrder>>();
  return {.step = step,
          .last_resort =
              [=, &model, &workers](double h, double t_end, dynamics::State* state,
                                    StepReport* report) {
                if (*order1 == nullptr) {
                  *order1 = std::make_unique<FirstOrder>(model, options, workers);
                }
                return (*order1)->step(h, t_end, state, report);
              },
          .last_resort_name = options.sleeping ? "order 1" : "the velocity formulation of order 1"};
}

// Shorter steps make the paper's scheme more accurate. Springs remember the impulses of a whole
// step, so theirs are not divided.
RetryPlan plan_retries(const dynamics::Model& model, const scene::TimeSteppingOptions& options,
                       const Workers& workers, Stepper* stepper) {
  if (options.is_compliant() || is_printed(options)) {
    return {.step = make_step(stepper, OwnError::kShown),
            .max_halvings = 0,
            .last_resort = {},
            .last_resort_name = ""};
  }
  return plan_last_resort(model, options, workers, make_step(stepper, OwnError::kBounded));
}

RetryPlan plan_retries(const dynamics::Model& model, const scene::TimeSteppingOptions& options,
                       const Workers& workers, SecondOrderStepper* stepper) {
  return plan_last_resort(model, options, workers, make_step(stepper));
}

template <class StepperOfOrder>
class TimeStepping final : public Method {
 public:
  TimeStepping(const dynamics::Model& model, const scene::TimeSteppingOptions& options, int threads)
      : model_(&model),
        options_(options),
        h_(options.step),
        workers_(threads),
        stepper_(model, options, workers_),
        retrying_(plan_retries(model, options, workers_, &stepper_)) {}

  AdvanceStatus advance(double t_target, double t_limit, dynamics::State* state,
                        StepObserver* observer) override {
    // A target that is a multiple of h up to rounding counts as that multiple.
    while (state->t < t_limit && (state->t < t_target - slack() || t_target >= t_limit)) {
      const AdvanceStatus status = step(t_limit, state, observer);
      if (status != AdvanceStatus::kReachedEnd) return status;
    }
    return AdvanceStatus::kReachedEnd;
  }

  // Step n ends at n h exactly; a last, shorter one lands on t_limit.
  AdvanceStatus step(double t_limit, dynamics::State* state, StepObserver* observer) override {
    if (!(state->t < t_limit)) return AdvanceStatus::kReachedEnd;
    const FloatEnvironment environment;
    const double t_next = static_cast<double>(state->step + 1) * h_;
    const double t_end = t_next > t_limit - slack() ? t_limit : t_next;
    const double length = t_end - state->t;
    const double h = std::fabs(length - h_) <= slack() ? h_ : length;
    const std::int64_t before = state->step;
    retrying_.step(h, t_end, state, &report_);
    if (t_end < t_next - slack()) state->step = before;  // a part of a step does not count
    const bool go_on =
        observer == nullptr || observer->on_step(report_, retrying_.contacts(), *state);
    if (report_.status != AdvanceStatus::kReachedEnd) return report_.status;
    return go_on ? AdvanceStatus::kReachedEnd : AdvanceStatus::kStopped;
  }

  // The stepper of a last resort is made again when it is next needed.
  void model_changed() override {
    stepper_.model_changed();
    retrying_ = RetryingStep(plan_retries(*model_, options_, workers_, &stepper_));
  }

 private:
  double slack() const { return 1e-9 * h_; }

  const dynamics::Model* model_;
  scene::TimeSteppingOptions options_;
  double h_;  // s
  Workers workers_;
  StepperOfOrder stepper_;
  RetryingStep retrying_;
  StepReport report_;
};

// Refuses what is named and cannot be. What is chosen by default always can.
void check_stepping(const dynamics::Model& model, const Stepping& stepping) {
  using Options = scene::TimeSteppingOptions;
  const Options& options = stepping.options;
  const bool by_cone = *options.solver == Options::Solver::kCone;
  TENPIN_REQUIRE(!options.is_compliant() || by_cone,
                 "method.time-stepping.contact: compliance needs the round cone, got solver " +
                     stepping.solver_text() + ", want cone");
  TENPIN_REQUIRE(
      !options.is_compliant() || *options.formulation != Options::Formulation::kVelocity,
      "method.time-stepping.contact: a spring needs to know the gap, got formulation velocity, "
      "want position or nonlinear");
  TENPIN_REQUIRE(
      !options.sleeping || *options.formulation != Options::Formulation::kVelocity,
      "method.time-stepping.sleeping: the projection moves what rests, got formulation velocity, "
      "want position or nonlinear");
  const std::string beyond = *options.order == 2 ? find_beyond_second_order(model, options) : "";
  TENPIN_REQUIRE(beyond.empty(), "method.time-stepping.order: the second order cannot do " +
                                     beyond + ", got 2, want 1");
}

}  // namespace

std::unique_ptr<Method> make(const dynamics::Model& model, const scene::MethodOptions& options,
                             int threads) {
  const Stepping stepping = choose_stepping(model, options.time_stepping);
  check_stepping(model, stepping);
  if (*stepping.options.order == 1) {
    return std::make_unique<TimeStepping<Stepper>>(model, stepping.options, threads);
  }
  return std::make_unique<TimeStepping<SecondOrderStepper>>(model, stepping.options, threads);
}

}  // namespace tenpin::methods::time_stepping
