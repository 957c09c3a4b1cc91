// Reads an untrusted file in a child process, because the HDF5 library reads beyond its memory for
// some damaged files: if the child crashes, this process does not.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"

namespace tenpin::record {

// Limits of what the child may use, in addition to what this process already uses.
struct ChildLimits {
  std::uint64_t cpu_seconds = 60;
  // of address space; not used under a sanitizer
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;
};

// Calls work() in a child process and returns its result. InputError, LimitError and RecordError of
// the child are thrown again here. If the child crashes or exceeds a limit, throws an InputError
// that begins with `file`. Throws RecordError if the child cannot be created.
[[nodiscard]] std::string read_in_child(const std::string& file,
                                        const std::function<std::string()>& work,
                                        const ChildLimits& limits = {});

// Packs numbers and lists into bytes, to send them from a child.
class Packer {
 public:
  template <typename T>
  void add(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <typename T>
  void add_list(std::span<const T> values) {
    add(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads values in the same order. A child that was compromised can send anything, so sizes are
// checked.
class Unpacker {
 public:
  explicit Unpacker(const std::string& bytes) : rest_(bytes) {}

  template <typename T>
  T take() {
    T value;
    copy(1, &value);
    return value;
  }
  template <typename T>
  std::vector<T> take_list() {
    const auto size = take<std::size_t>();
    TENPIN_REQUIRE(size <= rest_.size() / sizeof(T), "damaged answer of the reading process");
    std::vector<T> values(size);
    copy(size, values.data());
    return values;
  }

 private:
  template <typename T>
  void copy(std::size_t count, T* to) {
    TENPIN_REQUIRE(count <= rest_.size() / sizeof(T), "damaged answer of the reading process");
    if (count == 0) return;
    std::memcpy(to, rest_.data(), count * sizeof(T));
    rest_.remove_prefix(count * sizeof(T));
  }

  std::string_view rest_;
};

}  // namespace tenpin::record
