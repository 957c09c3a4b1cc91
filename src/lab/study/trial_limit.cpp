#include "lab/study/trial_limit.h"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

namespace tenpin::lab {

namespace {

constexpr std::string_view kLimitPrefix = "more than ";

}  // namespace

std::string describe_limit(double seconds) {
  return fmt::format("{}{} s of CPU time", kLimitPrefix, seconds);
}

double read_limit(const TrialRow& row) {
  if (row.status != kOutOfTime || !row.message.starts_with(kLimitPrefix)) return 0.0;
  return std::strtod(row.message.c_str() + kLimitPrefix.size(), nullptr);
}

std::int64_t forget_late_trials(const Study& study, TrialTable* table) {
  std::vector<std::int64_t> late;
  for (const TrialRow& row : table->read_rows_of_status(std::string(kOutOfTime))) {
    if (read_limit(row) < study.trial_limit) late.push_back(row.trial);
  }
  table->remove(late);
  return std::ssize(late);
}

}  // namespace tenpin::lab
