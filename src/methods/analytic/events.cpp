#include "methods/analytic/events.h"

#include <algorithm>
#include <cmath>

#include "methods/analytic/tolerances.h"

namespace tenpin::methods::analytic {

namespace {

constexpr double kForce = 4e-10;   // -   of the scale: a weaker pull counts as zero
constexpr double kSlipped = 1e-3;  // -   of the scale's slip
constexpr int kMaxEarlier = 20;

}  // namespace

EventFinder::EventFinder(const dynamics::Model& model, const scene::AnalyticOptions& options)
    : model_(&model), options_(options) {}

void EventFinder::list_watches(const ForceScale& scale, const std::vector<Touch>& touches) {
  watches_.clear();
  const double force = kForce * scale.acceleration;
  for (int i = 0; i < static_cast<int>(touches.size()); ++i) {
    const Touch& touch = touches[i];
    const auto watch = [&](Kind kind, double offset, double aim, double precision) {
      watches_.push_back(
          {.touch = i, .kind = kind, .offset = offset, .aim = aim, .precision = precision});
    };
    // A force or acceleration ends where it has clearly changed sign; gaps and slip end at zero.
    const auto watch_force = [&](Kind kind) {
      watch(kind, force, 0.5 * force, 0.1 * force);
    };
    // A beginning slip may first go the other way, as long as it is slow.
    const auto watch_slip = [&] {
      const double slip = (touch.begins_to_slip ? 1.5 : kSlipped) * scale.slip;
      watch(Kind::kSlip, slip, slip, 1e-3 * slip);
    };
    if (is_dry_joint(touch)) {
      touch.grip == Grip::kStick ? watch_force(Kind::kCone) : watch_slip();
      continue;
    }
    if (!is_found(touch)) {
      // A contact that just opened may begin a little below zero.
      const double late = 0.25 * options_.event_tolerance;
      const double below = std::max(0.0, -touch.gap_start);
      watch(Kind::kGap, late + below, late, 1e-4 * options_.event_tolerance);
    }
    if (touch.grip == Grip::kIdle) watch_force(Kind::kAcceleration);
    if (is_found(touch)) watch_force(Kind::kForce);
    if (touch.grip == Grip::kStick) watch_force(Kind::kCone);
    if (touch.grip == Grip::kSlide) watch_slip();
    // A fast slip has a direction of its own. The event lies slightly beyond that speed, so that
    // the slip counts as fast afterwards.
    if (touch.begins_to_slip) watch(Kind::kSpeed, 1.01 * scale.slip, 0.0, 0.005 * scale.slip);
  }
}

void EventFinder::move_to(const StepView& step, double theta, Motion* motion) {
  step.integrator.interpolate(theta, &y_);
  motion->update(step.t + theta * step.integrator.h(), y_.head(model_->nq),
                 y_.segment(model_->nq, model_->nv));
  motion->solve_forces();
}

double EventFinder::evaluate(const Watch& watch, const Motion& motion,
                             const std::vector<Touch>& touches) const {
  const int i = watch.touch;
  const Touch& touch = touches[i];
  const Vec3& f = motion.forces()[i];
  switch (watch.kind) {
    case Kind::kGap:
      return touch.contact.gap + watch.offset;
    case Kind::kAcceleration:
      // After the contact has opened, its gap is watched instead.
      if (motion.velocity(i)[0] > options_.event_tolerance) return 1.0;
      return motion.acceleration(i)[0] + watch.offset;
    case Kind::kForce:
      return f[0] * calc_mobility(motion, i) + watch.offset;
    case Kind::kSlip: {
      const Vec3 slip =
          touch.contact.t1 * motion.velocity(i)[1] + touch.contact.t2 * motion.velocity(i)[2];
      return slip.dot(touch.slip_dir) + watch.offset;
    }
    case Kind::kSpeed:
      return watch.offset - motion.velocity(i).tail<2>().norm();
    case Kind::kCone: {
      const double left = touch.dry + touch.mu * f[0] - f.tail<2>().norm();
      const double mobility =
          is_dry_joint(touch) ? scale_.acceleration / touch.dry : calc_mobility(motion, i);
      return left * mobility + watch.offset;
    }
  }
  return 1.0;
}

void EventFinder::sample(const Motion& motion, const std::vector<Touch>& touches) {
  for (Watch& watch : watches_) {
    watch.before = watch.value;
    watch.rate_before = watch.rate;
    watch.value = evaluate(watch, motion, touches);
    watch.rate = motion.velocity(watch.touch)[0];
  }
}

// A value that is negative at the start of the step is not an event: the certificate has accepted
// it.
void EventFinder::allow_start(Watch* watch) {
  if (watch->value < 0.0) {
    const double lacking = watch->aim - watch->value;
    watch->offset += lacking;
    watch->value += lacking;
  }
  watch->start = watch->value;
}

// A value that starts below its aim gets an aim farther on; otherwise the event would recur at
// once. For gaps the shift is as small as rounding allows, because gaps say when bodies meet.
double EventFinder::calc_aim(const Watch& watch) {
  if (watch.start >= watch.aim - 0.5 * watch.precision) return watch.aim;
  return watch.kind == Kind::kGap ? watch.start - watch.precision : 0.5 * watch.start;
}

double EventFinder::locate(const StepView& step, const Watch& watch, const Bracket& between,
                           Motion* motion, const std::vector<Touch>& touches) {
  const double shift = calc_aim(watch);
  Bracket bracket = between;
  bracket.value_low = std::max(bracket.value_low - shift, 0.0);
  bracket.value_high -= shift;
  const RootGoal goal{.search = options_.events, .value = watch.precision, .width = 1e-15};
  num_iterations_ += shrink_bracket(
      [&](double theta) {
        move_to(step, theta, motion);
        return evaluate(watch, *motion, touches) - shift;
      },
      goal, &bracket);
  return bracket.high;
}

// Finds the smallest value of a gap that closes and opens again between two samples.
double EventFinder::find_dip(const StepView& step, const Watch& watch, double from, double to,
                             Motion* motion, const std::vector<Touch>& touches) {
  const bool turns = watch.kind == Kind::kGap && watch.rate_before < 0.0 && watch.rate > 0.0;
  const double span = (to - from) * step.integrator.h();
  if (!turns || watch.before > -watch.rate_before * span) return kNoEvent;
  Bracket bracket{
      .low = from, .high = to, .value_low = -watch.rate_before, .value_high = -watch.rate};
  const RootGoal goal{.search = options_.events,
                      .value = std::sqrt(0.1 * watch.offset * scale_.acceleration),
                      .width = 1e-12};
  num_iterations_ += shrink_bracket(
      [&](double theta) {
        move_to(step, theta, motion);
        return -motion->velocity(watch.touch)[0];
      },
      goal, &bracket);
  move_to(step, bracket.high, motion);
  const double least = evaluate(watch, *motion, touches);
  if (least >= 0.0) return kNoEvent;
  return locate(step, watch,
                {.low = from, .high = bracket.high, .value_low = watch.before, .value_high = least},
                motion, touches);
}

double EventFinder::find_between(const StepView& step, double from, double to, Motion* motion,
                                 const std::vector<Touch>& touches) {
  double first = kNoEvent;
  for (const Watch& watch : watches_) {
    double found = kNoEvent;
    if (watch.value < 0.0) {
      found =
          locate(step, watch,
                 {.low = from, .high = to, .value_low = watch.before, .value_high = watch.value},
                 motion, touches);
    } else {
      found = find_dip(step, watch, from, to, motion, touches);
    }
    first = std::min(first, found);
  }
  return first;
}

double EventFinder::find_first(const StepView& step, const ForceScale& scale, Motion* motion,
                               std::vector<Touch>* touches) {
  scale_ = scale;
  list_watches(scale, *touches);
  if (watches_.empty()) return kNoEvent;
  move_to(step, 0.0, motion);
  sample(*motion, *touches);
  for (Watch& watch : watches_) allow_start(&watch);
  for (int k = 1; k <= kEventSamples; ++k) {
    const double from = (k - 1.0) / kEventSamples;
    const double to = static_cast<double>(k) / kEventSamples;
    move_to(step, to, motion);
    sample(*motion, *touches);
    const double found = find_between(step, from, to, motion, *touches);
    if (found < kNoEvent) return found;
  }
  return kNoEvent;
}

std::vector<double> EventFinder::find_ends(const StepView& step, Motion* motion,
                                           const std::vector<Touch>& touches) {
  std::vector<double> ends(touches.size(), kNoEvent);
  double theta = 1.0;
  for (int k = 0; k < kEventHalvings && !touches.empty(); ++k) {
    theta *= 0.5;
    move_to(step, theta, motion);
    sample(*motion, touches);
    for (const Watch& watch : watches_) {
      if (watch.value < 0.0) ends[watch.touch] = theta;
    }
  }
  return ends;
}

double EventFinder::find_earlier(const StepView& step, double event, Motion* motion,
                                 const std::vector<Touch>& touches) {
  for (int round = 0; round < kMaxEarlier; ++round) {
    move_to(step, event, motion);
    sample(*motion, touches);
    double first = event;
    for (const Watch& watch : watches_) {
      if (watch.value >= 0.0) continue;
      first = std::min(
          first,
          locate(step, watch,
                 {.low = 0.0, .high = event, .value_low = watch.start, .value_high = watch.value},
                 motion, touches));
    }
    if (first == event) break;
    event = first;
  }
  return event;
}

}  // namespace tenpin::methods::analytic
