// How much each range of a study affects the measures: Sobol's indices.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lab/study/study.h"
#include "lab/study/trial_table.h"

namespace tenpin::lab {

struct Share {
  double value = 0.0;
  double half_width = 0.0;  // of the 95 % band, by resampling
};

// The part of a measure's variance that is due to one range.
struct SensitivityIndex {
  std::string variable;
  Share first;  // -   due to it alone   [SAL10, eq. (2), Table 2 (b)]
  Share total;  // -   due to it and its interactions   [SAL10, eq. (4), Table 2 (f)]
};

struct Sensitivity {
  std::string measure;
  std::string combination;  // of levels, "floor 0.1, spin none"; "" if there are none
  std::int64_t groups = 0;  // number of complete groups of samples
  std::vector<SensitivityIndex> indices;
};

// Computes the indices of every measure for every combination of levels. Groups with a failed trial
// are left out. There are no indices if fewer than two groups remain, or if the measure does not
// vary.
[[nodiscard]] std::vector<Sensitivity> calc_sensitivities(const Study& study,
                                                          std::span<const TrialRow> rows);

// Draws bars for first-order and total indices, with their bands.
[[nodiscard]] std::string draw_sensitivity(const Sensitivity& sensitivity);

}  // namespace tenpin::lab
