// Runs the trials of a study that its table lacks, on all cores.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lab/study/study.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

inline constexpr double kCommitInterval = 0.05;  // s   of work that a kill can cost at most

// The share of one process in a sweep.
struct ProcessShare {
  std::int64_t rows = 0;
  double busy = 0.0;  // -   of its threads' time
  bool is_lost = false;
};

struct SweepProgress {
  std::int64_t done = 0;   // rows there are
  std::int64_t fresh = 0;  // of these, made by this run
  std::int64_t total = 0;
  double wall = 0.0;                    // s
  std::vector<ProcessShare> processes;  // the first owns the table

  [[nodiscard]] double rate() const;       // 1/s   trials of this run
  [[nodiscard]] double time_left() const;  // s     at that rate; infinite before the first row
  [[nodiscard]] bool has_losses() const;
};

// One of several parts of a study: trials whose number is index - 1 modulo count.
struct Shard {
  int index = 1;  // from 1
  int count = 1;
};

struct SweepOptions {
  int threads = 1;  // the table does not depend on it
  Shard shard = {};
  // Called several times per second; false ends the sweep, whose rows stay.
  std::function<bool(const SweepProgress&)> on_progress;
};

// The trials of the shard that the rows so far ask for, and of these the ones without a row, both
// ascending. Where a study decides as it goes, what it asks for depends on complete rounds of rows
// alone, and so on nothing but the study.
struct SweepPlan {
  std::int64_t num_wanted = 0;
  std::vector<std::int64_t> missing;
};
[[nodiscard]] SweepPlan plan_sweep(const Study& study, const Shard& shard, const TrialTable& table);

// Trials that fail numerically or that the scene refuses have a row that says so. Throws what the
// table throws; rows committed before stay.
[[nodiscard]] SweepProgress run_sweep(const Study& study, const SweepOptions& options,
                                      TrialTable* table);

}  // namespace tenpin::lab
