#include "lab/study/rounds.h"

#include <algorithm>
#include <cmath>

#include "lab/study/design.h"
#include "lab/study/study_curves.h"

namespace tenpin::lab {

namespace {

// A round at most doubles the number of samples, because the spread of a few samples is not
// reliable.
constexpr double kMostGrowth = 2.0;
constexpr std::int64_t kLeastGrowth = 8;  // samples; keeps the number of rounds small

// The rows of each combination, by sample.
using Columns = std::vector<std::vector<const TrialRow*>>;

Columns sort_rows(const Study& study, std::span<const TrialRow> rows) {
  const std::int64_t num_combinations = study.num_combinations();
  Columns columns(static_cast<std::size_t>(num_combinations));
  for (const TrialRow& row : rows) {
    auto& column = columns[static_cast<std::size_t>(row.trial % num_combinations)];
    column.resize(static_cast<std::size_t>(row.trial / num_combinations) + 1, nullptr);
    column.back() = &row;
  }
  return columns;
}

bool has_all(const std::vector<const TrialRow*>& column, std::int64_t samples) {
  return std::ssize(column) >= samples &&
         std::all_of(column.begin(), column.begin() + samples, [](const TrialRow* row) {
           return row != nullptr;
         });
}

// The number of samples that the bound requires, estimated from the first `samples` of them.
std::int64_t calc_next(const StopRule& rule, std::size_t measure,
                       const std::vector<const TrialRow*>& column, std::int64_t samples) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < samples; ++i) {
    const TrialRow& row = *column[static_cast<std::size_t>(i)];
    if (row.is_done() && row.cells[measure].number) values.push_back(*row.cells[measure].number);
  }
  const double ratio = calc_estimate(values).half_width / rule.half_width;
  if (ratio <= 1.0) return samples;
  const double growth = std::isfinite(ratio) ? std::min(ratio * ratio, kMostGrowth) : kMostGrowth;
  const auto wanted = static_cast<std::int64_t>(std::ceil(static_cast<double>(samples) * growth));
  return std::min(std::max(wanted, samples + kLeastGrowth), std::max(samples, rule.most));
}

}  // namespace

Rounds decide_rounds(const Study& study, std::span<const TrialRow> rows) {
  const Columns columns = sort_rows(study, rows);
  const std::size_t measure = find_column(study, study.until->measure);
  Rounds rounds = {.samples = std::vector<std::int64_t>(columns.size(), study.samples)};
  while (true) {
    std::vector<std::int64_t> next = rounds.samples;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (!has_all(columns[c], rounds.samples[c])) return rounds;
      next[c] = calc_next(*study.until, measure, columns[c], rounds.samples[c]);
    }
    if (next == rounds.samples) {
      rounds.is_over = true;
      return rounds;
    }
    rounds.samples = next;
  }
}

}  // namespace tenpin::lab
