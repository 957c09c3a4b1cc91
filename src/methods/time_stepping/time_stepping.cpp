#include "methods/time_stepping/time_stepping.h"

#include <chrono>
#include <limits>
#include <memory>

#include "base/check.h"
#include "methods/fixed_step.h"
#include "methods/time_stepping/default_stepping.h"
#include "methods/time_stepping/order1/stepper.h"
#include "methods/time_stepping/order2/stepper.h"
#include "methods/time_stepping/retry.h"
#include "methods/time_stepping/tolerances.h"

namespace tenpin::methods::time_stepping {

namespace {

TakeStep make_step(order2::Stepper* stepper) {
  return [stepper](double h, double t_end, dynamics::State* state, StepReport* report) {
    stepper->step(h, t_end, state, report);
    return stepper->contacts();
  };
}

TakeStep make_step(order1::Stepper* stepper, OwnError own_error) {
  return [=](double h, double t_end, dynamics::State* state, StepReport* report) {
    stepper->step(h, t_end, own_error, state, report);
    return stepper->contacts();
  };
}

// True if the scene asks for the paper's scheme as printed, including its errors.
bool is_printed(const scene::TimeSteppingOptions& options) {
  using Options = scene::TimeSteppingOptions;
  const bool at_velocities = options.formulation == Options::Formulation::kVelocity;
  return options.lever == Options::Lever::kPrinted || (at_velocities && !options.projection);
}

// A stepper of first order that divides its own steps. The errors of the shortest parts are
// accepted up to a total, and the ledger contains the energy that they add.
class FirstOrder {
 public:
  FirstOrder(const dynamics::Model& model, const scene::TimeSteppingOptions& options,
             const Workers& workers)
      : stepper_(model, options, workers),
        retrying_({.step = make_step(&stepper_, OwnError::kBounded),
                   .last_resort = make_step(&stepper_, OwnError::kAccepted),
                   .last_resort_name = "accepting their error",
                   .begin_parts = {}}) {}

  // All parts until the next call belong to one step.
  void begin_parts() { stepper_.begin_parts(); }

  std::span<const contact::ContactRecord> step(double h, double t_end, dynamics::State* state,
                                               StepReport* report) {
    retrying_.step(h, t_end, state, report);
    return retrying_.contacts();
  }

 private:
  order1::Stepper stepper_;
  RetryingStep retrying_;
};

// The last resort is the velocity formulation, which removes overlaps without adding velocity. With
// sleeping it is the position formulation, because sleeping bodies must not move. Its stepper is
// created when it is first needed, which is rare.
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
          .last_resort_name = options.sleeping ? "order 1" : "the velocity formulation of order 1",
          .begin_parts =
              [order1] {
                if (*order1 != nullptr) (*order1)->begin_parts();
              }};
}

// Decides how steps are divided. Shorter steps make the paper's scheme more accurate. Compliant
// contacts remember the impulses of a whole step, so their steps are not divided.
RetryPlan plan_retries(const dynamics::Model& model, const scene::TimeSteppingOptions& options,
                       const Workers& workers, order1::Stepper* stepper) {
  if (options.is_compliant() || is_printed(options)) {
    return {.step = make_step(stepper, OwnError::kShown),
            .max_halvings = 0,
            .last_resort = {},
            .last_resort_name = "",
            .begin_parts = {}};
  }
  return plan_last_resort(model, options, workers, make_step(stepper, OwnError::kBounded));
}

RetryPlan plan_retries(const dynamics::Model& model, const scene::TimeSteppingOptions& options,
                       const Workers& workers, order2::Stepper* stepper) {
  return plan_last_resort(model, options, workers, make_step(stepper));
}

template <class StepperOfOrder>
class TimeStepping final : public FixedStep {
 public:
  TimeStepping(const dynamics::Model& model, const scene::TimeSteppingOptions& options, int threads)
      : FixedStep(options.step),
        model_(&model),
        options_(options),
        workers_(threads),
        stepper_(model, options, workers_),
        retrying_(plan_retries(model, options, workers_, &stepper_)) {}

  // The stepper of the last resort is created again when it is next needed.
  void model_changed() override {
    stepper_.model_changed();
    retrying_ = RetryingStep(plan_retries(*model_, options_, workers_, &stepper_));
  }

  void set_step_limit(const StepLimit& limit) override {
    step_limit_ = limit.seconds;
    workers_.deadline().set_flag(limit.stop);
  }

 private:
  std::span<const contact::ContactRecord> take_step(const Span& span, dynamics::State* state,
                                                    StepReport* report,
                                                    StepObserver* /*observer*/) override {
    start_clock();
    const bool reaches_jump =
        model_->has_breaks && state->t + span.h > span.t_end + kTimeRounding * span.t_end;
    const double h = reaches_jump ? span.t_end - state->t : span.h;
    try {
      retrying_.step(h, span.t_end, state, report);
    } catch (const StepStopped&) {
      model_changed();  // what the stepper stored in half a step must not enter the next one
      *report = {.step = state->step + 1, .t = state->t, .status = AdvanceStatus::kStopped};
      return {};
    }
    return retrying_.contacts();
  }

  // Starts the deadline; solvers ask the workers whether it is over.
  void start_clock() {
    constexpr double kMostSeconds = 1e9;  // a clock counts nanoseconds in 64 bits
    if (step_limit_ > kMostSeconds) return;
    workers_.deadline().set_time(Deadline::Clock::now() +
                                 std::chrono::duration_cast<Deadline::Clock::duration>(
                                     std::chrono::duration<double>(step_limit_)));
  }

  const dynamics::Model* model_;
  scene::TimeSteppingOptions options_;
  double step_limit_ = std::numeric_limits<double>::infinity();  // s   of real time
  Workers workers_;
  StepperOfOrder stepper_;
  RetryingStep retrying_;
};

// Refuses options named by the scene that cannot be combined. Defaults can always be combined.
void check_stepping(const dynamics::Model& model, const Stepping& stepping) {
  using Options = scene::TimeSteppingOptions;
  const Options& options = stepping.options;
  const bool by_cone = *options.solver == Options::Solver::kCone;
  const std::string bad_limit = find_bad_limit(model);
  TENPIN_REQUIRE(bad_limit.empty(), "method.time-stepping: cannot do " + bad_limit);
  const std::string polytope = by_cone ? find_polytope(model) : "";
  TENPIN_REQUIRE(polytope.empty(), "method.time-stepping.solver: the round cone cannot do " +
                                       polytope + ", got cone, want lemke");
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
  const Stepping stepping = choose_stepping(model, std::get<scene::TimeSteppingOptions>(options));
  check_stepping(model, stepping);
  if (*stepping.options.order == 1) {
    return std::make_unique<TimeStepping<order1::Stepper>>(model, stepping.options, threads);
  }
  return std::make_unique<TimeStepping<order2::Stepper>>(model, stepping.options, threads);
}

}  // namespace tenpin::methods::time_stepping
