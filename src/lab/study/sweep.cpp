#include "lab/study/sweep.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "base/check.h"
#include "base/stopwatch.h"
#include "lab/simulation.h"
#include "lab/study/measurer.h"

namespace tenpin::lab {

namespace {

constexpr double kCommitInterval = 0.05;  // s   of work that a kill can cost at most

// Trials that have no row yet, ascending.
std::vector<std::int64_t> find_missing(const Study& study, const TrialTable& table) {
  const std::vector<std::int64_t> there = table.read_trials(study.num_trials());
  std::vector<std::int64_t> missing;
  std::size_t k = 0;
  for (std::int64_t trial = 0; trial < study.num_trials(); ++trial) {
    if (k < there.size() && there[k] == trial) {
      ++k;
    } else {
      missing.push_back(trial);
    }
  }
  return missing;
}

// Threads that take the next trial as soon as they are free, and one that collects their rows.
class TrialPool {
 public:
  TrialPool(const Study& study, std::span<const std::int64_t> trials, int threads)
      : study_(study), trials_(trials), running_(threads) {
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([this] {
        work();
      });
    }
  }
  ~TrialPool() {
    stops_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  TrialPool(const TrialPool&) = delete;
  TrialPool& operator=(const TrialPool&) = delete;

  void stop() { stops_ = true; }

  // The rows since the last call, after a while or when all is over. False when no more will come.
  bool collect(std::vector<TrialRow>* rows) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(100), [this] {
      return running_ == 0;
    });
    rows->insert(rows->end(), rows_.begin(), rows_.end());
    rows_.clear();
    if (error_) std::rethrow_exception(error_);
    return running_ > 0;
  }

 private:
  void work() {
    std::exception_ptr error;
    try {
      run_trials();
    } catch (...) {
      error = std::current_exception();
      stops_ = true;
    }
    const std::scoped_lock lock(mutex_);
    if (error) error_ = error;
    --running_;
    changed_.notify_one();
  }

  void run_trials() {
    while (!stops_) {
      const std::size_t next = next_++;
      if (next >= trials_.size()) return;
      TrialRow row = run_trial(study_, trials_[next], [this] {
        return !stops_;
      });
      if (stops_ && row.status == to_string(methods::AdvanceStatus::kStopped)) return;
      const std::scoped_lock lock(mutex_);
      rows_.push_back(std::move(row));
    }
  }

  const Study& study_;
  std::span<const std::int64_t> trials_;
  std::atomic<bool> stops_ = false;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  int running_;
  std::vector<TrialRow> rows_;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;  // last: they use all of the above
};

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

SweepProgress run_sweep(const Study& study, const SweepOptions& options, TrialTable* table) {
  const Stopwatch clock;
  const std::vector<std::int64_t> missing = find_missing(study, *table);
  SweepProgress progress = {.done = study.num_trials() - std::ssize(missing),
                            .total = study.num_trials()};
  const auto threads = std::min<std::int64_t>(options.threads, std::ssize(missing));
  TrialPool pool(study, missing, static_cast<int>(threads));
  std::vector<TrialRow> rows;
  double next_commit = kCommitInterval;  // s
  for (bool more = true; more;) {
    more = pool.collect(&rows);
    if (!rows.empty() && (!more || clock.wall() >= next_commit)) {
      table->add(rows);
      progress.done += std::ssize(rows);
      progress.fresh += std::ssize(rows);
      rows.clear();
      next_commit = clock.wall() + kCommitInterval;
    }
    progress.wall = clock.wall();
    if (options.on_progress && !options.on_progress(progress)) pool.stop();
  }
  return progress;
}

}  // namespace tenpin::lab
