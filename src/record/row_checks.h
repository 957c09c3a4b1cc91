// Checksums of the rows of a run file. Every commit appends one CheckRow: how many rows each table
// has then, and a hash of the rows that the commit added to each. A block is what one commit added.
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

// Of the table of check rows.
[[nodiscard]] TableFormat make_checks_format();

// Adds rows to a hash, as words: every row has a multiple of eight bytes. A change of a single word
// always changes the hash.
void add_rows(std::span<const std::byte> rows, Hash* hash);

// The value of CheckRow::own that fits the other numbers.
[[nodiscard]] std::uint64_t calc_own_hash(const CheckRow& row);

// The time and the pid of a run can be damaged like any row: seven bytes beside the state hold a
// hash of everything else in the status row.
void seal_status(StatusRow* status);
[[nodiscard]] bool is_status_intact(const StatusRow& status);

// The check rows of a file, in order.
class RowChecks {
 public:
  struct Block {
    std::int64_t first = 0;  // row
    std::int64_t count = 0;
    std::uint64_t hash = 0;
  };

  RowChecks() = default;
  // Rows must be intact and must not shrink from commit to commit.
  explicit RowChecks(std::vector<CheckRow> rows) : rows_(std::move(rows)) {}

  [[nodiscard]] std::size_t num_blocks() const { return rows_.size(); }
  [[nodiscard]] Block block(RunTable table, std::size_t i) const;
  // The first block that holds the row, or num_blocks().
  [[nodiscard]] std::size_t find_block(RunTable table, std::int64_t row) const;
  // Committed rows of the table.
  [[nodiscard]] std::int64_t num_rows(RunTable table) const {
    return rows_.empty() ? 0 : rows_.back().num_rows[index_of(table)];
  }

 private:
  std::vector<CheckRow> rows_;
};

// As the file has them; is_valid_check() says whether they are intact. Throws h5::Error if they
// cannot be read.
[[nodiscard]] std::vector<CheckRow> read_check_rows(const H5Input& input, std::int64_t first,
                                                    std::int64_t count);

// The hash of the rows of a block as the file has them now. Throws h5::Error if they cannot be
// read.
[[nodiscard]] std::uint64_t calc_block_hash(const H5Input& input, const TableFormat& format,
                                            const RowChecks::Block& block);

// Is `row` intact, and could it follow `before`?
[[nodiscard]] bool is_valid_check(const CheckRow& row, const CheckRow& before);

}  // namespace tenpin::record
