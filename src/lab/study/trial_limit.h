// Trials that take too long: how their rows say so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lab/study/study.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

// Status of a trial that was given up after the study's `trial_limit`.
inline constexpr std::string_view kOutOfTime = "out of time";

// Its message.
[[nodiscard]] std::string describe_limit(double seconds);

// s   that the trial was allowed; 0 for a row that is not out of time.
[[nodiscard]] double read_limit(const TrialRow& row);

// Removes the rows of trials that were allowed less time than the study now allows, so that they
// are run again. A study without a limit leaves them. Returns their number.
std::int64_t forget_late_trials(const Study& study, TrialTable* table);

}  // namespace tenpin::lab
