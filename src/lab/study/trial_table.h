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

// 64 bits that differ if any row differs. Rows must be in the order of their trials.
[[nodiscard]] std::uint64_t calc_table_hash(std::span<const TrialRow> rows);

// What the rows of a table belong to.
struct TrialFacts {
  std::string name;
  std::string fingerprint;
  std::string version;               // version of the program that made the table
  std::string text;                  // text of the study
  std::string scene;                 // text of the scene
  std::int64_t num_trials = 0;       // largest number of trials that the study was asked for
  std::vector<std::string> columns;  // variables, then measures
};
[[nodiscard]] TrialFacts make_facts(const Study& study);
// Throws InputError if the file is not the table of a study.
[[nodiscard]] TrialFacts read_facts(const std::string& path);

// Reads all rows of a table that will not be written.
[[nodiscard]] std::vector<TrialRow> read_all_rows(const std::string& path);

class Database;
class Statement;

// The table. Throws RecordError if the system denies access, InputError if the file is something
// else or the table of another study.
class TrialTable {
 public:
  // Creates the table if it does not exist.
  TrialTable(const std::string& path, const TrialFacts& facts);
  TrialTable(const std::string& path, const Study& study) : TrialTable(path, make_facts(study)) {}
  ~TrialTable();
  TrialTable(const TrialTable&) = delete;
  TrialTable& operator=(const TrialTable&) = delete;

  // Returns trials with rows in ascending order, below `end`.
  [[nodiscard]] std::vector<std::int64_t> read_trials(std::int64_t end) const;
  [[nodiscard]] std::vector<TrialRow> read_rows(std::int64_t end) const;

  [[nodiscard]] std::vector<TrialRow> read_rows_of_status(const std::string& status) const;

  // Removes all of them or none.
  void remove(std::span<const std::int64_t> trials);
  // Adds all rows or none. Existing rows are kept: another program may have added them first, and
  // rows of the same trial are equal.
  void add(std::span<const TrialRow> rows);

 private:
  void open_or_make(const TrialFacts& facts);

  int num_columns_;  // variables and measures
  std::unique_ptr<Database> database_;
  std::unique_ptr<Statement> insert_;  // created by the first add()
};

}  // namespace tenpin::lab
