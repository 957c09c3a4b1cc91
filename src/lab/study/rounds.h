// Studies that decide as they go: which trials come next, from the rows of those before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lab/study/study.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

// Rows must be in the order of their trials. A round is decided when all rows of the rounds before
// it are there; the answer is the same for any rows beyond those.
struct Rounds {
  std::vector<std::int64_t> samples;  // by combination of levels: wanted so far
  bool is_over = false;               // no further round will come
};
[[nodiscard]] Rounds decide_rounds(const Study& study, std::span<const TrialRow> rows);

}  // namespace tenpin::lab
