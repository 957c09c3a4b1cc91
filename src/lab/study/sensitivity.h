// How much each range of a study matters: Sobol's indices.
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
  Share first;  // -   to it alone   [SAL10, eq. (2), Table 2 (b)]
  Share total;  // -   to it and whatever it acts together with   [SAL10, eq. (4), Table 2 (f)]
};

struct Sensitivity {
  std::string measure;
  std::string combination;  // of levels, "floor 0.1, spin none"; "" if there are none
  std::int64_t groups = 0;  // of samples that are complete
  std::vector<SensitivityIndex> indices;
};

// Of every measure in every combination of levels. Groups with a trial that failed are left out;
// fewer than two of them, or a measure that does not vary, give no indices.
[[nodiscard]] std::vector<Sensitivity> calc_sensitivities(const Study& study,
                                                          std::span<const TrialRow> rows);

// Bars for first order and total, with their bands.
[[nodiscard]] std::string draw_sensitivity(const Sensitivity& sensitivity);

}  // namespace tenpin::lab
