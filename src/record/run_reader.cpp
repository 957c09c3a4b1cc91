#include "record/run_reader.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "base/check.h"
#include "record/memory_run.h"
#include "record/run_file.h"

namespace tenpin::record {
namespace {

void require_rows(const RunInput& input, std::int64_t first, std::int64_t count, std::int64_t size,
                  const char* name) {
  TENPIN_REQUIRE(first >= 0 && count >= 0 && first <= size && count <= size - first,
                 fmt::format("{}: no {} {} to {}", input.path(), name, first, first + count));
}

}  // namespace

std::string RunStatus::to_string() const {
  if (state == RunState::kRunning && !being_written) return "killed";
  return std::string(names_of(FieldType::kRunState)[static_cast<int>(state)]);
}

RunReader::RunReader(const std::string& path) : input_(open_run_file(path)) {}

RunReader::RunReader(std::shared_ptr<const MemoryRun> run)
    : input_(make_memory_input(std::move(run))) {}

RunReader::~RunReader() = default;

const std::string& RunReader::path() const {
  return input_->path();
}
const RunHeader& RunReader::header() const {
  return input_->header();
}
const RunStatus& RunReader::status() const {
  return input_->status();
}
std::int64_t RunReader::num_frames() const {
  return input_->num_rows().frames;
}
std::int64_t RunReader::num_steps() const {
  return input_->num_rows().steps;
}
std::int64_t RunReader::num_contacts() const {
  return input_->num_rows().contacts;
}
std::int64_t RunReader::num_reactions() const {
  return input_->num_rows().reactions;
}

RunFrame RunReader::read_frame(std::int64_t k) const {
  TENPIN_REQUIRE(k >= 0 && k < num_frames(), fmt::format("{}: no frame {}", path(), k));
  return input_->read_frame(k);
}

dynamics::State RunReader::read_restart(std::int64_t k) const {
  RunFrame frame = read_frame(k);
  const RestartRow row = input_->read_restart(k);
  dynamics::State state{.step = row.step,
                        .t = row.t,
                        .q = std::move(frame.q),
                        .v = std::move(frame.v),
                        .memory = input_->read_words(row.first_word, row.num_words)};
  std::size_t at = 0;
  const auto take_word = [&](const char* what) {
    TENPIN_REQUIRE(at < state.memory.size(), path() + ": a restart without " + what);
    return state.memory[at++];
  };
  if (row.t != frame.t) {
    for (VecX* x : {&state.q, &state.v}) {
      for (double& value : *x) value = std::bit_cast<double>(take_word("coordinates"));
    }
  }
  const std::uint64_t num_events = header().events.size();
  const std::uint64_t num_fired = num_events > 0 ? take_word("events") : 0;
  TENPIN_REQUIRE(num_fired <= num_events,
                 path() + ": a restart with more events than the scene has");
  for (std::uint64_t i = 0; i < num_fired; ++i) {
    const std::uint64_t event = take_word("events");
    TENPIN_REQUIRE(event < num_events, path() + ": a restart with an unknown event");
    state.fired.push_back(
        {.event = static_cast<int>(event), .t = std::bit_cast<double>(take_word("events"))});
  }
  state.memory.erase(state.memory.begin(), state.memory.begin() + static_cast<std::ptrdiff_t>(at));
  return state;
}

std::vector<double> RunReader::read_frame_times() const {
  return input_->read_frame_times();
}

std::vector<StepRow> RunReader::read_steps(std::int64_t first, std::int64_t count) const {
  require_rows(*input_, first, count, num_steps(), "steps");
  return input_->read_steps(first, count);
}

std::vector<ContactRow> RunReader::read_contacts(std::int64_t first, std::int64_t count) const {
  require_rows(*input_, first, count, num_contacts(), "contacts");
  return input_->read_contacts(first, count);
}

std::vector<ReactionRow> RunReader::read_reactions(std::int64_t first, std::int64_t count) const {
  require_rows(*input_, first, count, num_reactions(), "reactions");
  return input_->read_reactions(first, count);
}

std::vector<RunMessage> RunReader::read_messages() const {
  return input_->read_messages();
}

void RunReader::verify() const {
  input_->verify();
}

}  // namespace tenpin::record
