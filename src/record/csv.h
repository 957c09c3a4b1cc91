// The tables of a run as comma-separated values (RFC 4180); numbers have the fewest digits that
// preserve every bit.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "record/run_reader.h"

namespace tenpin::record {

enum class CsvTable { kFrames, kSteps, kContacts, kReactions };

// Writes one table. frames: one line per frame and body; steps: one per step; contacts: one per
// recorded contact; reactions: one per recorded joint or loop.
void write_csv(const RunReader& reader, CsvTable table, std::ostream* out);

// Returns the text as one cell. Spreadsheets execute cells that begin with = + - @ as formulas, so
// these get a leading '.
[[nodiscard]] std::string csv_cell(std::string_view text);

}  // namespace tenpin::record
