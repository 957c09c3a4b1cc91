// Reads datasets of an untrusted HDF5 file: type, shape and size are checked before reading. For
// the .cpp files of this folder only.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/h5_types.h"

namespace tenpin::record {

using Shape = std::vector<std::uint64_t>;

inline constexpr std::uint64_t kAnySize = ~std::uint64_t{0};

// All methods throw h5::Error with the dataset's name in the text.
class H5Input {
 public:
  // Throws InputError or RecordError.
  explicit H5Input(const std::string& path);

  const std::string& path() const { return path_; }
  bool being_written() const { return being_written_; }

  // Reads a whole dataset of numbers with the required `shape`; {} for a single number.
  template <typename T>
  [[nodiscard]] std::vector<T> read_array(const std::string& name, const Shape& shape) const {
    const hid_t set = open(name);
    check_type(set, h5::number_type<T>(), name);
    std::vector<T> values(check_shape(set, shape, sizeof(T), name));
    read_all(set, h5::number_type<T>(), values.data(), name);
    return values;
  }
  template <typename T>
  [[nodiscard]] T read_number(const std::string& name) const {
    return read_array<T>(name, {}).at(0);
  }

  // Reads codes of an enumeration and checks that each has a name.
  [[nodiscard]] std::vector<std::uint8_t> read_codes(const std::string& name, std::uint64_t count,
                                                     std::span<const std::string_view> names) const;
  [[nodiscard]] std::string read_text(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> read_names(const std::string& name,
                                                    std::uint64_t count) const;

  template <typename Row>
  [[nodiscard]] Row read_row(const std::string& name, std::span<const Field> fields) const {
    const hid_t set = open(name);
    const h5::Handle type = h5::make_row_type(fields, sizeof(Row));
    check_type(set, type, name);
    static_cast<void>(check_shape(set, {}, sizeof(Row), name));
    Row row = {};
    read_all(set, type, &row, name);
    return row;
  }

  // Checks that a table has rows of that type and shape, and at least num_rows of them.
  void check_table(const std::string& name, hid_t type, const Shape& row_shape,
                   std::int64_t num_rows) const;

  // Rows [first, first + count) of a table that has passed check_table().
  template <typename T>
  [[nodiscard]] std::vector<T> read_rows(const std::string& name, hid_t type,
                                         const Shape& row_shape, std::uint64_t first,
                                         std::uint64_t count) const {
    const hid_t set = open(name);
    std::vector<T> values(check_rows(set, row_shape, first, count, sizeof(T), name));
    if (!values.empty()) read_slab(set, type, row_shape, first, count, values.data());
    return values;
  }

  // The bytes of such rows.
  [[nodiscard]] std::vector<std::byte> read_row_bytes(const std::string& name, hid_t type,
                                                      const Shape& row_shape, std::uint64_t first,
                                                      std::uint64_t count) const;

  // Number of rows of a table.
  [[nodiscard]] std::uint64_t calc_num_rows(const std::string& name) const;

 private:
  // Keeps the dataset open until the file is closed, because opening it is most of the cost of
  // reading a row.
  [[nodiscard]] hid_t open(const std::string& name) const;
  static void check_type(hid_t set, hid_t want, const std::string& name);
  // Returns the number of elements.
  [[nodiscard]] std::size_t check_shape(hid_t set, const Shape& want, std::size_t element_bytes,
                                        const std::string& name) const;
  [[nodiscard]] std::size_t check_rows(hid_t set, const Shape& row_shape, std::uint64_t first,
                                       std::uint64_t count, std::size_t element_bytes,
                                       const std::string& name) const;
  [[nodiscard]] std::size_t check_size(const Shape& shape, std::size_t element_bytes,
                                       const std::string& name) const;
  [[nodiscard]] hid_t open_text(const std::string& name, const Shape& shape,
                                std::size_t* length) const;
  static void read_all(hid_t set, hid_t type, void* out, const std::string& name);
  static void read_slab(hid_t set, hid_t type, const Shape& row_shape, std::uint64_t first,
                        std::uint64_t count, void* out);

  std::string path_;
  std::uint64_t file_bytes_ = 0;
  bool being_written_ = false;
  h5::Handle file_;
  mutable std::map<std::string, h5::Handle> sets_;
};

}  // namespace tenpin::record
