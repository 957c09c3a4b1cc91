// The tables of a run file, as raw rows. Every commit makes the rows appended since the last commit
// part of the file, with their checksums; docs/run-file.md explains why a kill between any two
// writes loses no committed row. For the .cpp files of this folder only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/header_image.h"
#include "record/output_file.h"
#include "record/rows.h"
#include "record/run_tables.h"
#include "record/table.h"

namespace tenpin::record {

// All functions throw RecordError.
class CommittedTables {
 public:
  CommittedTables(const std::string& path, const RunHeader& header);

  [[nodiscard]] Table& table(RunTable table) { return tables_[index_of(table)]; }
  [[nodiscard]] const Table& table(RunTable table) const { return tables_[index_of(table)]; }
  [[nodiscard]] const std::string& path() const { return file_.path(); }
  [[nodiscard]] std::size_t buffered_bytes() const;
  // The number of rows of each kind, including those still in memory.
  [[nodiscard]] CommittedRow num_rows() const;

  void commit();

  // Writes the status, and flushes the file to the disk. The state in the status confirms
  // everything else, so it is written last.
  void close(StatusRow status);

 private:
  CommittedTables(const std::string& path, const HeaderImage& image);

  OutputFile file_;
  std::vector<Table> tables_;  // by RunTable
  std::vector<Table> checks_;  // one
  std::uint64_t committed_address_;
  std::uint64_t status_address_;
};

}  // namespace tenpin::record
