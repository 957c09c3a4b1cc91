// The rows of trials that take too long.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lab/study/study.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

// Status of a trial that exceeded the study's `trial_limit`.
inline constexpr std::string_view kOutOfTime = "out of time";

// The message of such a trial.
[[nodiscard]] std::string describe_limit(double seconds);

// s   The time that the trial was allowed; 0 for a row with another status.
[[nodiscard]] double read_limit(const TrialRow& row);

// Removes the rows of trials that were allowed less time than the study now allows, so that they
// run again. Removes none if the study has no limit. Returns their number.
std::int64_t forget_late_trials(const Study& study, TrialTable* table);

}  // namespace tenpin::lab
