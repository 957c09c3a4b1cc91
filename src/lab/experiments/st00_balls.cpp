#include "lab/experiments/st00_balls.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "lab/experiment_expected.h"
#include "lab/experiments/st00_balls_figures.h"
#include "lab/experiments/st00_balls_motion.h"

namespace tenpin::lab::experiments {

namespace {

using contact::ContactRecord;
using contact::Mode;

void measure_table(const BallRecordings& recordings, Measurements* m) {
  for (const std::string formulation : kBallFormulations) {
    const Recording& finest = recordings.at(formulation + "/" + kBallSteps.back());
    const Trajectory reference = make_trajectory(finest);
    for (const char* step : kBallSteps) {
      const std::string key = formulation + "/" + step;
      const Recording& recording = recordings.at(key);
      const bool is_whole = recording.finished() && finest.finished();
      const Trajectory run = is_whole ? make_trajectory(recording) : Trajectory{};
      const auto unless_broken = [is_whole](auto calc) {
        return is_whole ? calc() : kNothing;
      };
      (*m)[key + "/vel_error"] = unless_broken([&] {
        return calc_velocity_error(run, reference);
      });
      (*m)[key + "/vel_error_translations"] = unless_broken([&] {
        return calc_velocity_error(run, reference, Components::kTranslations);
      });
      (*m)[key + "/pos_error"] = unless_broken([&] {
        return calc_position_error(run, reference);
      });
      (*m)[key + "/variation"] = unless_broken([&] {
        return calc_variation(run);
      });
      (*m)[key + "/angular_ratio"] =
          m->at(key + "/vel_error") / m->at(key + "/vel_error_translations");
    }
  }
}

// The cascade: the contacts with impulses in the step of the collision.
struct Cascade {
  int between_balls = 0;       // contacts
  int with_table = 0;          // contacts
  double table_answers = 0.0;  // 1 if the table pushes the first ball
  double back_spin = 0.0;  // 1 if the thrown ball's friction pulls the first ball's left side down
};

Cascade make_cascade(const RecordedStep& step) {
  Cascade cascade;
  for (const ContactRecord& c : step.contacts) {
    if (!is_loaded(c.mode)) continue;
    const bool is_table = c.body_a == kTable || c.body_b == kTable;
    ++(is_table ? cascade.with_table : cascade.between_balls);
    if (is_between(c, kTable, kFirst)) cascade.table_answers = 1.0;
    if (!is_between(c, kThrown, kFirst)) continue;
    const double down = c.body_b == kFirst ? -c.impulse.z() : c.impulse.z();
    cascade.back_spin = down > 0.0 ? 1.0 : 0.0;
  }
  return cascade;
}

void measure_collision(const std::string& key, const Recording& run, Measurements* m) {
  const RecordedStep* table = find_push(run, kThrown, kTable);
  const RecordedStep* ball = find_push(run, kThrown, kFirst);
  (*m)[key + "/t_table"] = table == nullptr ? kNothing : table->t;
  (*m)[key + "/t_ball"] = ball == nullptr ? kNothing : ball->t;
  const Cascade cascade = ball == nullptr ? Cascade{} : make_cascade(*ball);
  (*m)[key + "/pushes_between_balls"] = cascade.between_balls;
  (*m)[key + "/pushes"] = cascade.between_balls + cascade.with_table;
  (*m)[key + "/table_answers"] = cascade.table_answers;
  (*m)[key + "/back_spin"] = cascade.back_spin;
}

void measure_end(const std::string& key, const Recording& run, Measurements* m) {
  int num_right = 0;
  constexpr std::array<const char*, 2> kAxes = {"x", "y"};
  for (int ball = 0; ball < kNumBalls; ++ball) {
    const std::string name = key + "/ball" + std::to_string(ball + 1) + "/";
    for (int axis = 0; axis < 2; ++axis) {
      const bool is_whole = run.finished();
      (*m)[name + kAxes[axis]] = is_whole ? run.summary.state.q[7 * ball + axis] : kNothing;
      (*m)[name + "v" + kAxes[axis]] = is_whole ? run.summary.state.v[6 * ball + axis] : kNothing;
    }
    num_right += run.summary.state.v[6 * ball] > 0.0 ? 1 : 0;
  }
  (*m)[key + "/balls_to_the_right"] = num_right;
}

// m   How high the thrown ball jumps above the table after it has hit the first ball.
double calc_lift(const Recording& run) {
  const RecordedStep* collision = find_push(run, kThrown, kFirst);
  if (collision == nullptr) return kNothing;
  double highest = 0.0;
  for (const RecordedStep& step : run.steps) {
    if (step.t >= collision->t) highest = std::max(highest, step.q[2] - kBallRadius);
  }
  return highest;
}

void measure_balls(const BallRecordings& recordings, Measurements* m) {
  measure_table(recordings, m);
  double closure = 0.0;
  double unfinished = 0.0;
  for (const auto& [key, run] : recordings) {
    measure_collision(key, run, m);
    measure_end(key, run, m);
    (*m)[key + "/problem_size"] = run.summary.max_problem_size;
    (*m)[key + "/steps"] = static_cast<double>(run.summary.steps);
    (*m)[key + "/penetration"] = run.summary.worst.penetration;
    const double lift = calc_lift(run);
    (*m)[key + "/lift"] = lift;
    // A smaller lift could be the solver's tolerance for a rolling ball.
    (*m)[key + "/lifted"] = lift > 1e-6 ? 1.0 : 0.0;
    closure = std::max(closure, calc_closure(run));
    unfinished += run.finished() ? 0.0 : 1.0;
  }
  (*m)["ledger"] = closure;
  (*m)["unfinished"] = unfinished;
}

}  // namespace

ExperimentResult run_st00_balls(const ExperimentOptions& options) {
  BallRecordings recordings;
  for (const std::string formulation : kBallFormulations) {
    for (const char* step : kBallSteps) {
      const std::string key = formulation + "/" + step;
      if (options.on_progress) options.on_progress(key);
      recordings.emplace(key, record_balls(options.folder + "/scene.yaml", formulation, step));
    }
  }
  Measurements measurements;
  measure_balls(recordings, &measurements);
  ExperimentResult result;
  result.findings = judge("ST00/balls", options.folder + "/expected.json", measurements);
  result.notes = read_notes(options.folder + "/expected.json");
  if (options.with_figures && measurements.at("unfinished") == 0.0) {
    draw_ball_figures(recordings, measurements, &result);
  }
  return result;
}

}  // namespace tenpin::lab::experiments
