#include "lab/study/sqlite.h"

#include <sqlite3.h>

#include <cstring>
#include <utility>

#include "base/check.h"
#include "record/record_error.h"

namespace tenpin::lab {

namespace {

constexpr int kBusyTime = 20000;  // ms   time to wait for another writer

// SQLite's message, followed by the system's.
std::string describe_error(int code, sqlite3* handle) {
  std::string text = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  const int error = handle != nullptr ? sqlite3_system_errno(handle) : 0;
  const int kind = code & 0xff;
  if (error != 0 && (kind == SQLITE_CANTOPEN || kind == SQLITE_IOERR || kind == SQLITE_FULL)) {
    text += std::string(" (") + std::strerror(error) + ")";
  }
  return text;
}

}  // namespace

std::string quote_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

Database::Database(std::string path, Access access) : path_(std::move(path)) {
  // Readers open the file for writing, too, because they may have to process the log that a killed
  // writer left.
  const int flags = SQLITE_OPEN_READWRITE | (access == Access::kMake ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path_.c_str(), &handle_, flags, nullptr);
  if (code != SQLITE_OK) {
    const std::string text = path_ + ": " + describe_error(code, handle_);
    sqlite3_close(handle_);
    throw record::RecordError(text);
  }
  sqlite3_busy_timeout(handle_, kBusyTime);
}

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::run(const std::string& sql) {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

void Database::fail(int code) const {
  const std::string text = path_ + ": " + describe_error(code, handle_);
  if (code == SQLITE_NOTADB) throw InputError(text + ", want the table of a study");
  throw record::RecordError(text);
}

Statement::Statement(const Database& database, const std::string& sql) : database_(&database) {
  const int code = sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &handle_, nullptr);
  if (code != SQLITE_OK) database.fail(code);
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

void Statement::bind(int index, std::int64_t number) {
  sqlite3_bind_int64(handle_, index, number);
}

void Statement::bind(int index, const std::string& text) {
  sqlite3_bind_text(handle_, index, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

void Statement::bind(int index, const Cell& cell) {
  if (cell.number) {
    sqlite3_bind_double(handle_, index, *cell.number);
  } else if (!cell.text.empty()) {
    bind(index, cell.text);
  } else {
    sqlite3_bind_null(handle_, index);
  }
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_->fail(code);
  return code == SQLITE_ROW;
}

void Statement::restart() {
  sqlite3_reset(handle_);
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  if (bytes == nullptr) return "";
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

Cell Statement::cell(int column) const {
  const int type = sqlite3_column_type(handle_, column);
  if (type == SQLITE_NULL) return {};
  if (type == SQLITE_TEXT) return {.text = text(column)};
  return {.number = sqlite3_column_double(handle_, column)};
}

int Statement::num_columns() const {
  return sqlite3_column_count(handle_);
}

std::string Statement::column_name(int column) const {
  return sqlite3_column_name(handle_, column);
}

}  // namespace tenpin::lab
