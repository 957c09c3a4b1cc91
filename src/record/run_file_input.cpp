#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "record/h5_input.h"
#include "record/header_reader.h"
#include "record/row_checks.h"
#include "record/run_file.h"

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

CommittedRow read_committed(const H5Input& input) {
  return input.read_row<CommittedRow>("committed", committed_fields());
}

// Finds the number of rows that were committed before the library opens the file. The library reads
// the end of the file from the superblock when it opens the file, and nothing beyond. So these rows
// can be read even while the file grows.
std::optional<CommittedRow> find_committed_before(const std::string& path) {
  const H5Input input(path);
  if (!input.being_written()) return std::nullopt;
  const h5::Silence silence;
  try {
    return read_committed(input);
  } catch (const h5::Error&) {
    return std::nullopt;  // the reader reports the problem
  }
}

class RunFileInput final : public RunInput {
 public:
  // `earlier` is the number of rows committed when the file was opened before, if it was being
  // written then.
  RunFileInput(const std::string& path, const std::optional<CommittedRow>& earlier);

  const std::string& path() const override { return input_.path(); }
  const RunHeader& header() const override { return header_; }
  const RunStatus& status() const override { return status_; }
  CommittedRow num_rows() const override {
    return {.contacts = checks_.num_rows(RunTable::kContacts),
            .reactions = checks_.num_rows(RunTable::kReactions),
            .words = checks_.num_rows(RunTable::kWords),
            .messages = checks_.num_rows(RunTable::kMessages),
            .steps = checks_.num_rows(RunTable::kSteps),
            .frames = checks_.num_rows(RunTable::kFrameTime),
            .checks = static_cast<std::int64_t>(checks_.num_blocks())};
  }
  void verify() const override;

  RunFrame read_frame(std::int64_t k) const override;
  std::vector<double> read_frame_times() const override;
  RestartRow read_restart(std::int64_t k) const override;
  std::vector<std::uint64_t> read_words(std::int64_t first, std::int64_t count) const override;
  std::vector<StepRow> read_steps(std::int64_t first, std::int64_t count) const override;
  std::vector<ContactRow> read_contacts(std::int64_t first, std::int64_t count) const override;
  std::vector<ReactionRow> read_reactions(std::int64_t first, std::int64_t count) const override;
  std::vector<RunMessage> read_messages() const override;

 private:
  // Performs a read and converts errors of the library to errors of the file.
  template <typename Read>
  auto guarded(Read read) const {
    const h5::Silence silence;
    try {
      return read();
    } catch (const h5::Error& error) {
      throw InputError(fmt::format("{}: {}", input_.path(), error.what()));
    }
  }

  void open(const std::optional<CommittedRow>& earlier) {
    header_ = read_header(input_);
    formats_ = make_table_formats(header_);
    const auto row = input_.read_row<StatusRow>("status", status_fields());
    check_codes(status_fields(), &row);
    if (!is_status_intact(row)) throw h5::Error("damaged run file: 'status' has changed");
    status_ = {.state = static_cast<RunState>(row.state),
               .being_written = input_.being_written(),
               .pid = row.pid,
               .wall_time = row.wall_time,
               .cpu_time = row.cpu_time,
               .message = get_text(row.message)};
    const bool is_growing = earlier && status_.being_written;
    checks_ = read_checks(is_growing ? *earlier : read_committed(input_));
    for (std::size_t i = 0; i < kNumRunTables; ++i) {
      const TableFormat& format = formats_[i];
      const auto table = static_cast<RunTable>(i);
      input_.check_table(format.name, format.type, format.row_shape, checks_.num_rows(table));
      verified_[i].resize(checks_.num_blocks());
    }
  }

  // Reads the check rows. A writer that was killed between its last two writes leaves one check row
  // more than `committed` counts.
  RowChecks read_checks(const CommittedRow& committed) const {
    const TableFormat format = make_checks_format();
    const auto num_written = static_cast<std::int64_t>(input_.calc_num_rows(format.name));
    const bool is_late = num_written == committed.checks + 1;
    if (committed.checks < 0 || num_written < committed.checks ||
        (!status_.being_written && num_written > committed.checks && !is_late)) {
      throw h5::Error("damaged run file: its counts of rows contradict each other");
    }
    const std::int64_t count = status_.being_written ? committed.checks : num_written;
    input_.check_table(format.name, format.type, format.row_shape, count);
    std::vector<CheckRow> rows = read_check_rows(input_, 0, count);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (is_valid_check(rows[i], i == 0 ? CheckRow{} : rows[i - 1])) continue;
      throw h5::Error(fmt::format("damaged run file: row {} of '{}' has changed", i, format.name));
    }
    for (std::size_t i = 0; i < kNumRunTables && count == committed.checks; ++i) {
      const std::int64_t num_rows = rows.empty() ? 0 : rows.back().num_rows[i];
      if (num_rows == count_rows(committed, static_cast<RunTable>(i))) continue;
      throw h5::Error(fmt::format("damaged run file: the number of rows of '{}' has changed",
                                  formats_[i].name));
    }
    return RowChecks(std::move(rows));
  }

  // Reads the blocks that contain these rows, once, and compares their hashes.
  void verify_rows(RunTable table, std::int64_t first, std::int64_t count) const {
    const std::size_t t = index_of(table);
    const std::size_t end = checks_.num_blocks();
    for (std::size_t i = checks_.find_block(table, first); i < end; ++i) {
      const RowChecks::Block block = checks_.block(table, i);
      if (block.first >= first + count) return;
      if (verified_[t][i]) continue;
      if (calc_block_hash(input_, formats_[t], block) != block.hash) {
        throw h5::Error(
            fmt::format("damaged run file: rows {} to {} of '{}' have changed (`tenpin repair` "
                        "keeps what comes before)",
                        block.first, block.first + block.count - 1, formats_[t].name));
      }
      verified_[t][i] = true;
    }
  }

  template <typename T>
  std::vector<T> read_rows(RunTable table, std::int64_t first, std::int64_t count) const {
    verify_rows(table, first, count);
    const TableFormat& format = formats_[index_of(table)];
    return input_.read_rows<T>(format.name, format.type, format.row_shape,
                               static_cast<std::uint64_t>(first),
                               static_cast<std::uint64_t>(count));
  }

  std::vector<double> read_reals(RunTable table, std::int64_t first, std::int64_t count) const {
    return read_rows<double>(table, first, count);
  }

  std::int64_t read_integer(RunTable table, std::int64_t k) const {
    return read_rows<std::int64_t>(table, k, 1).at(0);
  }

  template <typename Row>
  std::vector<Row> read_table(RunTable table, std::int64_t first, std::int64_t count) const {
    auto rows = read_rows<Row>(table, first, count);
    for (const Row& row : rows) check_codes(formats_[index_of(table)].fields, &row);
    return rows;
  }

  // Checks that the range of a frame or step is within its table.
  static void check_range(std::int64_t first, std::int64_t count, std::int64_t size,
                          const char* text) {
    if (first < 0 || count < 0 || first > size || count > size - first) throw h5::Error(text);
  }
  void check_contacts(std::int64_t first, std::int64_t count) const {
    check_range(first, count, checks_.num_rows(RunTable::kContacts),
                "contacts that are not in the file");
  }
  void check_reactions(std::int64_t first, std::int64_t count) const {
    check_range(first, count, checks_.num_rows(RunTable::kReactions),
                "reactions that are not in the file");
  }

  [[nodiscard]] std::vector<BodyMotion> read_bodies(std::int64_t k) const;

  H5Input input_;
  RunHeader header_;
  RunStatus status_;
  std::array<TableFormat, kNumRunTables> formats_;
  RowChecks checks_;
  mutable std::array<std::vector<bool>, kNumRunTables> verified_;  // by table and block
};

RunFileInput::RunFileInput(const std::string& path, const std::optional<CommittedRow>& earlier)
    : input_(path) {
  guarded([&] {
    open(earlier);
  });
}

void RunFileInput::verify() const {
  guarded([&] {
    for (std::size_t i = 0; i < kNumRunTables; ++i) {
      const auto table = static_cast<RunTable>(i);
      verify_rows(table, 0, checks_.num_rows(table));
    }
  });
}

std::vector<BodyMotion> RunFileInput::read_bodies(std::int64_t k) const {
  const std::uint64_t count = header_.bodies.size();
  const auto pose = read_reals(RunTable::kFramePose, k, 1);
  const auto velocity = read_reals(RunTable::kFrameVelocity, k, 1);
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

RunFrame RunFileInput::read_frame(std::int64_t k) const {
  return guarded([&] {
    RunFrame frame;
    frame.t = read_reals(RunTable::kFrameTime, k, 1).at(0);
    frame.step = read_integer(RunTable::kFrameStep, k);
    frame.first_contact = read_integer(RunTable::kFrameFirstContact, k);
    frame.num_contacts = read_integer(RunTable::kFrameNumContacts, k);
    frame.first_reaction = read_integer(RunTable::kFrameFirstReaction, k);
    frame.num_reactions = read_integer(RunTable::kFrameNumReactions, k);
    check_contacts(frame.first_contact, frame.num_contacts);
    check_reactions(frame.first_reaction, frame.num_reactions);
    const auto q = read_reals(RunTable::kFrameQ, k, 1);
    const auto v = read_reals(RunTable::kFrameV, k, 1);
    frame.q = Eigen::Map<const VecX>(q.data(), header_.nq);
    frame.v = Eigen::Map<const VecX>(v.data(), header_.nv);
    frame.bodies = read_bodies(k);
    return frame;
  });
}

std::vector<double> RunFileInput::read_frame_times() const {
  return guarded([&] {
    return read_reals(RunTable::kFrameTime, 0, checks_.num_rows(RunTable::kFrameTime));
  });
}

RestartRow RunFileInput::read_restart(std::int64_t k) const {
  return guarded([&] {
    const RestartRow row = read_table<RestartRow>(RunTable::kRestarts, k, 1).at(0);
    check_range(row.first_word, row.num_words, checks_.num_rows(RunTable::kWords),
                "words of a restart that are not in the file");
    return row;
  });
}

std::vector<std::uint64_t> RunFileInput::read_words(std::int64_t first, std::int64_t count) const {
  return guarded([&] {
    return read_rows<std::uint64_t>(RunTable::kWords, first, count);
  });
}

std::vector<StepRow> RunFileInput::read_steps(std::int64_t first, std::int64_t count) const {
  return guarded([&] {
    auto rows = read_table<StepRow>(RunTable::kSteps, first, count);
    for (const StepRow& row : rows) {
      check_contacts(row.first_contact, row.num_recorded);
      check_reactions(row.first_reaction, row.num_reactions);
    }
    return rows;
  });
}

std::vector<ContactRow> RunFileInput::read_contacts(std::int64_t first, std::int64_t count) const {
  return guarded([&] {
    auto rows = read_table<ContactRow>(RunTable::kContacts, first, count);
    const auto in_range = [&](std::int32_t index, std::size_t size) {
      return index >= 0 && static_cast<std::size_t>(index) < size;
    };
    for (const ContactRow& row : rows) {
      const std::size_t num_bodies = header_.bodies.size();
      if (!in_range(row.body_a, num_bodies) || !in_range(row.body_b, num_bodies)) {
        throw h5::Error("a contact of no such body");
      }
    }
    return rows;
  });
}

std::vector<ReactionRow> RunFileInput::read_reactions(std::int64_t first,
                                                      std::int64_t count) const {
  return guarded([&] {
    auto rows = read_table<ReactionRow>(RunTable::kReactions, first, count);
    for (const ReactionRow& row : rows) {
      const std::size_t size =
          row.kind == ReactionRow::kLoop ? header_.loops.size() : header_.bodies.size();
      if (row.index < 0 || static_cast<std::size_t>(row.index) >= size) {
        throw h5::Error("a reaction of no such joint or loop");
      }
    }
    return rows;
  });
}

std::vector<RunMessage> RunFileInput::read_messages() const {
  return guarded([&] {
    std::vector<RunMessage> messages;
    for (const MessageRow& row :
         read_table<MessageRow>(RunTable::kMessages, 0, checks_.num_rows(RunTable::kMessages))) {
      messages.push_back({row.step, get_text(row.text)});
    }
    return messages;
  });
}

}  // namespace

std::unique_ptr<RunInput> open_run_file(const std::string& path) {
  return std::make_unique<RunFileInput>(path, find_committed_before(path));
}

}  // namespace tenpin::record
