// Reads run files: finished, failed, growing, or left behind by a killed process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/state.h"
#include "math/types.h"
#include "record/record_error.h"
#include "record/rows.h"
#include "record/run_header.h"
#include "record/run_writer.h"

namespace tenpin::record {

struct RunStatus {
  RunState state = RunState::kRunning;
  bool being_written =
      false;               // a process has it open for writing; otherwise "running" means killed
  std::int64_t pid = 0;    // of the writer
  double wall_time = 0.0;  // s   0 until the end
  double cpu_time = 0.0;   // s
  std::string message;

  // "finished", "failed", "interrupted", "running" or "killed".
  std::string to_string() const;
};

struct RunFrame {
  double t = 0.0;         // s
  std::int64_t step = 0;  // the last step before it
  VecX q;
  VecX v;
  std::vector<BodyMotion> bodies;
  std::int64_t first_contact = 0;  // its rows of the contact table
  std::int64_t num_contacts = 0;
  std::int64_t first_reaction = 0;  // in the reaction table
  std::int64_t num_reactions = 0;
};

struct RunMessage {
  std::int64_t step = 0;
  std::string text;
};

// Throws InputError for a file that is not a valid run file, RecordError if the system does not let
// us read it. Sizes are checked against the file's size before memory is allocated for them.
class RunReader {
 public:
  explicit RunReader(const std::string& path);
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
  // From where a run that is continued at frame k goes on: all that its method needs to know.
  [[nodiscard]] dynamics::State read_restart(std::int64_t k) const;
  [[nodiscard]] std::vector<StepRow> read_steps(std::int64_t first, std::int64_t count) const;
  [[nodiscard]] std::vector<ContactRow> read_contacts(std::int64_t first, std::int64_t count) const;
  [[nodiscard]] std::vector<ReactionRow> read_reactions(std::int64_t first,
                                                        std::int64_t count) const;
  [[nodiscard]] std::vector<RunMessage> read_messages() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenpin::record
