// The first bytes of a run file, built in memory by the HDF5 library: the header and empty tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/run_header.h"
#include "record/run_tables.h"
#include "record/table.h"

namespace tenpin::record {

struct HeaderImage {
  std::vector<std::byte> bytes;
  std::array<TablePlace, kNumRunTables> tables;  // by RunTable
  TablePlace checks;
  std::uint64_t committed_address = 0;  // address of a CommittedRow that is all zero
  std::uint64_t status_address = 0;     // address of a StatusRow with the state "running"
};

[[nodiscard]] HeaderImage make_header_image(const RunHeader& header);

}  // namespace tenpin::record
