#include "lab/study/sweep.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/stopwatch.h"
#include "lab/study/rounds.h"
#include "lab/study/trial_pool.h"

namespace tenpin::lab {

namespace {

constexpr double kProgressInterval = 0.1;  // s

}  // namespace

double SweepProgress::rate() const {
  return wall > 0.0 ? static_cast<double>(fresh) / wall : 0.0;
}

double SweepProgress::time_left() const {
  if (done == total) return 0.0;
  return fresh > 0 ? static_cast<double>(total - done) / rate()
                   : std::numeric_limits<double>::infinity();
}

bool SweepProgress::has_losses() const {
  return std::any_of(processes.begin(), processes.end(), [](const ProcessShare& share) {
    return share.is_lost;
  });
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
  progress.processes.resize(1);
  const auto note_time = [&] {
    progress.wall = clock.wall();
    progress.processes[0] = {.rows = progress.fresh,
                             .busy = pool.busy_time() / (progress.wall * options.threads)};
  };
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
      note_time();
      goes_on = !options.on_progress || options.on_progress(progress);
      if (!goes_on) pool.stop();
    }
  }
  note_time();
  return progress;
}

}  // namespace tenpin::lab
