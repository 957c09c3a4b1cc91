// A study's trials as worlds that run at once, on all cores or on a GPU (docs/batches.md).
#pragma once

#include <cstdint>
#include <string>

#include "lab/study/study.h"
#include "lab/study/sweep.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

struct BatchOptions {
  enum class Device { kCpu, kGpu, kAuto } device = Device::kCpu;  // kAuto: a GPU if there is one
  enum class Precision { kDouble, kSingle } precision = Precision::kDouble;
};

// Counts, times and worst residuals of the trials of this run.
struct BatchReport {
  std::string device;  // "NVIDIA H200", "16 threads of the CPU"
  std::string reason;  // why no GPU is used, if the choice was automatic
  std::int64_t by_batch = 0;
  // run again by the CPU with more room for contacts and more sweeps
  std::int64_t by_more_room = 0;
  std::int64_t by_stepper = 0;
  struct Flagged {  // trials that the batch stopped, by the first reason
    std::int64_t too_many_contacts = 0;
    std::int64_t not_certified = 0;
    std::int64_t too_fast = 0;
    std::int64_t sunk = 0;
    std::int64_t overlaps_at_start = 0;
    std::int64_t not_made = 0;  // refused: the scene is invalid with these values

    [[nodiscard]] std::int64_t total() const {
      return too_many_contacts + not_certified + too_fast + sunk + overlaps_at_start + not_made;
    }
  } flagged;
  std::int64_t steps = 0;
  double worst_residual = 0.0;  // -   of all worlds
  double worst_closure = 0.0;   // J   of a single step
  double setup = 0.0;           // s   for making worlds
  double stepping = 0.0;        // s   for running worlds, including copies
  double rows = 0.0;            // s   for measures, the table, and trials run again
  double wall = 0.0;            // s   in total; rows are read and written at the same time as steps
};

// For example "3 not certified, 1 too fast"; "" if no trial was flagged.
[[nodiscard]] std::string describe_flagged(const BatchReport::Flagged& flagged);

// Throws SceneError that names what a batch cannot do, or batch::DeviceError if the device is not
// available.
void check_batch_study(const Study& study, const BatchOptions& batch);

// Gives the rows of a batch a table of their own: precision and contacts differ from the stepper's.
// Both devices make the same rows.
void mark_batch_study(BatchOptions::Precision precision, Study* study);

// Like run_sweep(). If the batch flags a trial, the trial runs again from its start, on the CPU
// with more room and then by the stepper; the message of its row says so. May also throw
// batch::DeviceError.
[[nodiscard]] SweepProgress run_batch_sweep(const Study& study, const SweepOptions& options,
                                            const BatchOptions& batch, TrialTable* table,
                                            BatchReport* report);

}  // namespace tenpin::lab
