// The growing tables of a run file, listed once: the writer, the reader, checksums and repair all
// use this list. For the .cpp files of this folder only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "record/h5_types.h"
#include "record/rows.h"
#include "record/run_header.h"

namespace tenpin::record {

// In the order in which rows are written: rows to which others point come first.
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

// The formats, in the order of RunTable.
[[nodiscard]] std::array<TableFormat, kNumRunTables> make_table_formats(const RunHeader& header);

// The number of rows of a table according to the `committed` row.
[[nodiscard]] std::int64_t count_rows(const CommittedRow& committed, RunTable table);

}  // namespace tenpin::record
