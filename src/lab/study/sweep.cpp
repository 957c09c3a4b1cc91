#include "lab/study/sweep.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "base/stopwatch.h"
#include "lab/simulation.h"
#include "lab/study/measurer.h"
#include "lab/study/rounds.h"
#include "lab/study/trial_pool.h"

namespace tenpin::lab {

namespace {

constexpr double kProgressInterval = 0.1;  // s

// The measures, into the row.
void simulate_trial(const Study& study, const Trial& trial, const std::function<bool()>& go_on,
                    TrialRow* row) {
  const scene::Scene scene = scene::parse_scene(study.scene_text, study.scene_file, trial.settings);
  std::optional<Measurer> measurer;
  SimulationOptions options;
  options.on_progress = [&](const Progress&) {
    return go_on();
  };
  options.on_start = [&](const dynamics::Model& model, const dynamics::State& state) {
    measurer.emplace(study.measures, scene, model, state);
  };
  options.on_frame_within = [&](const dynamics::State& state) {
    measurer->on_frame_within(state);
  };
  options.on_step = [&](const methods::StepReport& report, auto, const dynamics::State& state) {
    measurer->on_step(report, state);
  };
  // The measurer looks at the model, which lives as long as simulate().
  options.on_end = [&](const dynamics::State& state) {
    const std::vector<std::optional<double>> results = measurer->finish(state);
    for (std::size_t i = 0; i < results.size(); ++i) {
      row->cells[study.variables.size() + i].number = results[i];
    }
  };
  const Summary summary = simulate(scene, options);
  if (summary.status == methods::AdvanceStatus::kReachedEnd) return;
  row->status = to_string(summary.status);
  row->message = summary.message;
  for (std::size_t i = study.variables.size(); i < row->cells.size(); ++i) row->cells[i] = {};
}

void refuse(const std::exception& error, TrialRow* row) {
  row->status = "refused";
  row->message = error.what();
}

}  // namespace

TrialRow run_trial(const Study& study, std::int64_t number, const std::function<bool()>& go_on) {
  const Trial trial = make_trial(study, number);
  TrialRow row = {.trial = number, .cells = trial.values, .status = "done", .message = ""};
  row.cells.resize(study.variables.size() + study.measures.size());
  try {
    simulate_trial(study, trial, go_on, &row);
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

SweepPlan plan_sweep(const Study& study, const Shard& shard, const TrialTable& table) {
  SweepPlan plan;
  const std::vector<std::int64_t> there = table.read_trials(study.num_trials());
  auto next = there.begin();
  const auto want = [&](std::int64_t trial) {
    ++plan.num_wanted;
    next = std::lower_bound(next, there.end(), trial);
    if (next == there.end() || *next != trial) plan.missing.push_back(trial);
  };
  if (!study.until) {
    for (std::int64_t trial = shard.index - 1; trial < study.num_trials(); trial += shard.count) {
      want(trial);
    }
    return plan;
  }
  TENPIN_REQUIRE(shard.count == 1,
                 "--shard: this study decides as it goes (until), want the whole study, or MPI");
  const Rounds rounds = decide_rounds(study, table.read_rows(study.num_trials()));
  const std::int64_t most = *std::max_element(rounds.samples.begin(), rounds.samples.end());
  for (std::int64_t sample = 0; sample < most; ++sample) {
    for (std::int64_t c = 0; c < std::ssize(rounds.samples); ++c) {
      if (sample < rounds.samples[c]) want(sample * std::ssize(rounds.samples) + c);
    }
  }
  return plan;
}

SweepProgress run_sweep(const Study& study, const SweepOptions& options, TrialTable* table) {
  const Stopwatch clock;
  SweepProgress progress;
  TrialPool pool(study, options.threads);
  double next_commit = kCommitInterval;  // s
  bool goes_on = true;
  while (goes_on) {
    const SweepPlan plan = plan_sweep(study, options.shard, *table);
    progress.total = plan.num_wanted;
    progress.done = plan.num_wanted - std::ssize(plan.missing);
    if (plan.missing.empty()) break;
    pool.add(plan.missing);
    std::vector<TrialRow> rows;
    for (bool more = true; more;) {
      for (TrialRow& row : pool.collect(kProgressInterval)) rows.push_back(std::move(row));
      more = pool.num_open() > 0;
      if (!rows.empty() && (!more || clock.wall() >= next_commit)) {
        table->add(rows);
        progress.done += std::ssize(rows);
        progress.fresh += std::ssize(rows);
        rows.clear();
        next_commit = clock.wall() + kCommitInterval;
      }
      progress.wall = clock.wall();
      goes_on = !options.on_progress || options.on_progress(progress);
      if (!goes_on) pool.stop();
    }
  }
  progress.wall = clock.wall();
  return progress;
}

}  // namespace tenpin::lab
