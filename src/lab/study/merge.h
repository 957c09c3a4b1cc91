// Merges the tables of several machines that shared a study.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tenpin::lab {

struct MergeReport {
  std::string study;                  // its name
  std::int64_t rows = 0;              // in the merged table
  std::int64_t repeated = 0;          // rows that were in more than one table
  std::int64_t num_trials = 0;        // number of trials that the study was asked for
  std::vector<std::int64_t> missing;  // trials below num_trials that no table has
  std::uint64_t hash = 0;             // of all rows
};

// Merges tables. The output file is replaced atomically; if it exists already, its rows are kept.
// Throws InputError, and writes nothing, if a table belongs to another study or if two tables
// contradict each other.
[[nodiscard]] MergeReport merge_tables(std::span<const std::string> tables,
                                       const std::string& output);

// For example "3-5, 9, 12 and 40 more".
[[nodiscard]] std::string describe_trials(std::span<const std::int64_t> trials);

}  // namespace tenpin::lab
