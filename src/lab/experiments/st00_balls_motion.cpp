#include "lab/experiments/st00_balls_motion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"

namespace tenpin::lab::experiments {

namespace {

constexpr int kNumPositions = 7;   // of a free body
constexpr int kNumVelocities = 6;  // of a free body

double calc_norm(const VecX& difference, Components components) {
  if (components == Components::kAll) return difference.cwiseAbs().maxCoeff();
  double largest = 0.0;
  for (int ball = 0; ball < kNumBalls; ++ball) {
    largest = std::max(largest, difference.segment<3>(kNumVelocities * ball).cwiseAbs().maxCoeff());
  }
  return largest;
}

std::size_t calc_ratio(const Trajectory& run, const Trajectory& reference) {
  const auto ratio = static_cast<std::size_t>(std::lround(run.h / reference.h));
  TENPIN_DEMAND(run.v.size() * ratio <= reference.v.size());
  return ratio;
}

}  // namespace

Recording record_balls(const std::string& scene_file, const std::string& formulation,
                       const std::string& step) {
  // The velocity formulation as in [ST00, §3.3], without the projection.
  const std::array<scene::Override, 3> changes = {{
      {"method.time-stepping.formulation", formulation},
      {"method.time-stepping.step", step},
      {"method.time-stepping.projection", "false"},
  }};
  return record_run(scene_file, changes);
}

Trajectory make_trajectory(const Recording& recording) {
  Trajectory trajectory{.h = recording.h, .v_start = recording.v};
  VecX x = VecX::Zero(kNumVelocities * kNumBalls);
  for (const RecordedStep& step : recording.steps) {
    for (int ball = 0; ball < kNumBalls; ++ball) {
      const int i = kNumVelocities * ball;
      x.segment<3>(i) = step.q.segment<3>(kNumPositions * ball);
      x.segment<3>(i + 3) += recording.h * step.v.segment<3>(i + 3);
    }
    trajectory.x.push_back(x);
    trajectory.v.push_back(step.v);
  }
  return trajectory;
}

double calc_velocity_error(const Trajectory& run, const Trajectory& reference,
                           Components components) {
  const std::size_t ratio = calc_ratio(run, reference);
  double sum = 0.0;
  for (std::size_t k = 0; k < run.v.size() * ratio; ++k) {
    sum += reference.h * calc_norm(run.v[k / ratio] - reference.v[k], components);
  }
  return sum;
}

double calc_position_error(const Trajectory& run, const Trajectory& reference) {
  const std::size_t ratio = calc_ratio(run, reference);
  double largest = 0.0;
  for (std::size_t l = 0; l < run.x.size(); ++l) {
    const VecX& exact = reference.x[(l + 1) * ratio - 1];
    largest = std::max(largest, calc_norm(run.x[l] - exact, Components::kAll));
  }
  return largest;
}

double calc_variation(const Trajectory& run) {
  VecX sum = VecX::Zero(run.v_start.size());
  const VecX* before = &run.v_start;
  for (const VecX& v : run.v) {
    sum += (v - *before).cwiseAbs();
    before = &v;
  }
  return sum.maxCoeff();
}

bool is_between(const contact::ContactRecord& contact, int body, int other) {
  return (contact.body_a == body && contact.body_b == other) ||
         (contact.body_a == other && contact.body_b == body);
}

const RecordedStep* find_push(const Recording& recording, int body, int other) {
  for (const RecordedStep& step : recording.steps) {
    for (const contact::ContactRecord& c : step.contacts) {
      if (is_between(c, body, other) && is_loaded(c.mode)) return &step;
    }
  }
  return nullptr;
}

}  // namespace tenpin::lab::experiments
