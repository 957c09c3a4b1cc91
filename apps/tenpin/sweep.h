// `tenpin sweep study.yaml`: many trials of one scene, and what they come to.
#pragma once

#include <cstdint>
#include <string>

#include "view.h"

namespace tenpin::app {

struct SweepCommand {
  std::string study;
  std::string output;             // table, "" = named after the study, in the current folder
  std::string html;               // page, "" = none
  std::string csv;                // the rows as text, "" = none
  std::int64_t trials = 0;        // samples per combination, 0 = the study's
  int threads = 0;                // 0 = all cores
  std::int64_t trial = -1;        // simulate this trial alone and keep its motion; -1 = all
  std::string shard;              // "3/16" or "auto", "" = the whole study
  double trial_limit = 0.0;       // s   of CPU time of a trial, 0 = the study's
  std::string device;             // "cpu-batch", "gpu" or "auto"; "" = the stepper, trial by trial
  std::string precision = "f64";  // of a batch, or "f32"
  double lease = 10.0;            // s   of silence after which another process counts as lost
  bool live = false;              // serve a page meanwhile
  ServeOptions serve;
  bool json = false;
  bool quiet = false;
};

// Goes on where the table ends; together with the other processes if MPI started several. Returns
// the exit code; throws what the study's reader and its table throw.
[[nodiscard]] int run_sweep_command(const SweepCommand& command);

}  // namespace tenpin::app
