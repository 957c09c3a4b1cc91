// The tables of a run file, as raw rows. Every commit makes the rows appended since the last one
// part of the file, with their checksums; docs/run-file.md says why a kill between any two
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
  // Rows of each kind, those in memory included.
  [[nodiscard]] CommittedRow num_rows() const;

  void commit();

  // Writes the status, whose state confirms the rest and therefore comes last, and flushes the
  // file to the disk.
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
