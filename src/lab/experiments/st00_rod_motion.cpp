#include "lab/experiments/st00_rod_motion.h"

#include <array>
#include <cmath>
#include <limits>

#include "math/trig.h"

namespace tenpin::lab::experiments {

namespace {

constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
// m/s, rad/s   The velocities of a resting rod are rounding errors of gravity times a step, 1e-17;
// the velocity of a rod that slides to a stop decreases by mu g h, 1e-3 or more, in each step.
constexpr double kStill = 1e-9;

int count_pushing(const RecordedStep& step) {
  int count = 0;
  for (const contact::ContactRecord& c : step.contacts) {
    count += is_loaded(c.mode) ? 1 : 0;
  }
  return count;
}

}  // namespace

std::string key_of(const RodRun& run) {
  return run.formulation + "/" + run.lever + "/" + run.step;
}

Recording record_rod(const std::string& scene_file, const RodRun& run) {
  const std::array<scene::Override, 3> changes = {{
      {"method.time-stepping.formulation", run.formulation},
      {"method.time-stepping.lever", run.lever},
      {"method.time-stepping.step", run.step},
  }};
  return record_run(scene_file, changes);
}

RodEvents find_events(const Recording& recording) {
  RodEvents events{.impact = kNever, .slap = kNever, .rest = kNever};
  for (const RecordedStep& step : recording.steps) {
    const int num_pushing = count_pushing(step);
    if (num_pushing >= 1 && std::isnan(events.impact)) events.impact = step.t;
    if (num_pushing >= 2 && std::isnan(events.slap)) events.slap = step.t;
    const bool is_still = step.v.cwiseAbs().maxCoeff() < kStill;
    if (!is_still) events.rest = kNever;
    if (is_still && std::isnan(events.rest)) events.rest = step.t;
  }
  return events;
}

const contact::ContactRecord* find_first_push(const Recording& recording) {
  for (const RecordedStep& step : recording.steps) {
    for (const contact::ContactRecord& c : step.contacts) {
      if (is_loaded(c.mode)) return &c;
    }
  }
  return nullptr;
}

double calc_tip_speed(const RecordedStep& step) {
  const double lever =
      RodShape::kHalfLength * std::fabs(sin_cos(step.q[2]).sin) + RodShape::kRadius;
  return step.v[0] + step.v[2] * lever;
}

double calc_painleve_rod(double angle, bool full) {
  const SinCos s = sin_cos(angle);
  const double across = -RodShape::kHalfLength * s.cos;  // of the lower tip, from the centre
  const double along = RodShape::kHalfLength * s.sin + (full ? RodShape::kRadius : 0.0);
  return 1.0 / RodShape::kMass +
         across * (across - RodShape::kFriction * along) / RodShape::kInertia;
}

}  // namespace tenpin::lab::experiments
