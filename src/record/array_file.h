// A new HDF5 file of plain arrays, which appears under its name only when it is complete.
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
  // Throws RecordError, as all functions of this class do.
  explicit ArrayFile(const std::string& path);
  ~ArrayFile();
  ArrayFile(const ArrayFile&) = delete;
  ArrayFile& operator=(const ArrayFile&) = delete;

  using Shape = std::vector<std::uint64_t>;

  // Writes an array. `name` may be a path; its groups are created. The product of the shape is the
  // number of values; an empty shape means a list of all values.
  void write(const std::string& name, std::span<const double> values, const Shape& shape = {});
  void write(const std::string& name, std::span<const std::int32_t> values,
             const Shape& shape = {});
  void write(const std::string& name, std::span<const std::int64_t> values,
             const Shape& shape = {});

  // Sets an attribute of an array that has been written.
  void set_attribute(const std::string& name, const char* key, std::string_view text);

  // Publishes the file under its name.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenpin::record
