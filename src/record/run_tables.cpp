#include "record/run_tables.h"

namespace tenpin::record {

std::array<TableFormat, kNumRunTables> make_table_formats(const RunHeader& header) {
  std::array<TableFormat, kNumRunTables> formats;
  const auto numbers = [&](RunTable table, const char* name, const char* unit, hid_t type,
                           std::vector<std::uint64_t> row_shape = {}) {
    formats[index_of(table)] = {.name = name,
                                .unit = unit,
                                .fields = {},
                                .type = h5::Handle(H5Tcopy(type), H5Tclose),
                                .row_shape = std::move(row_shape)};
  };
  const auto rows = [&](RunTable table, const char* name, std::span<const Field> fields,
                        std::size_t row_bytes) {
    formats[index_of(table)] = {.name = name,
                                .unit = nullptr,
                                .fields = fields,
                                .type = h5::make_row_type(fields, row_bytes),
                                .row_shape = {}};
  };
  const hid_t real = h5::number_type<double>();
  const hid_t integer = h5::number_type<std::int64_t>();
  const auto nq = static_cast<std::uint64_t>(header.nq);
  const auto nv = static_cast<std::uint64_t>(header.nv);
  const std::uint64_t num_bodies = header.bodies.size();
  rows(RunTable::kContacts, "contacts", contact_fields(), sizeof(ContactRow));
  rows(RunTable::kReactions, "reactions", reaction_fields(), sizeof(ReactionRow));
  numbers(RunTable::kWords, "restart_words", nullptr, h5::number_type<std::uint64_t>());
  rows(RunTable::kMessages, "messages", message_fields(), sizeof(MessageRow));
  rows(RunTable::kSteps, "steps", step_fields(), sizeof(StepRow));
  numbers(RunTable::kFrameTime, "frames/t", "s", real);
  numbers(RunTable::kFrameStep, "frames/step", nullptr, integer);
  numbers(RunTable::kFrameFirstContact, "frames/first_contact", nullptr, integer);
  numbers(RunTable::kFrameNumContacts, "frames/num_contacts", nullptr, integer);
  numbers(RunTable::kFrameFirstReaction, "frames/first_reaction", nullptr, integer);
  numbers(RunTable::kFrameNumReactions, "frames/num_reactions", nullptr, integer);
  numbers(RunTable::kFrameQ, "frames/q", "m, -, rad", real, {nq});
  numbers(RunTable::kFrameV, "frames/v", "m/s, rad/s", real, {nv});
  numbers(RunTable::kFramePose, "frames/pose", "m, -", real, {num_bodies, 7});
  numbers(RunTable::kFrameVelocity, "frames/velocity", "m/s, rad/s", real, {num_bodies, 6});
  rows(RunTable::kRestarts, "restarts", restart_fields(), sizeof(RestartRow));
  return formats;
}

std::int64_t count_rows(const CommittedRow& committed, RunTable table) {
  switch (table) {
    case RunTable::kContacts:
      return committed.contacts;
    case RunTable::kReactions:
      return committed.reactions;
    case RunTable::kWords:
      return committed.words;
    case RunTable::kMessages:
      return committed.messages;
    case RunTable::kSteps:
      return committed.steps;
    default:
      return committed.frames;
  }
}

}  // namespace tenpin::record
