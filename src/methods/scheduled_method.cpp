#include "methods/scheduled_method.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "dynamics/breaks.h"
#include "methods/event_watch.h"

namespace tenpin::methods {

namespace {

using contact::ContactRecord;
using dynamics::Event;
using dynamics::FiredEvent;
using dynamics::State;

// s   The accuracy of an event's time; relative to the time if that is longer than a second. It is
// about a thousand times the rounding error, so that the search ends.
constexpr double kEventTime = 1e-12;
constexpr int kMostSearchSteps = 200;  // bisection alone needs 50 for a step of a second

// Stores one step and its contacts, which are valid until the method advances again.
class StepKeeper final : public StepObserver {
 public:
  explicit StepKeeper(StepObserver* outer) : outer_(outer) {}

  bool on_step(const StepReport& report, std::span<const ContactRecord> contacts,
               const State& /*state*/) override {
    report_ = report;
    contacts_ = contacts;
    has_step_ = true;
    return true;
  }
  bool is_stopped() override { return outer_ != nullptr && outer_->is_stopped(); }

  bool has_step() const { return has_step_; }
  const StepReport& report() const { return report_; }
  std::span<const ContactRecord> contacts() const { return contacts_; }

 private:
  StepObserver* outer_;
  StepReport report_;
  std::span<const ContactRecord> contacts_;
  bool has_step_ = false;
};

// Records whether a contact occurred before a given time.
class ContactProbe final : public StepObserver {
 public:
  explicit ContactProbe(const Event& event) : event_(&event) {}

  bool on_step(const StepReport& report, std::span<const ContactRecord> contacts,
               const State& /*state*/) override {
    is_made_ = is_made_ ||
               (report.status == AdvanceStatus::kReachedEnd && is_contact_made(*event_, contacts));
    return true;
  }
  bool is_made() const { return is_made_; }

 private:
  const Event* event_;
  bool is_made_ = false;
};

class ScheduledMethod final : public Method {
 public:
  ScheduledMethod(dynamics::Model* model, std::unique_ptr<Method> inner, bool is_event_driven)
      : model_(model),
        inner_(std::move(inner)),
        is_event_driven_(is_event_driven),
        watch_(*model),
        base_(*model) {
    for (const dynamics::Break& at : dynamics::find_breaks(*model)) {
      if (at.is_jump || is_event_driven) breaks_.push_back(at.t);
    }
  }

  AdvanceStatus advance(double t_target, double t_limit, State* state,
                        StepObserver* observer) override {
    AdvanceStatus status = AdvanceStatus::kReachedEnd;
    while (status == AdvanceStatus::kReachedEnd && state->t < t_limit &&
           is_before(state->t, t_target, t_limit)) {
      const double before = state->t;
      status = go(t_target, t_limit, state, observer);
      // A method with fixed steps may not move if it has reached its target up to rounding.
      if (status == AdvanceStatus::kReachedEnd && state->t == before && !has_fired_) break;
    }
    return status;
  }

  AdvanceStatus step(double t_limit, State* state, StepObserver* observer) override {
    if (!(state->t < t_limit)) return AdvanceStatus::kReachedEnd;
    return go(std::nullopt, t_limit, state, observer);
  }

  void model_changed() override {
    has_new_base_ = true;
    inner_->model_changed();
  }

  void prepare(const State& state) override {
    if (model_->events.empty()) return;
    if (has_new_base_) {
      base_ = EventValues(*model_);
      num_in_base_ = state.fired.size();
      applied_ = state.fired;
      has_new_base_ = false;
      apply_releases(state.fired, model_);
      inner_->model_changed();
    }
    if (applied_ == state.fired) return;
    base_.restore(model_);
    for (std::size_t k = num_in_base_; k < state.fired.size(); ++k) {
      apply_settings(model_->events[state.fired[k].event], state.fired[k].t, model_);
    }
    apply_releases(state.fired, model_);
    applied_ = state.fired;
    inner_->model_changed();
  }

  void set_step_limit(const StepLimit& limit) override { inner_->set_step_limit(limit); }

 private:
  // The time limit of the inner method up to the next break, and the time of that break.
  struct Stretch {
    double limit = 0.0;  // s
    double snap = 0.0;   // s   time that the state is set to when it reaches the limit
    bool has_break = false;
  };

  // A target that is reached up to rounding counts as reached.
  static bool is_before(double t, double t_target, double t_limit) {
    return t < dynamics::left_of(t_target) || t_target >= t_limit;
  }

  // Advances by one step (no target), or up to the target, the next break or the next event.
  AdvanceStatus go(std::optional<double> t_target, double t_limit, State* state,
                   StepObserver* observer) {
    has_fired_ = false;
    if (state->t == 0.0 && state->fired.empty() && fire_at_start(state)) {
      return AdvanceStatus::kStopped;
    }
    prepare(*state);
    const Stretch stretch = find_stretch(t_limit, state);
    if (!(state->t < t_limit)) return AdvanceStatus::kReachedEnd;
    const bool locates = is_event_driven_ && !model_->events.empty();
    return locates ? go_and_locate(stretch, state, observer)
                   : go_on(t_target, stretch, state, observer);
  }

  Stretch find_stretch(double t_limit, State* state) {
    auto next = std::upper_bound(breaks_.begin(), breaks_.end(), state->t);
    // A break that is reached up to rounding counts as reached.
    while (next != breaks_.end() && dynamics::left_of(*next) <= state->t && *next <= t_limit) {
      state->t = *next++;
      inner_->model_changed();
    }
    if (next == breaks_.end() || *next > t_limit) {
      return {.limit = t_limit, .snap = t_limit};
    }
    return {.limit = dynamics::left_of(*next), .snap = *next, .has_break = true};
  }

  // Passes steps on to the observer. At the end of the stretch, sets the time to that of the break.
  class Relay final : public StepObserver {
   public:
    Relay(ScheduledMethod* method, const Stretch& stretch, State* state, StepObserver* outer)
        : method_(*method), stretch_(stretch), state_(*state), outer_(outer) {}

    bool on_step(const StepReport& report, std::span<const ContactRecord> contacts,
                 const State& /*state*/) override {
      const bool is_good = report.status == AdvanceStatus::kReachedEnd;
      if (!is_good || !stretch_.has_break || state_.t != stretch_.limit) {
        goes_on_ = tell(report, contacts);
      } else {
        state_.t = stretch_.snap;
        StepReport snapped = report;
        snapped.t = stretch_.snap;
        goes_on_ = tell(snapped, contacts);
      }
      if (is_good) {
        fired_ = method_.find_fired(state_, contacts);
        has_fired_ = !fired_.empty();
      }
      return goes_on_ && !has_fired_;
    }
    bool is_stopped() override { return outer_ != nullptr && outer_->is_stopped(); }

    bool goes_on() const { return goes_on_; }
    bool has_fired() const { return has_fired_; }
    const std::vector<int>& fired() const { return fired_; }

   private:
    bool tell(const StepReport& report, std::span<const ContactRecord> contacts) {
      return outer_ == nullptr || outer_->on_step(report, contacts, state_);
    }

    ScheduledMethod& method_;
    const Stretch& stretch_;
    State& state_;
    StepObserver* outer_;
    bool goes_on_ = true;
    bool has_fired_ = false;
    std::vector<int> fired_;
  };

  // Advances and applies events that occur at the end of the advance: they take effect in the next
  // step.
  AdvanceStatus go_on(std::optional<double> t_target, const Stretch& stretch, State* state,
                      StepObserver* observer) {
    Relay relay(this, stretch, state, observer);
    const AdvanceStatus status =
        t_target ? inner_->advance(std::min(*t_target, stretch.limit), stretch.limit, state, &relay)
                 : inner_->step(stretch.limit, state, &relay);
    return finish(status, stretch, relay, state);
  }

  AdvanceStatus finish(AdvanceStatus status, const Stretch& stretch, const Relay& relay,
                       State* state) {
    if (stretch.has_break && state->t == stretch.snap) inner_->model_changed();
    if (!relay.has_fired()) return status;
    const bool stops = fire(relay.fired(), state);
    return stops || !relay.goes_on() ? AdvanceStatus::kStopped : AdvanceStatus::kReachedEnd;
  }

  // Takes one step. If an event falls into the step, ends the step at the first event.
  AdvanceStatus go_and_locate(const Stretch& stretch, State* state, StepObserver* observer) {
    const State before = *state;
    StepKeeper keeper(observer);
    AdvanceStatus status = inner_->step(stretch.limit, state, &keeper);
    Relay relay(this, stretch, state, observer);
    if (status == AdvanceStatus::kReachedEnd && state->t > before.t) {
      const std::vector<int> candidates = find_fired(*state, keeper.contacts());
      double first = state->t;
      for (const int event : candidates) first = std::min(first, locate(event, before, first));
      if (!candidates.empty()) {  // the search has advanced the inner method
        *state = before;
        if (!(first > before.t)) {  // has held since the model or the state was changed
          return fire(find_fired(before, {}), state) ? AdvanceStatus::kStopped
                                                     : AdvanceStatus::kReachedEnd;
        }
        status = inner_->step(first, state, &relay);
        return finish(status, stretch, relay, state);
      }
    }
    if (keeper.has_step() && !relay.on_step(keeper.report(), keeper.contacts(), *state) &&
        status == AdvanceStatus::kReachedEnd && !relay.has_fired()) {
      status = AdvanceStatus::kStopped;
    }
    return finish(status, stretch, relay, state);
  }

  // s   The first time between `before` and `late` at which the condition holds, given that it
  // holds at `late`.
  double locate(int event, const State& before, double late) {
    double early = before.t;
    double margin_early = calc_margin_at(event, before, early);
    double margin_late = calc_margin_at(event, before, late);
    if (margin_early >= 0.0) return early;
    if (margin_late < 0.0) return late;  // another event comes first
    int same_side = 0;
    const double tolerance = kEventTime * std::max(1.0, late);
    for (int k = 0; k < kMostSearchSteps && late - early > tolerance; ++k) {
      // Regula falsi, with a bisection whenever one end has not moved for several rounds.
      const bool bisects = std::abs(same_side) > 2 || !(margin_late > 0.0);
      const double fraction =
          bisects ? 0.5 : std::clamp(margin_early / (margin_early - margin_late), 0.01, 0.99);
      const double t = early + fraction * (late - early);
      const double margin = calc_margin_at(event, before, t);
      same_side = bisects ? 0 : same_side + (margin < 0.0 ? -1 : 1);
      (margin < 0.0 ? early : late) = t;
      (margin < 0.0 ? margin_early : margin_late) = margin;
    }
    return late;
  }

  // The margin of the event's condition at time t, after the method has advanced there from
  // `before`.
  double calc_margin_at(int index, const State& before, double t) {
    const Event& event = model_->events[static_cast<std::size_t>(index)];
    State trial = before;
    ContactProbe probe(event);
    const AdvanceStatus status =
        t > before.t ? inner_->advance(t, t, &trial, &probe) : AdvanceStatus::kReachedEnd;
    if (event.when == Event::When::kContact) return probe.is_made() ? 1.0 : -1.0;
    if (status != AdvanceStatus::kReachedEnd) return -1.0;
    watch_.look_at(trial);
    return watch_.calc_margin(event);
  }

  // Events whose condition holds now and which have not happened yet.
  std::vector<int> find_fired(const State& state, std::span<const ContactRecord> contacts) {
    std::vector<int> result;
    if (model_->events.empty()) return result;
    watch_.look_at(state);
    for (int k = 0; k < static_cast<int>(model_->events.size()); ++k) {
      const Event& event = model_->events[static_cast<std::size_t>(k)];
      const bool is_past =
          std::any_of(state.fired.begin(), state.fired.end(), [k](const FiredEvent& f) {
            return f.event == k;
          });
      if (is_past) continue;
      const bool holds = event.when == Event::When::kContact ? is_contact_made(event, contacts)
                                                             : watch_.calc_margin(event) >= 0.0;
      if (holds) result.push_back(k);
    }
    return result;
  }

  // Applies the events. Returns true if one of them stops the run.
  bool fire(const std::vector<int>& events, State* state) {
    bool stops = false;
    for (const int event : events) {
      state->fired.push_back({.event = event, .t = state->t});
      stops = stops || model_->events[static_cast<std::size_t>(event)].stops;
    }
    has_fired_ = has_fired_ || !events.empty();
    return stops;
  }

  bool fire_at_start(State* state) { return fire(find_fired(*state, {}), state); }

  dynamics::Model* model_;
  std::unique_ptr<Method> inner_;
  bool is_event_driven_;
  std::vector<double> breaks_;  // s   rising
  EventWatch watch_;
  EventValues base_;                 // of the model before the events after the first num_in_base_
  std::size_t num_in_base_ = 0;      // events whose settings base_ contains
  std::vector<FiredEvent> applied_;  // events whose effects the model contains now
  bool has_new_base_ = false;        // the caller has changed the model
  bool has_fired_ = false;           // in the last call of go()
};

}  // namespace

std::unique_ptr<Method> make_scheduled_method(dynamics::Model* model,
                                              const scene::MethodOptions& options, int threads) {
  std::unique_ptr<Method> inner = make_method(*model, options, threads);
  if (!model->has_breaks && model->events.empty()) return inner;
  return std::make_unique<ScheduledMethod>(model, std::move(inner), is_event_driven(options));
}

}  // namespace tenpin::methods
