// The growing tables of a run file, listed once: writer, reader, checksums and repair all go by
// this list. For the .cpp files of this folder only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "record/h5_types.h"
#include "record/rows.h"
#include "record/run_header.h"

namespace tenpin::record {

// In the order in which rows are written: rows that others point to come first.
enum class RunTable : std::uint8_t {
  kContacts,
  kReactions,
  kWords,
  kMessages,
  kSteps,
  kFrameTime,
  kFrameStep,
  kFrameFirstContact,
  kFrameNumContacts,
  kFrameFirstReaction,
  kFrameNumReactions,
  kFrameQ,
  kFrameV,
  kFramePose,
  kFrameVelocity,
  kRestarts,
};
inline constexpr std::size_t kNumRunTables = 16;

[[nodiscard]] constexpr std::size_t index_of(RunTable table) {
  return static_cast<std::size_t>(table);
}

struct TableFormat {
  const char* name = "";          // in the file
  const char* unit = nullptr;     // of a table of numbers
  std::span<const Field> fields;  // of a table of rows; empty: numbers
  h5::Handle type;                // of one element
  std::vector<std::uint64_t> row_shape;
};

// By RunTable.
[[nodiscard]] std::array<TableFormat, kNumRunTables> make_table_formats(const RunHeader& header);

// The count of its rows in the `committed` row.
[[nodiscard]] std::int64_t count_rows(const CommittedRow& committed, RunTable table);

}  // namespace tenpin::record
