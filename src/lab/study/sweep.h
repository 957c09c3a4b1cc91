// Runs the trials of a study that are missing in its table, on all cores.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lab/study/study.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

// s   largest time of work that is lost if the program is killed
inline constexpr double kCommitInterval = 0.05;

// The share of one process in a sweep.
struct ProcessShare {
  std::int64_t rows = 0;
  double busy = 0.0;  // -   fraction of its threads' time
  bool is_lost = false;
};

struct SweepProgress {
  std::int64_t done = 0;   // number of rows
  std::int64_t fresh = 0;  // number of rows made by this run
  std::int64_t total = 0;
  double wall = 0.0;                    // s
  std::vector<ProcessShare> processes;  // the first owns the table

  [[nodiscard]] double rate() const;       // 1/s   trials of this run
  [[nodiscard]] double time_left() const;  // s     at that rate; infinite before the first row
  [[nodiscard]] bool has_losses() const;
};

// One of several parts of a study: the trials whose number is index - 1 modulo count.
struct Shard {
  int index = 1;  // from 1
  int count = 1;
};

struct SweepOptions {
  int threads = 1;  // the table does not depend on it
  Shard shard = {};
  // Called several times per second. If it returns false, the sweep ends; its rows are kept.
  std::function<bool(const SweepProgress&)> on_progress;
};

// The trials of the shard that the rows so far require, and those among them that have no row, both
// in ascending order. If a study decides while it runs, the required trials depend on complete
// rounds of rows alone, and therefore on nothing but the study.
struct SweepPlan {
  std::int64_t num_wanted = 0;
  std::vector<std::int64_t> missing;
};
[[nodiscard]] SweepPlan plan_sweep(const Study& study, const Shard& shard, const TrialTable& table);

// Runs the missing trials. Trials that fail numerically, or that the scene refuses, have a row that
// says so. Throws the table's exceptions; rows committed before are kept.
[[nodiscard]] SweepProgress run_sweep(const Study& study, const SweepOptions& options,
                                      TrialTable* table);

}  // namespace tenpin::lab
