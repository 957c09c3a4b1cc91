// Writes one simulation as it runs, to a run file (docs/run-file.md) or to memory.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contact/report.h"
#include "dynamics/state.h"
#include "methods/method.h"
#include "record/record_error.h"
#include "record/rows.h"
#include "record/run_header.h"
#include "record/run_types.h"

namespace tenpin::record {

class RunOutput;
struct MemoryRun;

// Impulses that acted in a step.
struct StepImpulses {
  std::span<const contact::ContactRecord> contacts;
  std::span<const ReactionRow> reactions;
  double duration = 0.0;  // s   time during which the impulses acted; 0 for an impact
};

// When rows are written from memory to the file.
struct FlushPolicy {
  std::size_t max_bytes = 1 << 20;
  double max_seconds = 0.5;  // checked when rows are appended
};

// Writes a run. A file can be read at any time up to the last flush, even while it grows and after
// kill -9. All file access throws RecordError; rows committed before remain valid, and only close()
// may follow. A file size limit is reported only if the program ignores SIGXFSZ.
class RunWriter {
 public:
  RunWriter(const std::string& path, const RunHeader& header, const FlushPolicy& policy = {});
  // Replaces the contents of *run.
  RunWriter(std::shared_ptr<MemoryRun> run, const RunHeader& header);
  // Marks the run as interrupted unless close() was called.
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  // Appends a step; call it for every step, in order. Its contacts and reactions are recorded if
  // the scene requests those of all steps.
  void append_step(const methods::StepReport& report, const StepImpulses& impulses);

  // Appends the state after the last step, or the initial state. Its contacts and reactions are
  // recorded if the scene requests those of frames. A run that is continued at this frame starts
  // from *restart, which is the same state unless the method's own steps do not end at frames.
  void append_frame(const dynamics::State& state, std::span<const BodyMotion> bodies,
                    const StepImpulses& impulses, const dynamics::State* restart = nullptr);

  void flush();

  // Ends the run. Writes the remaining rows unless an earlier write failed.
  void close(RunState state, std::string_view message);

  const std::string& path() const;
  std::int64_t num_frames() const;
  std::int64_t num_steps() const;
  std::int64_t num_contacts() const;

 private:
  RunWriter(std::unique_ptr<RunOutput> output, const RunHeader& header, const FlushPolicy& policy);

  void append_impulses(const StepImpulses& impulses, std::int64_t step);
  void append_restart(const dynamics::State& restart, double t_frame);
  void flush_if_due();

  std::unique_ptr<RunOutput> output_;
  scene::Record::Contacts contacts_policy_;
  FlushPolicy policy_;
  int nq_, nv_, num_bodies_;
  bool has_events_;                   // true if restarts begin with the events that have happened
  std::vector<std::uint64_t> words_;  // of the last restart
  StepRow last_step_ = {};            // the step whose contacts a frame shares if all are recorded
  bool failed_ = false;
  bool closed_ = false;
  std::chrono::steady_clock::time_point started_, flushed_;
};

}  // namespace tenpin::record
