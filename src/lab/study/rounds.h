// Studies that decide while they run: which trials come next, given the rows so far.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lab/study/study.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

// The state of such a study. Rows must be in the order of their trials. A round is decided when all
// rows of earlier rounds are present; the decision does not depend on rows beyond those.
struct Rounds {
  std::vector<std::int64_t> samples;  // by combination of levels: number wanted so far
  bool is_over = false;               // true if no further round follows
};
[[nodiscard]] Rounds decide_rounds(const Study& study, std::span<const TrialRow> rows);

}  // namespace tenpin::lab
