// The table of a study: one row per trial, in an SQLite file that any other program can read.
//   trials   trial, one column per variable, one per measure, status, message
//   study    key, value: what the rows belong to
// Rows are committed in transactions, so that a killed program leaves whole rows or none.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lab/study/design.h"
#include "lab/study/study.h"

namespace tenpin::lab {

struct TrialRow {
  std::int64_t trial = 0;
  std::vector<Cell> cells;  // variables, then measures
  std::string status;       // "done", or how it ended
  std::string message;      // what went wrong, or ""

  bool is_done() const { return status == "done"; }
  bool operator==(const TrialRow&) const = default;
};

// Throws RecordError when the system will not let us, InputError for a file that is something else
// or the table of another study.
class TrialTable {
 public:
  // Made if it is not there.
  TrialTable(const std::string& path, const Study& study);
  ~TrialTable();
  TrialTable(const TrialTable&) = delete;
  TrialTable& operator=(const TrialTable&) = delete;

  // Ascending, below `end`.
  [[nodiscard]] std::vector<std::int64_t> read_trials(std::int64_t end) const;
  [[nodiscard]] std::vector<TrialRow> read_rows(std::int64_t end) const;

  // All or none. Rows that are there stay: another program may have been quicker, and rows of the
  // same trial are the same.
  void add(std::span<const TrialRow> rows);

 private:
  class Database;
  void open_or_make(const Study& study);

  std::string path_;
  std::vector<std::string> columns_;  // variables, then measures
  std::unique_ptr<Database> database_;
};

}  // namespace tenpin::lab
