// The first bytes of a run file, built in memory by the HDF5 library: the header and empty tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/run_header.h"
#include "record/table.h"

namespace tenpin::record {

struct HeaderImage {
  std::vector<std::byte> bytes;
  TablePlace frame_t, frame_step, frame_first_contact, frame_num_contacts;
  TablePlace frame_q, frame_v, frame_pose, frame_velocity;
  TablePlace frame_first_reaction, frame_num_reactions;
  TablePlace restarts, words;
  TablePlace steps, contacts, reactions, messages;
  std::uint64_t committed_address = 0;  // of a CommittedRow, all zero
  std::uint64_t status_address = 0;     // of a StatusRow, running
};

[[nodiscard]] HeaderImage make_header_image(const RunHeader& header);

}  // namespace tenpin::record
