// A run that is stored in memory. Its rows can be read as soon as they are written, by the same
// thread.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <string>

#include "record/run_storage.h"

namespace tenpin::record {

struct MemoryRun {
  std::string name = "run";  // for messages
  // Beyond this many bytes, appending throws LimitError.
  std::int64_t max_bytes = std::numeric_limits<std::int64_t>::max();

  RunHeader header;
  RunStatus status;
  // Stored in blocks, so that growing never copies.
  std::deque<ContactRow> contacts;
  std::deque<ReactionRow> reactions;
  std::deque<std::uint64_t> words;
  std::deque<RunMessage> messages;
  std::deque<StepRow> steps;
  std::deque<RunFrame> frames;
  std::deque<RestartRow> restarts;  // one per frame
  std::int64_t num_bytes = 0;       // of all rows
};

// Empties *run and writes to it.
[[nodiscard]] std::unique_ptr<RunOutput> make_memory_output(std::shared_ptr<MemoryRun> run,
                                                            const RunHeader& header);
[[nodiscard]] std::unique_ptr<RunInput> make_memory_input(std::shared_ptr<const MemoryRun> run);

}  // namespace tenpin::record
