// Runs the trials of a study that its table lacks, on all cores.
#pragma once

#include <cstdint>
#include <functional>

#include "lab/study/study.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

struct SweepProgress {
  std::int64_t done = 0;   // rows there are
  std::int64_t fresh = 0;  // of these, made by this run
  std::int64_t total = 0;
  double wall = 0.0;  // s
};

struct SweepOptions {
  int threads = 1;  // the table does not depend on it
  // Called several times per second; false ends the sweep, whose rows stay.
  std::function<bool(const SweepProgress&)> on_progress;
};

// Trials that fail numerically or that the scene refuses have a row that says so. Throws what the
// table throws; rows committed before stay.
[[nodiscard]] SweepProgress run_sweep(const Study& study, const SweepOptions& options,
                                      TrialTable* table);

// One trial from its start to its end: a function of the study and the number.
[[nodiscard]] TrialRow run_trial(const Study& study, std::int64_t trial,
                                 const std::function<bool()>& go_on);

}  // namespace tenpin::lab
