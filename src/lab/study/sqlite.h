// A thin C++ wrapper of SQLite for the tables of studies.
#pragma once

#include <cstdint>
#include <string>

#include "lab/study/design.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tenpin::lab {

// The name in double quotes, so that it can only be the name of a column.
[[nodiscard]] std::string quote_name(const std::string& name);

// A database. Throws RecordError if the system denies access, InputError if the file is not a
// database.
class Database {
 public:
  enum class Access { kExisting, kMake };  // kMake creates the file if it does not exist

  Database(std::string path, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const std::string& sql);
  [[noreturn]] void fail(int code) const;

  const std::string& path() const { return path_; }
  sqlite3* handle() const { return handle_; }

 private:
  std::string path_;
  sqlite3* handle_ = nullptr;
};

// A statement that is run row by row.
class Statement {
 public:
  Statement(const Database& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(int index, std::int64_t number);
  void bind(int index, const std::string& text);
  void bind(int index, const Cell& cell);

  // Returns true while there are rows.
  bool step();
  void restart();

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] Cell cell(int column) const;
  [[nodiscard]] int num_columns() const;
  [[nodiscard]] std::string column_name(int column) const;

 private:
  const Database* database_;
  sqlite3_stmt* handle_ = nullptr;
};

}  // namespace tenpin::lab
