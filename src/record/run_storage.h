// The storage of a run. A run is written to a RunOutput and read from a RunInput; both exist for
// run files (run_file.h, with HDF5) and for memory (memory_run.h). RunWriter and RunReader are the
// same for both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dynamics/state.h"
#include "record/rows.h"
#include "record/run_header.h"
#include "record/run_types.h"

namespace tenpin::record {

// A frame without its coordinates.
struct FrameRow {
  double t = 0.0;  // s
  std::int64_t step = 0;
  std::int64_t first_contact = 0, num_contacts = 0;
  std::int64_t first_reaction = 0, num_reactions = 0;
};

// Receives rows in the order in which they are made. Throws RecordError if they cannot be stored.
class RunOutput {
 public:
  virtual ~RunOutput() = default;

  virtual const std::string& path() const = 0;
  // The number of rows appended so far.
  virtual CommittedRow num_rows() const = 0;

  virtual void append(const ContactRow& row) = 0;
  virtual void append(const ReactionRow& row) = 0;
  virtual void append(const MessageRow& row) = 0;
  virtual void append(const StepRow& row) = 0;
  virtual void append_words(std::span<const std::uint64_t> words) = 0;
  virtual void append_frame(const FrameRow& row, const dynamics::State& state,
                            std::span<const BodyMotion> bodies) = 0;
  virtual void append(const RestartRow& row) = 0;

  // The size of rows that a reader cannot see yet.
  virtual std::size_t num_buffered_bytes() const = 0;
  virtual void flush() = 0;
  // Ends the run; only the destructor may follow.
  virtual void close(const StatusRow& status) = 0;
};

// Provides rows. Ranges of rows must be within the run, which RunReader checks. Throws InputError
// if the contents are invalid.
class RunInput {
 public:
  virtual ~RunInput() = default;

  virtual const std::string& path() const = 0;
  virtual const RunHeader& header() const = 0;
  virtual const RunStatus& status() const = 0;
  virtual CommittedRow num_rows() const = 0;

  [[nodiscard]] virtual RunFrame read_frame(std::int64_t k) const = 0;
  [[nodiscard]] virtual std::vector<double> read_frame_times() const = 0;
  [[nodiscard]] virtual RestartRow read_restart(std::int64_t k) const = 0;
  [[nodiscard]] virtual std::vector<std::uint64_t> read_words(std::int64_t first,
                                                              std::int64_t count) const = 0;
  [[nodiscard]] virtual std::vector<StepRow> read_steps(std::int64_t first,
                                                        std::int64_t count) const = 0;
  [[nodiscard]] virtual std::vector<ContactRow> read_contacts(std::int64_t first,
                                                              std::int64_t count) const = 0;
  [[nodiscard]] virtual std::vector<ReactionRow> read_reactions(std::int64_t first,
                                                                std::int64_t count) const = 0;
  [[nodiscard]] virtual std::vector<RunMessage> read_messages() const = 0;

  // Compares all rows with their checksums, if there are any.
  virtual void verify() const = 0;
};

}  // namespace tenpin::record
