#include "lab/study/study_messages.h"

#include <cstring>

#include "base/check.h"

namespace tenpin::lab {

namespace {

// Packs numbers as they are in memory, which works because all processes run the same program.
class Packer {
 public:
  template <typename T>
  void number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(const std::string& text) {
    number(std::uint64_t{text.size()});
    bytes_ += text;
  }
  void row(const TrialRow& row) {
    number(row.trial);
    number(std::uint64_t{row.cells.size()});
    for (const Cell& cell : row.cells) {
      number(static_cast<std::uint8_t>(cell.number.has_value()));
      if (cell.number) number(*cell.number);
      if (!cell.number) text(cell.text);
    }
    text(row.status);
    text(row.message);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(const std::string& bytes) : bytes_(bytes) {}

  template <typename T>
  T number() {
    T value = {};
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  // Reads the number of items that follow, each of which takes at least a byte.
  std::size_t count() {
    const auto count = number<std::uint64_t>();
    demand(count <= bytes_.size() - at_);
    return count;
  }
  std::string text() {
    const std::size_t size = count();
    return {take(size), size};
  }
  TrialRow row() {
    TrialRow row = {.trial = number<std::int64_t>(), .cells = {}, .status = "", .message = ""};
    row.cells.resize(count());
    for (Cell& cell : row.cells) {
      if (number<std::uint8_t>() != 0) {
        cell.number = number<double>();
      } else {
        cell.text = text();
      }
    }
    row.status = text();
    row.message = text();
    return row;
  }
  void finish() const { demand(at_ == bytes_.size()); }

 private:
  static void demand(bool is_good) {
    TENPIN_REQUIRE(is_good, "a message of another program, want the same version on all machines");
  }
  const char* take(std::size_t size) {
    demand(size <= bytes_.size() - at_);
    const char* begin = bytes_.data() + at_;
    at_ += size;
    return begin;
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::string pack(const StudyMessage& message) {
  Packer packer;
  packer.number(message.kind);
  packer.number(message.fingerprint);
  packer.number(message.threads);
  packer.number(static_cast<std::uint8_t>(message.wants_more));
  packer.number(static_cast<std::uint8_t>(message.has_losses));
  packer.number(message.busy_time);
  packer.text(message.failure);
  packer.number(std::uint64_t{message.rows.size()});
  for (const TrialRow& row : message.rows) packer.row(row);
  packer.number(std::uint64_t{message.trials.size()});
  for (const std::int64_t trial : message.trials) packer.number(trial);
  return packer.take();
}

StudyMessage unpack(const std::string& bytes) {
  Unpacker unpacker(bytes);
  StudyMessage message;
  message.kind = unpacker.number<StudyMessage::Kind>();
  message.fingerprint = unpacker.number<std::uint64_t>();
  message.threads = unpacker.number<int>();
  message.wants_more = unpacker.number<std::uint8_t>() != 0;
  message.has_losses = unpacker.number<std::uint8_t>() != 0;
  message.busy_time = unpacker.number<double>();
  message.failure = unpacker.text();
  for (std::size_t i = unpacker.count(); i > 0; --i) message.rows.push_back(unpacker.row());
  for (std::size_t i = unpacker.count(); i > 0; --i) {
    message.trials.push_back(unpacker.number<std::int64_t>());
  }
  unpacker.finish();
  return message;
}

}  // namespace tenpin::lab
