// Reads runs: files that are complete, failed, growing or left behind by a killed process, and runs
// in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/state.h"
#include "record/record_error.h"
#include "record/rows.h"
#include "record/run_header.h"
#include "record/run_types.h"
#include "record/run_writer.h"

namespace tenpin::record {

class RunInput;
struct MemoryRun;

// Reads one run. Throws InputError if a file is not a valid run file, RecordError if the system
// denies reading. Sizes are checked against the file's size before memory is allocated for them.
class RunReader {
 public:
  explicit RunReader(const std::string& path);
  // Reads a run in memory; sees new rows as soon as they are written.
  explicit RunReader(std::shared_ptr<const MemoryRun> run);
  ~RunReader();
  RunReader(const RunReader&) = delete;
  RunReader& operator=(const RunReader&) = delete;

  const std::string& path() const;
  const RunHeader& header() const;
  const RunStatus& status() const;
  std::int64_t num_frames() const;
  std::int64_t num_steps() const;
  std::int64_t num_contacts() const;
  std::int64_t num_reactions() const;

  [[nodiscard]] RunFrame read_frame(std::int64_t k) const;
  [[nodiscard]] std::vector<double> read_frame_times() const;
  // The state from which a run continues at frame k, with everything that its method needs.
  [[nodiscard]] dynamics::State read_restart(std::int64_t k) const;
  [[nodiscard]] std::vector<StepRow> read_steps(std::int64_t first, std::int64_t count) const;
  [[nodiscard]] std::vector<ContactRow> read_contacts(std::int64_t first, std::int64_t count) const;
  [[nodiscard]] std::vector<ReactionRow> read_reactions(std::int64_t first,
                                                        std::int64_t count) const;
  [[nodiscard]] std::vector<RunMessage> read_messages() const;
  // Compares all rows of a file with their checksums. Other functions do so only with the rows that
  // they read.
  void verify() const;

 private:
  std::unique_ptr<RunInput> input_;
};

}  // namespace tenpin::record
