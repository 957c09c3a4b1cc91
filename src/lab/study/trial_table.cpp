#include "lab/study/trial_table.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <functional>
#include <utility>

#include "base/check.h"
#include "lab/version.h"
#include "record/record_error.h"

namespace tenpin::lab {

namespace {

constexpr int kApplication = 0x7470696e;  // "tpin", in the file's header
constexpr int kBusyTime = 20000;          // ms   that another writer is waited for

// In double quotes, so that a name cannot be anything else.
std::string quote_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

}  // namespace

class TrialTable::Database {
 public:
  explicit Database(std::string path) : path_(std::move(path)) {
    const int code = sqlite3_open_v2(path_.c_str(), &handle_,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    if (code != SQLITE_OK) fail_open(code);
    sqlite3_busy_timeout(handle_, kBusyTime);
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const std::string& sql) {
    const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
  }

  [[noreturn]] void fail(int code) const {
    const std::string text = path_ + ": " + sqlite3_errmsg(handle_);
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT) {
      throw InputError(text + ", want the table of a study");
    }
    throw record::RecordError(text);
  }

  sqlite3* handle() const { return handle_; }

 private:
  [[noreturn]] void fail_open(int code) {
    const std::string text = path_ + ": " + sqlite3_errstr(code);
    sqlite3_close(handle_);
    throw record::RecordError(text);
  }

  std::string path_;
  sqlite3* handle_ = nullptr;
};

namespace {

// A statement that is run row by row.
class Statement {
 public:
  template <typename Database>
  Statement(const Database& database, const std::string& sql) {
    const int code = sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &handle_, nullptr);
    if (code != SQLITE_OK) database.fail(code);
    fail_ = [&database](int error) {
      database.fail(error);
    };
  }
  ~Statement() { sqlite3_finalize(handle_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(int index, std::int64_t number) { sqlite3_bind_int64(handle_, index, number); }
  void bind(int index, const std::string& text) {
    sqlite3_bind_text(handle_, index, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  void bind(int index, const Cell& cell) {
    if (cell.number) {
      sqlite3_bind_double(handle_, index, *cell.number);
    } else if (!cell.text.empty()) {
      bind(index, cell.text);
    } else {
      sqlite3_bind_null(handle_, index);
    }
  }

  // True while there are rows.
  bool step() {
    const int code = sqlite3_step(handle_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail_(code);
    return code == SQLITE_ROW;
  }
  void restart() { sqlite3_reset(handle_); }

  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_, column); }
  std::string text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
    return bytes == nullptr
               ? ""
               : std::string(bytes,
                             static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
  }
  Cell cell(int column) const {
    const int type = sqlite3_column_type(handle_, column);
    if (type == SQLITE_NULL) return {};
    if (type == SQLITE_TEXT) return {.text = text(column)};
    return {.number = sqlite3_column_double(handle_, column)};
  }

 private:
  sqlite3_stmt* handle_ = nullptr;
  std::function<void(int)> fail_;
};

}  // namespace

TrialTable::TrialTable(const std::string& path, const Study& study) : path_(path) {
  for (const Variable& variable : study.variables) columns_.push_back(variable.name);
  for (const Measure& measure : study.measures) columns_.push_back(measure.name);
  TENPIN_REQUIRE(!std::filesystem::is_directory(path), path + ": is a folder, want a file");
  database_ = std::make_unique<Database>(path);
  open_or_make(study);
}

TrialTable::~TrialTable() = default;

// In one transaction, so that two programs that begin at once make one table.
void TrialTable::open_or_make(const Study& study) {
  database_->run("PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE");
  const auto read_number = [&](const std::string& sql) {
    Statement statement(*database_, sql);
    return statement.step() ? statement.integer(0) : 0;
  };
  const std::string fingerprint = fmt::format("{:016x}", study.fingerprint);
  if (read_number("SELECT count(*) FROM sqlite_master") == 0) {
    std::string columns;
    for (const std::string& column : columns_) columns += ", " + quote_name(column);
    database_->run(fmt::format(
        "PRAGMA application_id = {}; CREATE TABLE study(key TEXT PRIMARY KEY, value TEXT); "
        "CREATE TABLE trials(trial INTEGER PRIMARY KEY{}, status TEXT, message TEXT)",
        kApplication, columns));
    Statement insert(*database_, "INSERT INTO study VALUES(?, ?)");
    const std::pair<const char*, std::string> facts[] = {{"name", study.name},
                                                         {"fingerprint", fingerprint},
                                                         {"tenpin", kVersion},
                                                         {"text", study.text},
                                                         {"scene", study.scene_text}};
    for (const auto& [key, value] : facts) {
      insert.bind(1, std::string(key));
      insert.bind(2, value);
      insert.step();
      insert.restart();
    }
  } else {
    TENPIN_REQUIRE(read_number("PRAGMA application_id") == kApplication,
                   path_ + ": another program's file, want the table of a study");
    Statement found(*database_, "SELECT value FROM study WHERE key = 'fingerprint'");
    const bool is_ours = found.step() && found.text(0) == fingerprint;
    TENPIN_REQUIRE(is_ours, path_ + ": the table of another study, scene or version, got " +
                                found.text(0) + ", want " + fingerprint +
                                " (another --output, or remove it)");
  }
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
  Statement statement(*database_, "SELECT * FROM trials WHERE trial < ? ORDER BY trial");
  statement.bind(1, end);
  std::vector<TrialRow> rows;
  const int count = static_cast<int>(columns_.size());
  while (statement.step()) {
    TrialRow row = {.trial = statement.integer(0),
                    .cells = {},
                    .status = statement.text(count + 1),
                    .message = statement.text(count + 2)};
    for (int i = 0; i < count; ++i) row.cells.push_back(statement.cell(i + 1));
    rows.push_back(std::move(row));
  }
  return rows;
}

void TrialTable::add(std::span<const TrialRow> rows) {
  std::string marks;
  for (std::size_t i = 0; i < columns_.size(); ++i) marks += ", ?";
  database_->run("BEGIN IMMEDIATE");
  Statement insert(*database_, "INSERT OR IGNORE INTO trials VALUES(?" + marks + ", ?, ?)");
  for (const TrialRow& row : rows) {
    int index = 1;
    insert.bind(index++, row.trial);
    for (const Cell& cell : row.cells) insert.bind(index++, cell);
    insert.bind(index++, row.status);
    insert.bind(index, row.message);
    insert.step();
    insert.restart();
  }
  database_->run("COMMIT");
}

}  // namespace tenpin::lab
