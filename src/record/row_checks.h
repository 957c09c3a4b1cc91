// Checksums of the rows of a run file. Every commit appends one CheckRow: the number of rows of
// each table, and a hash of the rows that the commit added to each. These added rows are called a
// block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"
#include "record/h5_input.h"
#include "record/run_tables.h"

namespace tenpin::record {

// Stored as a row of 64-bit words.
struct CheckRow {
  std::array<std::int64_t, kNumRunTables> num_rows;  // of each table, after the commit
  std::array<std::uint64_t, kNumRunTables> hashes;   // of the rows that it added
  std::uint64_t own;                                 // of the numbers above
};
inline constexpr std::size_t kCheckWords = sizeof(CheckRow) / sizeof(std::uint64_t);

// The format of the table of check rows.
[[nodiscard]] TableFormat make_checks_format();

// Adds rows to a hash, as words; the size of every row is a multiple of eight bytes. A change of
// any single word changes the hash.
void add_rows(std::span<const std::byte> rows, Hash* hash);

// The value of CheckRow::own for the other numbers of the row.
[[nodiscard]] std::uint64_t calc_own_hash(const CheckRow& row);

// Computes the seven bytes beside the state, a hash of everything else in the status row: the time
// and the pid of a run can be damaged like any row.
void seal_status(StatusRow* status);
[[nodiscard]] bool is_status_intact(const StatusRow& status);

// The check rows of a file, in order.
class RowChecks {
 public:
  struct Block {
    std::int64_t first = 0;  // first row
    std::int64_t count = 0;
    std::uint64_t hash = 0;
  };

  RowChecks() = default;
  // Rows must be intact, and their counts must not decrease from commit to commit.
  explicit RowChecks(std::vector<CheckRow> rows) : rows_(std::move(rows)) {}

  [[nodiscard]] std::size_t num_blocks() const { return rows_.size(); }
  [[nodiscard]] Block block(RunTable table, std::size_t i) const;
  // The first block that contains the row, or num_blocks() if none does.
  [[nodiscard]] std::size_t find_block(RunTable table, std::int64_t row) const;
  // The number of committed rows of the table.
  [[nodiscard]] std::int64_t num_rows(RunTable table) const {
    return rows_.empty() ? 0 : rows_.back().num_rows[index_of(table)];
  }

 private:
  std::vector<CheckRow> rows_;
};

// Reads the check rows as they are in the file; is_valid_check() says if they are intact. Throws
// h5::Error if they cannot be read.
[[nodiscard]] std::vector<CheckRow> read_check_rows(const H5Input& input, std::int64_t first,
                                                    std::int64_t count);

// The hash of the rows of a block as they are in the file now. Throws h5::Error if they cannot be
// read.
[[nodiscard]] std::uint64_t calc_block_hash(const H5Input& input, const TableFormat& format,
                                            const RowChecks::Block& block);

// True if `row` is intact, and could follow `before`.
[[nodiscard]] bool is_valid_check(const CheckRow& row, const CheckRow& before);

}  // namespace tenpin::record
