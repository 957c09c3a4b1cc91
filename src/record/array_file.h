// A new HDF5 file of plain arrays, which appears under its name when it is whole.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/record_error.h"

namespace tenpin::record {

class ArrayFile {
 public:
  // Throws RecordError, as everything below does.
  explicit ArrayFile(const std::string& path);
  ~ArrayFile();
  ArrayFile(const ArrayFile&) = delete;
  ArrayFile& operator=(const ArrayFile&) = delete;

  using Shape = std::vector<std::uint64_t>;

  // `name` may be a path: its groups are made. The shape's product is the number of values; an
  // empty one stands for a list of all of them.
  void write(const std::string& name, std::span<const double> values, const Shape& shape = {});
  void write(const std::string& name, std::span<const std::int32_t> values,
             const Shape& shape = {});
  void write(const std::string& name, std::span<const std::int64_t> values,
             const Shape& shape = {});

  // Of an array that was written.
  void set_attribute(const std::string& name, const char* key, std::string_view text);

  // Gives the file its name.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenpin::record
