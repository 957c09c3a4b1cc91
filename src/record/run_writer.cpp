#include "record/run_writer.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <ctime>
#include <utility>

#include "base/check.h"
#include "record/memory_run.h"
#include "record/run_file.h"

namespace tenpin::record {
namespace {

using Contacts = scene::Record::Contacts;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double calc_cpu_time() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Copies as many whole UTF-8 characters as fit; the rest of the row is already zero.
template <std::size_t n>
void put_text(std::string_view text, std::array<char, n>* out) {
  std::size_t size = std::min(text.size(), n);
  const auto continues = [&](std::size_t i) {
    return (text[i] & 0xC0) == 0x80;
  };
  while (size < text.size() && size > 0 && continues(size)) --size;
  std::copy_n(text.begin(), size, out->begin());
}

}  // namespace

RunWriter::RunWriter(const std::string& path, const RunHeader& header, const FlushPolicy& policy)
    : RunWriter(make_run_file(path, header), header, policy) {}

RunWriter::RunWriter(std::shared_ptr<MemoryRun> run, const RunHeader& header)
    : RunWriter(make_memory_output(std::move(run), header), header, {}) {}

RunWriter::RunWriter(std::unique_ptr<RunOutput> output, const RunHeader& header,
                     const FlushPolicy& policy)
    : output_(std::move(output)),
      contacts_policy_(header.contacts),
      policy_(policy),
      nq_(header.nq),
      nv_(header.nv),
      num_bodies_(header.num_bodies()),
      has_events_(!header.events.empty()),
      started_(Clock::now()),
      flushed_(started_) {}

RunWriter::~RunWriter() {
  if (closed_) return;
  try {
    close(RunState::kInterrupted, "the program stopped early");
  } catch (const std::exception&) {
    // Errors of the disk or for lack of memory cannot be reported from here; committed rows can
    // still be read.
    closed_ = true;
  }
}

const std::string& RunWriter::path() const {
  return output_->path();
}
std::int64_t RunWriter::num_frames() const {
  return output_->num_rows().frames;
}
std::int64_t RunWriter::num_steps() const {
  return output_->num_rows().steps;
}
std::int64_t RunWriter::num_contacts() const {
  return output_->num_rows().contacts;
}

void RunWriter::append_impulses(const StepImpulses& impulses, std::int64_t step) {
  for (const contact::ContactRecord& contact : impulses.contacts) {
    output_->append(to_row(contact, step, impulses.duration));
  }
  for (ReactionRow row : impulses.reactions) {
    row.step = step;
    output_->append(row);
  }
}

void RunWriter::append_step(const methods::StepReport& report, const StepImpulses& impulses) {
  StepRow row = to_row(report);
  const CommittedRow before = output_->num_rows();
  row.duration = impulses.duration;
  row.first_contact = before.contacts;
  row.first_reaction = before.reactions;
  if (contacts_policy_ == Contacts::kSteps) {
    row.num_recorded = static_cast<std::int32_t>(impulses.contacts.size());
    row.num_reactions = static_cast<std::int32_t>(impulses.reactions.size());
    append_impulses(impulses, report.step);
  }
  output_->append(row);
  last_step_ = row;
  if (!report.message.empty()) {
    MessageRow message = {};
    message.step = report.step;
    put_text(report.message, &message.text);
    output_->append(message);
  }
  flush_if_due();
}

void RunWriter::append_frame(const dynamics::State& state, std::span<const BodyMotion> bodies,
                             const StepImpulses& impulses, const dynamics::State* restart) {
  TENPIN_DEMAND(state.q.size() == nq_ && state.v.size() == nv_);
  TENPIN_DEMAND(static_cast<int>(bodies.size()) == num_bodies_);
  const CommittedRow before = output_->num_rows();
  FrameRow row{.t = state.t,
               .step = before.steps == 0 ? state.step : last_step_.step,
               .first_contact = before.contacts,
               .first_reaction = before.reactions};
  if (contacts_policy_ == Contacts::kFrames) {
    append_impulses(impulses, row.step);
    row.num_contacts = static_cast<std::int64_t>(impulses.contacts.size());
    row.num_reactions = static_cast<std::int64_t>(impulses.reactions.size());
  } else if (contacts_policy_ == Contacts::kSteps) {
    row.first_contact = last_step_.first_contact;
    row.num_contacts = last_step_.num_recorded;
    row.first_reaction = last_step_.first_reaction;
    row.num_reactions = last_step_.num_reactions;
  }
  output_->append_frame(row, state, bodies);
  append_restart(restart == nullptr ? state : *restart, state.t);
  flush_if_due();
}

// Appends the events that have happened and the method's memory. If the coordinates are not those
// of the frame, they come first. Frames with equal words share them, because the words of resting
// bodies do not change.
void RunWriter::append_restart(const dynamics::State& restart, double t_frame) {
  std::vector<std::uint64_t> words;
  if (restart.t != t_frame) {
    for (const VecX* x : {&restart.q, &restart.v}) {
      for (const double value : *x) words.push_back(std::bit_cast<std::uint64_t>(value));
    }
  }
  if (has_events_) {
    words.push_back(restart.fired.size());
    for (const dynamics::FiredEvent& fired : restart.fired) {
      words.push_back(static_cast<std::uint64_t>(fired.event));
      words.push_back(std::bit_cast<std::uint64_t>(fired.t));
    }
  }
  words.insert(words.end(), restart.memory.begin(), restart.memory.end());
  if (words != words_) {
    output_->append_words(words);
    words_ = std::move(words);
  }
  const auto count = static_cast<std::int64_t>(words_.size());
  output_->append(RestartRow{.t = restart.t,
                             .step = restart.step,
                             .first_word = output_->num_rows().words - count,
                             .num_words = count});
}

void RunWriter::flush_if_due() {
  if (output_->num_buffered_bytes() >= policy_.max_bytes ||
      seconds_since(flushed_) >= policy_.max_seconds) {
    flush();
  }
}

void RunWriter::flush() {
  TENPIN_DEMAND(!failed_ && !closed_);
  failed_ = true;  // reset if all of the following succeeds
  output_->flush();
  failed_ = false;
  flushed_ = Clock::now();
}

void RunWriter::close(RunState state, std::string_view message) {
  TENPIN_DEMAND(!closed_);
  if (!failed_) flush();
  closed_ = true;
  StatusRow row = {};
  row.wall_time = seconds_since(started_);
  row.cpu_time = calc_cpu_time();
  row.pid = getpid();
  row.state = static_cast<std::uint8_t>(state);
  put_text(message, &row.message);
  output_->close(row);
}

}  // namespace tenpin::record
