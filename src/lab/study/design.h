// The values of trial number n of a study: a function of n and the study alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/study/study.h"

namespace tenpin::lab {

// A cell of the table: a number, a text or nothing.
struct Cell {
  std::optional<double> number;
  std::string text;  // used if there is no number; "" = nothing

  bool operator==(const Cell&) const = default;
};

struct Trial {
  std::vector<Cell> values;  // by variable
  std::vector<scene::Override> settings;
};

// Makes a trial. Trials run through the combinations of levels first, the last variable fastest,
// then continue with the next sample; so a study with fewer samples is the beginning of one with
// more. All combinations use the same samples, so that their differences are not random.
[[nodiscard]] Trial make_trial(const Study& study, std::int64_t trial);

// The column of a variable or measure in a row.
[[nodiscard]] std::size_t find_column(const Study& study, const std::string& name);

}  // namespace tenpin::lab
