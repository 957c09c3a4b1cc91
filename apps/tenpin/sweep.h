// `tenpin sweep study.yaml`: runs many trials of one scene and summarises them.
#pragma once

#include <cstdint>
#include <string>

#include "view.h"

namespace tenpin::app {

struct SweepCommand {
  std::string study;
  // table to write; "" = named after the study, in the current folder
  std::string output;
  std::string html;          // page to write; "" = none
  std::string csv;           // file for the rows as text; "" = none
  std::int64_t trials = 0;   // samples per combination, 0 = the study's
  int threads = 0;           // 0 = all cores
  std::int64_t trial = -1;   // simulate this trial alone and keep its motion; -1 = all
  std::string shard;         // "3/16" or "auto", "" = the whole study
  double trial_limit = 0.0;  // s   of CPU time of a trial; 0 = the study's limit
  // "cpu-batch", "gpu" or "auto"; "" = the stepper, one trial at a time
  std::string device;
  std::string precision = "f64";  // of a batch, or "f32"
  // s   without messages, after which another process counts as lost
  double lease = 10.0;
  bool live = false;  // serve a page during the sweep
  ServeOptions serve;
  bool json = false;
  bool quiet = false;
};

// Runs the trials that the table lacks, together with the other processes if MPI started several.
// Returns the exit code; throws the exceptions of the study's reader and its table.
[[nodiscard]] int run_sweep_command(const SweepCommand& command);

}  // namespace tenpin::app
