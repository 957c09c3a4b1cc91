#include "record/memory_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace tenpin::record {
namespace {

template <std::size_t n>
std::string text_of(const std::array<char, n>& text) {
  return {text.begin(), std::find(text.begin(), text.end(), '\0')};
}

template <typename Row>
std::vector<Row> copy_rows(const std::deque<Row>& rows, std::int64_t first, std::int64_t count) {
  const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

CommittedRow count_rows(const MemoryRun& run) {
  return {.contacts = std::ssize(run.contacts),
          .reactions = std::ssize(run.reactions),
          .words = std::ssize(run.words),
          .messages = std::ssize(run.messages),
          .steps = std::ssize(run.steps),
          .frames = std::ssize(run.frames)};
}

class MemoryOutput final : public RunOutput {
 public:
  explicit MemoryOutput(std::shared_ptr<MemoryRun> run) : run_(std::move(run)) {}

  const std::string& path() const override { return run_->name; }
  CommittedRow num_rows() const override { return count_rows(*run_); }

  void append(const ContactRow& row) override { add(row, &run_->contacts); }
  void append(const ReactionRow& row) override { add(row, &run_->reactions); }
  void append(const StepRow& row) override { add(row, &run_->steps); }
  void append(const RestartRow& row) override { add(row, &run_->restarts); }
  void append(const MessageRow& row) override {
    count_bytes(sizeof row);
    run_->messages.push_back({row.step, text_of(row.text)});
  }
  void append_words(std::span<const std::uint64_t> words) override {
    count_bytes(words.size_bytes());
    run_->words.insert(run_->words.end(), words.begin(), words.end());
  }
  void append_frame(const FrameRow& row, const dynamics::State& state,
                    std::span<const BodyMotion> bodies) override {
    count_bytes(sizeof(RunFrame) + bodies.size_bytes() +
                sizeof(double) * static_cast<std::size_t>(state.q.size() + state.v.size()));
    run_->frames.push_back({.t = row.t,
                            .step = row.step,
                            .q = state.q,
                            .v = state.v,
                            .bodies = {bodies.begin(), bodies.end()},
                            .first_contact = row.first_contact,
                            .num_contacts = row.num_contacts,
                            .first_reaction = row.first_reaction,
                            .num_reactions = row.num_reactions});
  }

  std::size_t num_buffered_bytes() const override { return 0; }
  void flush() override {}
  void close(const StatusRow& row) override {
    run_->status = {.state = static_cast<RunState>(row.state),
                    .being_written = false,
                    .pid = row.pid,
                    .wall_time = row.wall_time,
                    .cpu_time = row.cpu_time,
                    .message = text_of(row.message)};
  }

 private:
  template <typename Row>
  void add(const Row& row, std::deque<Row>* rows) {
    count_bytes(sizeof row);
    rows->push_back(row);
  }

  void count_bytes(std::size_t num_bytes) {
    run_->num_bytes += static_cast<std::int64_t>(num_bytes);
    if (run_->num_bytes <= run_->max_bytes) return;
    constexpr std::int64_t kMegabyte = 1 << 20;
    throw LimitError(fmt::format(
        "the recorded run fills {} MB, the limit. Shorten it ('until'), or record less often "
        "('record: {{every: ...}}') or without contacts ('record: {{contacts: none}}')",
        run_->max_bytes / kMegabyte));
  }

  std::shared_ptr<MemoryRun> run_;
};

class MemoryInput final : public RunInput {
 public:
  explicit MemoryInput(std::shared_ptr<const MemoryRun> run) : run_(std::move(run)) {}

  const std::string& path() const override { return run_->name; }
  const RunHeader& header() const override { return run_->header; }
  const RunStatus& status() const override { return run_->status; }
  // A frame counts only when its restart row, which is written after it, is present, too.
  CommittedRow num_rows() const override {
    CommittedRow rows = count_rows(*run_);
    rows.frames = std::ssize(run_->restarts);
    return rows;
  }

  RunFrame read_frame(std::int64_t k) const override {
    return run_->frames[static_cast<std::size_t>(k)];
  }
  std::vector<double> read_frame_times() const override {
    std::vector<double> times;
    for (const RunFrame& frame : run_->frames) times.push_back(frame.t);
    times.resize(run_->restarts.size());
    return times;
  }
  RestartRow read_restart(std::int64_t k) const override {
    return run_->restarts[static_cast<std::size_t>(k)];
  }
  std::vector<std::uint64_t> read_words(std::int64_t first, std::int64_t count) const override {
    return copy_rows(run_->words, first, count);
  }
  std::vector<StepRow> read_steps(std::int64_t first, std::int64_t count) const override {
    return copy_rows(run_->steps, first, count);
  }
  std::vector<ContactRow> read_contacts(std::int64_t first, std::int64_t count) const override {
    return copy_rows(run_->contacts, first, count);
  }
  std::vector<ReactionRow> read_reactions(std::int64_t first, std::int64_t count) const override {
    return copy_rows(run_->reactions, first, count);
  }
  std::vector<RunMessage> read_messages() const override {
    return {run_->messages.begin(), run_->messages.end()};
  }
  void verify() const override {}  // memory has no checksums

 private:
  std::shared_ptr<const MemoryRun> run_;
};

}  // namespace

std::unique_ptr<RunOutput> make_memory_output(std::shared_ptr<MemoryRun> run,
                                              const RunHeader& header) {
  MemoryRun fresh;
  fresh.name = run->name;
  fresh.max_bytes = run->max_bytes;
  fresh.header = header;
  fresh.status.being_written = true;
  *run = std::move(fresh);
  return std::make_unique<MemoryOutput>(std::move(run));
}

std::unique_ptr<RunInput> make_memory_input(std::shared_ptr<const MemoryRun> run) {
  return std::make_unique<MemoryInput>(std::move(run));
}

}  // namespace tenpin::record
