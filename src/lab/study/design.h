// What trial number n of a study is: a function of n and the study alone.
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
  std::string text;  // if there is no number; "" = nothing

  bool operator==(const Cell&) const = default;
};

struct Trial {
  std::vector<Cell> values;  // by variable
  std::vector<scene::Override> settings;
};

// Trials run through the combinations of levels first, the last variable fastest, then to the next
// sample: a study with fewer samples is the beginning of one with more. All combinations see the
// same samples, so that their differences are not those of luck.
[[nodiscard]] Trial make_trial(const Study& study, std::int64_t trial);

// Where a row has that variable or measure.
[[nodiscard]] std::size_t find_column(const Study& study, const std::string& name);

}  // namespace tenpin::lab
