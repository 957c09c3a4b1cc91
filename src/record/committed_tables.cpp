#include "record/committed_tables.h"

#include "record/row_checks.h"

namespace tenpin::record {

CommittedTables::CommittedTables(const std::string& path, const RunHeader& header)
    : CommittedTables(path, make_header_image(header)) {}

CommittedTables::CommittedTables(const std::string& path, const HeaderImage& image)
    : file_(path),
      committed_address_(image.committed_address),
      status_address_(image.status_address) {
  file_.write(file_.allocate(image.bytes.size()), image.bytes);
  tables_.reserve(kNumRunTables);
  for (const TablePlace& place : image.tables) tables_.emplace_back(place, &file_);
  checks_.emplace_back(image.checks, &file_);
  file_.publish();
}

std::size_t CommittedTables::buffered_bytes() const {
  std::size_t sum = 0;
  for (const Table& table : tables_) sum += table.buffered_bytes();
  return sum;
}

void CommittedTables::commit() {
  CheckRow check = {};
  bool is_new = false;
  for (std::size_t i = 0; i < kNumRunTables; ++i) {
    Table& table = tables_[i];
    is_new = is_new || table.num_buffered() > 0;
    check.num_rows[i] = table.num_rows();
    check.hashes[i] = table.take_hash();
  }
  if (!is_new) return;
  check.own = calc_own_hash(check);
  Table& checks = checks_.front();
  checks.append_value(check);
  for (Table& table : tables_) table.write_rows();
  checks.write_rows();
  for (Table& table : tables_) table.publish_rows();
  checks.publish_rows();
  file_.write_value(committed_address_, num_rows());
}

CommittedRow CommittedTables::num_rows() const {
  const auto count = [&](RunTable which) {
    return table(which).num_rows();
  };
  return {.contacts = count(RunTable::kContacts),
          .reactions = count(RunTable::kReactions),
          .words = count(RunTable::kWords),
          .messages = count(RunTable::kMessages),
          .steps = count(RunTable::kSteps),
          .frames = count(RunTable::kFrameTime),
          .checks = checks_.front().num_rows()};
}

void CommittedTables::close(StatusRow status) {
  const std::uint8_t state = status.state;
  status.state = static_cast<std::uint8_t>(RunState::kRunning);
  seal_status(&status);
  file_.write_value(status_address_, status);
  // The state and the bytes of its hash form one aligned word.
  status.state = state;
  seal_status(&status);
  static_assert(offsetof(StatusRow, state) % 8 == 0 &&
                offsetof(StatusRow, check) == offsetof(StatusRow, state) + 1);
  const std::span word =
      std::as_bytes(std::span(&status, 1)).subspan(offsetof(StatusRow, state), 8);
  file_.write(status_address_ + offsetof(StatusRow, state), word);
  file_.sync();
}

}  // namespace tenpin::record
