// The summary of a run in a few numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "contact/report.h"
#include "record/run_reader.h"

namespace tenpin::record {

struct RunSummary {
  double t_begin = 0.0;  // s   first and last recorded time, of frames or steps
  double t_end = 0.0;
  double worst_residual = 0.0;        // -
  double worst_penetration = 0.0;     // m
  double worst_cone_violation = 0.0;  // N s
  std::int64_t num_failed_certificates = 0;
  std::array<double, contact::Ledger::kNumStages> work = {};  // J   summed over the steps
  double worst_closure = 0.0;                                 // J   largest |closure| of a step
  double sum_closure = 0.0;                                   // J   signed
  double last_energy = 0.0;        // J   kinetic + potential after the last step
  std::int32_t most_contacts = 0;  // in one step
  std::int32_t most_active = 0;
  std::int64_t sum_pivots = 0;
};

// The events that have happened up to the last frame, in the order of their times: "opened at 0.5
// s".
[[nodiscard]] std::vector<std::string> list_fired_events(const RunReader& reader);

// Summarises a run. Reads the whole step table, one block at a time.
[[nodiscard]] RunSummary summarize(const RunReader& reader);

}  // namespace tenpin::record
