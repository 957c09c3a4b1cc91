#include "record/run_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/check.h"
#include "record/h5_input.h"
#include "record/header_reader.h"

namespace tenpin::record {
namespace {

template <std::size_t n>
std::string get_text(const std::array<char, n>& text) {
  return {text.begin(), std::find(text.begin(), text.end(), '\0')};
}

// Checks that every enumeration of a row has a name, and that its counts are not negative.
void check_codes(std::span<const Field> fields, const void* row) {
  for (const Field& field : fields) {
    const auto names = names_of(field.type);
    if (names.empty()) continue;
    const std::uint8_t code = static_cast<const std::uint8_t*>(row)[field.offset];
    if (code >= names.size()) {
      throw h5::Error(fmt::format("field '{}' has no code {}", field.name, code));
    }
  }
}

}  // namespace

struct RunReader::Impl {
  explicit Impl(const std::string& path) : input(path) {}

  // Wraps a read: errors of the library become errors of the file.
  template <typename Read>
  auto guarded(Read read) const {
    const h5::Silence silence;
    try {
      return read();
    } catch (const h5::Error& error) {
      throw InputError(fmt::format("{}: {}", input.path(), error.what()));
    }
  }

  void open() {
    header = read_header(input);
    committed = input.read_row<CommittedRow>("committed", committed_fields());
    check_tables();
    const auto row = input.read_row<StatusRow>("status", status_fields());
    check_codes(status_fields(), &row);
    status = {.state = static_cast<RunState>(row.state),
              .being_written = input.being_written(),
              .pid = row.pid,
              .wall_time = row.wall_time,
              .cpu_time = row.cpu_time,
              .message = get_text(row.message)};
  }

  void check_tables() const {
    const auto nq = static_cast<std::uint64_t>(header.nq);
    const auto nv = static_cast<std::uint64_t>(header.nv);
    const std::uint64_t num_bodies = header.bodies.size();
    const hid_t real = h5::number_type<double>();
    const hid_t integer = h5::number_type<std::int64_t>();
    input.check_table("frames/t", real, {}, committed.frames);
    input.check_table("frames/step", integer, {}, committed.frames);
    input.check_table("frames/first_contact", integer, {}, committed.frames);
    input.check_table("frames/num_contacts", integer, {}, committed.frames);
    input.check_table("frames/first_reaction", integer, {}, committed.frames);
    input.check_table("frames/num_reactions", integer, {}, committed.frames);
    input.check_table("frames/q", real, {nq}, committed.frames);
    input.check_table("frames/v", real, {nv}, committed.frames);
    input.check_table("frames/pose", real, {num_bodies, 7}, committed.frames);
    input.check_table("frames/velocity", real, {num_bodies, 6}, committed.frames);
    input.check_table("restarts", restart_type, {}, committed.frames);
    input.check_table("restart_words", h5::number_type<std::uint64_t>(), {}, committed.words);
    input.check_table("steps", step_type, {}, committed.steps);
    input.check_table("contacts", contact_type, {}, committed.contacts);
    input.check_table("reactions", reaction_type, {}, committed.reactions);
    input.check_table("messages", message_type, {}, committed.messages);
  }

  std::vector<double> read_reals(const char* name, const Shape& row_shape, std::int64_t first,
                                 std::int64_t count) const {
    return input.read_rows<double>(name, h5::number_type<double>(), row_shape, first, count);
  }

  std::int64_t read_integer(const char* name, std::int64_t k) const {
    return input.read_rows<std::int64_t>(name, h5::number_type<std::int64_t>(), {}, k, 1).at(0);
  }

  template <typename Row>
  std::vector<Row> read_table(const char* name, hid_t type, std::span<const Field> fields,
                              std::int64_t first, std::int64_t count) const {
    auto rows = input.read_rows<Row>(name, type, {}, first, count);
    for (const Row& row : rows) check_codes(fields, &row);
    return rows;
  }

  // Of a frame or a step: inside the tables.
  static void check_range(std::int64_t first, std::int64_t count, std::int64_t size,
                          const char* text) {
    if (first < 0 || count < 0 || first > size || count > size - first) throw h5::Error(text);
  }
  void check_contacts(std::int64_t first, std::int64_t count) const {
    check_range(first, count, committed.contacts, "contacts that are not in the file");
  }
  void check_reactions(std::int64_t first, std::int64_t count) const {
    check_range(first, count, committed.reactions, "reactions that are not in the file");
  }

  [[nodiscard]] std::vector<BodyMotion> read_bodies(std::int64_t k) const;

  H5Input input;
  RunHeader header;
  RunStatus status;
  CommittedRow committed = {};
  h5::Handle step_type = h5::make_row_type(step_fields(), sizeof(StepRow));
  h5::Handle contact_type = h5::make_row_type(contact_fields(), sizeof(ContactRow));
  h5::Handle reaction_type = h5::make_row_type(reaction_fields(), sizeof(ReactionRow));
  h5::Handle restart_type = h5::make_row_type(restart_fields(), sizeof(RestartRow));
  h5::Handle message_type = h5::make_row_type(message_fields(), sizeof(MessageRow));
};

std::vector<BodyMotion> RunReader::Impl::read_bodies(std::int64_t k) const {
  const std::uint64_t count = header.bodies.size();
  const auto pose = read_reals("frames/pose", {count, 7}, k, 1);
  const auto velocity = read_reals("frames/velocity", {count, 6}, k, 1);
  std::vector<BodyMotion> bodies(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double* p = &pose[7 * i];
    const double* v = &velocity[6 * i];
    bodies[i] = {.position = {p[0], p[1], p[2]},
                 .orientation = Quat(p[3], p[4], p[5], p[6]),
                 .velocity = {v[0], v[1], v[2]},
                 .angular_velocity = {v[3], v[4], v[5]}};
  }
  return bodies;
}

std::string RunStatus::to_string() const {
  if (state == RunState::kRunning && !being_written) return "killed";
  return std::string(names_of(FieldType::kRunState)[static_cast<int>(state)]);
}

RunReader::RunReader(const std::string& path) : impl_(std::make_unique<Impl>(path)) {
  impl_->guarded([&] {
    impl_->open();
  });
}

RunReader::~RunReader() = default;

const std::string& RunReader::path() const {
  return impl_->input.path();
}
const RunHeader& RunReader::header() const {
  return impl_->header;
}
const RunStatus& RunReader::status() const {
  return impl_->status;
}
std::int64_t RunReader::num_frames() const {
  return impl_->committed.frames;
}
std::int64_t RunReader::num_steps() const {
  return impl_->committed.steps;
}
std::int64_t RunReader::num_contacts() const {
  return impl_->committed.contacts;
}

std::int64_t RunReader::num_reactions() const {
  return impl_->committed.reactions;
}

RunFrame RunReader::read_frame(std::int64_t k) const {
  TENPIN_REQUIRE(k >= 0 && k < num_frames(), fmt::format("{}: no frame {}", path(), k));
  return impl_->guarded([&] {
    RunFrame frame;
    frame.t = impl_->read_reals("frames/t", {}, k, 1).at(0);
    frame.step = impl_->read_integer("frames/step", k);
    frame.first_contact = impl_->read_integer("frames/first_contact", k);
    frame.num_contacts = impl_->read_integer("frames/num_contacts", k);
    frame.first_reaction = impl_->read_integer("frames/first_reaction", k);
    frame.num_reactions = impl_->read_integer("frames/num_reactions", k);
    impl_->check_contacts(frame.first_contact, frame.num_contacts);
    impl_->check_reactions(frame.first_reaction, frame.num_reactions);
    const std::uint64_t nq = header().nq;
    const std::uint64_t nv = header().nv;
    const auto q = impl_->read_reals("frames/q", {nq}, k, 1);
    const auto v = impl_->read_reals("frames/v", {nv}, k, 1);
    frame.q = Eigen::Map<const VecX>(q.data(), static_cast<Eigen::Index>(nq));
    frame.v = Eigen::Map<const VecX>(v.data(), static_cast<Eigen::Index>(nv));
    frame.bodies = impl_->read_bodies(k);
    return frame;
  });
}

dynamics::State RunReader::read_restart(std::int64_t k) const {
  const RunFrame frame = read_frame(k);
  return impl_->guarded([&] {
    const RestartRow row =
        impl_->read_table<RestartRow>("restarts", impl_->restart_type, restart_fields(), k, 1)
            .at(0);
    Impl::check_range(row.first_word, row.num_words, impl_->committed.words,
                      "words of a restart that are not in the file");
    auto words = impl_->input.read_rows<std::uint64_t>(
        "restart_words", h5::number_type<std::uint64_t>(), {}, row.first_word, row.num_words);
    dynamics::State state{
        .step = row.step, .t = row.t, .q = frame.q, .v = frame.v, .memory = std::move(words)};
    if (row.t == frame.t) return state;
    const auto num_coordinates = static_cast<std::size_t>(frame.q.size() + frame.v.size());
    if (state.memory.size() < num_coordinates) throw h5::Error("a restart without coordinates");
    auto word = state.memory.begin();
    for (VecX* x : {&state.q, &state.v}) {
      for (double& value : *x) value = std::bit_cast<double>(*word++);
    }
    state.memory.erase(state.memory.begin(), word);
    return state;
  });
}

std::vector<double> RunReader::read_frame_times() const {
  return impl_->guarded([&] {
    return impl_->read_reals("frames/t", {}, 0, num_frames());
  });
}

std::vector<StepRow> RunReader::read_steps(std::int64_t first, std::int64_t count) const {
  TENPIN_REQUIRE(first >= 0 && count >= 0 && first <= num_steps() && count <= num_steps() - first,
                 fmt::format("{}: no steps {} to {}", path(), first, first + count));
  return impl_->guarded([&] {
    auto rows = impl_->read_table<StepRow>("steps", impl_->step_type, step_fields(), first, count);
    for (const StepRow& row : rows) {
      impl_->check_contacts(row.first_contact, row.num_recorded);
      impl_->check_reactions(row.first_reaction, row.num_reactions);
    }
    return rows;
  });
}

std::vector<ContactRow> RunReader::read_contacts(std::int64_t first, std::int64_t count) const {
  TENPIN_REQUIRE(
      first >= 0 && count >= 0 && first <= num_contacts() && count <= num_contacts() - first,
      fmt::format("{}: no contacts {} to {}", path(), first, first + count));
  return impl_->guarded([&] {
    auto rows = impl_->read_table<ContactRow>("contacts", impl_->contact_type, contact_fields(),
                                              first, count);
    const auto in_range = [&](std::int32_t index, std::size_t size) {
      return index >= 0 && static_cast<std::size_t>(index) < size;
    };
    for (const ContactRow& row : rows) {
      const std::size_t num_bodies = header().bodies.size();
      if (!in_range(row.body_a, num_bodies) || !in_range(row.body_b, num_bodies)) {
        throw h5::Error("a contact of no such body");
      }
    }
    return rows;
  });
}

std::vector<ReactionRow> RunReader::read_reactions(std::int64_t first, std::int64_t count) const {
  TENPIN_REQUIRE(
      first >= 0 && count >= 0 && first <= num_reactions() && count <= num_reactions() - first,
      fmt::format("{}: no reactions {} to {}", path(), first, first + count));
  return impl_->guarded([&] {
    auto rows = impl_->read_table<ReactionRow>("reactions", impl_->reaction_type, reaction_fields(),
                                               first, count);
    for (const ReactionRow& row : rows) {
      const std::size_t size =
          row.kind == ReactionRow::kLoop ? header().loops.size() : header().bodies.size();
      if (row.index < 0 || static_cast<std::size_t>(row.index) >= size) {
        throw h5::Error("a reaction of no such joint or loop");
      }
    }
    return rows;
  });
}

std::vector<RunMessage> RunReader::read_messages() const {
  return impl_->guarded([&] {
    std::vector<RunMessage> messages;
    for (const MessageRow& row : impl_->read_table<MessageRow>(
             "messages", impl_->message_type, message_fields(), 0, impl_->committed.messages)) {
      messages.push_back({row.step, get_text(row.text)});
    }
    return messages;
  });
}

}  // namespace tenpin::record
