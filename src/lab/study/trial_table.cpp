#include "lab/study/trial_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "base/check.h"
#include "base/hash.h"
#include "lab/study/sqlite.h"
#include "lab/version.h"
#include "record/record_error.h"

namespace tenpin::lab {

namespace {

constexpr int kApplication = 0x7470696e;  // "tpin", in the header of the file

std::int64_t read_number(const Database& database, const std::string& sql) {
  Statement statement(database, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::string read_fact(const Database& database, const std::string& key) {
  Statement statement(database, "SELECT value FROM study WHERE key = ?");
  statement.bind(1, key);
  return statement.step() ? statement.text(0) : "";
}

void write_fact(const Database& database, const std::string& key, const std::string& value) {
  Statement insert(database, "INSERT OR REPLACE INTO study VALUES(?, ?)");
  insert.bind(1, key);
  insert.bind(2, value);
  insert.step();
}

void make_tables(std::span<const std::string> columns, Database* database) {
  std::string text;
  for (const std::string& column : columns) text += ", " + quote_name(column);
  database->run(fmt::format(
      "PRAGMA application_id = {}; CREATE TABLE study(key TEXT PRIMARY KEY, value TEXT); "
      "CREATE TABLE trials(trial INTEGER PRIMARY KEY{}, status TEXT, message TEXT)",
      kApplication, text));
}

void check_application(const Database& database) {
  TENPIN_REQUIRE(read_number(database, "PRAGMA application_id") == kApplication,
                 database.path() + ": another program's file, want the table of a study");
}

// Checks all pages, so that an incomplete write by a machine that lost power is found here and not
// during a sweep.
void check_pages(const Database& database) {
  Statement check(database, "PRAGMA quick_check(1)");
  const std::string verdict = check.step() ? check.text(0) : "ok";
  if (verdict != "ok") throw record::RecordError(database.path() + ": damaged: " + verdict);
}

std::vector<TrialRow> take_rows(int num_columns, Statement* statement) {
  std::vector<TrialRow> rows;
  while (statement->step()) {
    TrialRow row = {.trial = statement->integer(0),
                    .cells = {},
                    .status = statement->text(num_columns + 1),
                    .message = statement->text(num_columns + 2)};
    row.cells.reserve(static_cast<std::size_t>(num_columns));
    for (int i = 0; i < num_columns; ++i) row.cells.push_back(statement->cell(i + 1));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<TrialRow> select_rows(const Database& database, int num_columns, std::int64_t end) {
  Statement statement(database, "SELECT * FROM trials WHERE trial < ? ORDER BY trial");
  statement.bind(1, end);
  return take_rows(num_columns, &statement);
}

void refuse_other_study(const std::string& path, const std::string& is, const std::string& want) {
  TENPIN_REQUIRE(is == want, path + ": the table of another study, scene or version, got " + is +
                                 ", want " + want + " (another --output, or remove it)");
}

}  // namespace

std::uint64_t calc_table_hash(std::span<const TrialRow> rows) {
  Hash hash;
  for (const TrialRow& row : rows) {
    hash.add(row.trial);
    for (const Cell& cell : row.cells) {
      hash.add(cell.number ? 1 : 0);
      hash.add(cell.number.value_or(0.0));
      hash.add(std::string_view(cell.text));
    }
    hash.add(std::string_view(row.status));
    hash.add(std::string_view(row.message));
  }
  return hash.value();
}

TrialFacts make_facts(const Study& study) {
  TrialFacts facts = {.name = study.name,
                      .fingerprint = fmt::format("{:016x}", study.fingerprint),
                      .version = std::string(kVersion),
                      .text = study.text,
                      .scene = study.scene_text,
                      .num_trials = study.num_trials(),
                      .columns = {}};
  for (const Variable& variable : study.variables) facts.columns.push_back(variable.name);
  for (const Measure& measure : study.measures) facts.columns.push_back(measure.name);
  return facts;
}

TrialFacts read_facts(const std::string& path) {
  TENPIN_REQUIRE(std::filesystem::is_regular_file(path),
                 path + ": no such file, want the table of a study");
  const Database database(path, Database::Access::kExisting);
  check_application(database);
  check_pages(database);
  TrialFacts facts = {
      .name = read_fact(database, "name"),
      .fingerprint = read_fact(database, "fingerprint"),
      .version = read_fact(database, "tenpin"),
      .text = read_fact(database, "text"),
      .scene = read_fact(database, "scene"),
      .num_trials = std::strtoll(read_fact(database, "trials").c_str(), nullptr, 10),
      .columns = {}};
  const Statement all(database, "SELECT * FROM trials LIMIT 0");
  for (int i = 1; i < all.num_columns() - 2; ++i) facts.columns.push_back(all.column_name(i));
  return facts;
}

TrialTable::TrialTable(const std::string& path, const TrialFacts& facts)
    : num_columns_(static_cast<int>(facts.columns.size())) {
  TENPIN_REQUIRE(!std::filesystem::is_directory(path), path + ": is a folder, want a file");
  database_ = std::make_unique<Database>(path, Database::Access::kMake);
  open_or_make(facts);
}

TrialTable::~TrialTable() = default;

// Uses one transaction, so that two programs that start at the same time make one table.
void TrialTable::open_or_make(const TrialFacts& facts) {
  database_->run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE");
  if (read_number(*database_, "SELECT count(*) FROM sqlite_master") == 0) {
    make_tables(facts.columns, database_.get());
    write_fact(*database_, "name", facts.name);
    write_fact(*database_, "fingerprint", facts.fingerprint);
    write_fact(*database_, "tenpin", facts.version);
    write_fact(*database_, "text", facts.text);
    write_fact(*database_, "scene", facts.scene);
  } else {
    check_application(*database_);
    check_pages(*database_);
    refuse_other_study(database_->path(), read_fact(*database_, "fingerprint"), facts.fingerprint);
  }
  const std::int64_t known = std::strtoll(read_fact(*database_, "trials").c_str(), nullptr, 10);
  write_fact(*database_, "trials", std::to_string(std::max(known, facts.num_trials)));
  database_->run("COMMIT");
}

std::vector<std::int64_t> TrialTable::read_trials(std::int64_t end) const {
  Statement statement(*database_, "SELECT trial FROM trials WHERE trial < ? ORDER BY trial");
  statement.bind(1, end);
  std::vector<std::int64_t> trials;
  while (statement.step()) trials.push_back(statement.integer(0));
  return trials;
}

std::vector<TrialRow> TrialTable::read_rows(std::int64_t end) const {
  return select_rows(*database_, num_columns_, end);
}

std::vector<TrialRow> read_all_rows(const std::string& path) {
  const auto num_columns = static_cast<int>(read_facts(path).columns.size());
  const Database database(path, Database::Access::kExisting);
  return select_rows(database, num_columns, std::numeric_limits<std::int64_t>::max());
}

std::vector<TrialRow> TrialTable::read_rows_of_status(const std::string& status) const {
  Statement statement(*database_, "SELECT * FROM trials WHERE status = ? ORDER BY trial");
  statement.bind(1, status);
  return take_rows(num_columns_, &statement);
}

void TrialTable::remove(std::span<const std::int64_t> trials) {
  if (trials.empty()) return;
  Statement remove(*database_, "DELETE FROM trials WHERE trial = ?");
  database_->run("BEGIN IMMEDIATE");
  for (const std::int64_t trial : trials) {
    remove.bind(1, trial);
    remove.step();
    remove.restart();
  }
  database_->run("COMMIT");
}

void TrialTable::add(std::span<const TrialRow> rows) {
  if (insert_ == nullptr) {
    std::string marks;
    for (int i = 0; i < num_columns_; ++i) marks += ", ?";
    insert_ = std::make_unique<Statement>(
        *database_, "INSERT OR IGNORE INTO trials VALUES(?" + marks + ", ?, ?)");
  }
  database_->run("BEGIN IMMEDIATE");
  for (const TrialRow& row : rows) {
    int index = 1;
    insert_->bind(index++, row.trial);
    for (const Cell& cell : row.cells) insert_->bind(index++, cell);
    insert_->bind(index++, row.status);
    insert_->bind(index, row.message);
    insert_->step();
    insert_->restart();
  }
  database_->run("COMMIT");
}

}  // namespace tenpin::lab
