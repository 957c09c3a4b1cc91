#include "lab/study/trial_runner.h"

#include <ctime>
#include <optional>
#include <vector>

#include "base/check.h"
#include "lab/simulation.h"
#include "lab/study/measurer.h"
#include "lab/study/trial_limit.h"

namespace tenpin::lab {

namespace {

double read_thread_time() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void refuse(const std::exception& error, TrialRow* row) {
  row->status = "refused";
  row->message = error.what();
}

}  // namespace

TrialRunner::TrialRunner(const Study& study)
    : study_(study), source_(study.scene_text, study.scene_file) {}

// Runs the simulation and writes the measures into the row.
void TrialRunner::simulate_trial(const Trial& trial, const std::function<bool()>& go_on,
                                 TrialRow* row) {
  const scene::Scene scene = source_.read(trial.settings);
  std::optional<Measurer> measurer;
  SimulationOptions options;
  const double start = read_thread_time();  // s
  bool is_late = false;
  options.on_progress = [&](const Progress&) {
    is_late = study_.trial_limit > 0.0 && read_thread_time() - start > study_.trial_limit;
    return !is_late && go_on();
  };
  options.on_start = [&](const dynamics::Model& model, const dynamics::State& state) {
    measurer.emplace(study_.measures, scene, model, state);
  };
  options.on_frame_within = [&](const dynamics::State& state) {
    measurer->on_frame_within(state);
  };
  options.on_step = [&](const methods::StepReport& report, auto, const dynamics::State& state) {
    measurer->on_step(report, state);
  };
  // The measurer reads the model, which exists until simulate() returns.
  options.on_end = [&](const dynamics::State& state) {
    const std::vector<std::optional<double>> results = measurer->finish(state);
    for (std::size_t i = 0; i < results.size(); ++i) {
      row->cells[study_.variables.size() + i].number = results[i];
    }
  };
  const Summary summary = simulate(scene, options);
  if (summary.status == methods::AdvanceStatus::kReachedEnd) return;
  row->status = is_late ? kOutOfTime : to_string(summary.status);
  row->message = is_late ? describe_limit(study_.trial_limit) : summary.message;
  for (std::size_t i = study_.variables.size(); i < row->cells.size(); ++i) row->cells[i] = {};
}

TrialRow TrialRunner::run(std::int64_t number, const std::function<bool()>& go_on) {
  const Trial trial = make_trial(study_, number);
  TrialRow row = {.trial = number, .cells = trial.values, .status = "done", .message = ""};
  row.cells.resize(study_.variables.size() + study_.measures.size());
  try {
    simulate_trial(trial, go_on, &row);
  } catch (const scene::SceneError& error) {
    refuse(error, &row);
  } catch (const InputError& error) {
    refuse(error, &row);
  } catch (const LimitError& error) {
    refuse(error, &row);
  } catch (const NumericalError& error) {
    refuse(error, &row);
  }
  return row;
}

}  // namespace tenpin::lab
