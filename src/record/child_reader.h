// Reads an untrusted file in a child process, which may die without harm: the HDF5 library reads
// past its memory on some damaged files.
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

// What the child may use, above what the process uses already.
struct ChildLimits {
  std::uint64_t cpu_seconds = 60;
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;  // of addresses; not under a sanitizer
};

// Calls work() in a child process and returns what it returns. InputError, LimitError and
// RecordError of the child are thrown again here. A child that dies or breaks a limit is an
// InputError that begins with `file`. Throws RecordError if there can be no child.
[[nodiscard]] std::string read_in_child(const std::string& file,
                                        const std::function<std::string()>& work,
                                        const ChildLimits& limits = {});

// Numbers and lists as bytes, for the way from a child.
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

// Reads in the same order. A child that was led astray can send anything: sizes are checked.
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
