// The rows of a study as comma-separated values, in both directions; numbers keep all their bits.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/study/study.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

[[nodiscard]] std::string make_trial_csv(const Study& study, std::span<const TrialRow> rows);

// Throws InputError for a text that make_trial_csv() has not written for such a study.
[[nodiscard]] std::vector<TrialRow> parse_trial_csv(const Study& study, const std::string& text);

}  // namespace tenpin::lab
