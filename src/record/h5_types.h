// The HDF5 types of our rows and enumerations. For the .cpp files of this folder only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "record/h5.h"
#include "record/rows.h"

namespace tenpin::record::h5 {

[[nodiscard]] Handle make_type(FieldType type);
[[nodiscard]] Handle make_row_type(std::span<const Field> fields, std::size_t row_bytes);
[[nodiscard]] Handle make_enum_type(std::span<const std::string_view> names);
[[nodiscard]] Handle make_text_type(std::size_t num_bytes);  // UTF-8, zero-padded

template <typename T>
[[nodiscard]] hid_t number_type();
template <>
[[nodiscard]] inline hid_t number_type<double>() {
  return H5T_IEEE_F64LE;
}
template <>
[[nodiscard]] inline hid_t number_type<std::int32_t>() {
  return H5T_STD_I32LE;
}
template <>
[[nodiscard]] inline hid_t number_type<std::int64_t>() {
  return H5T_STD_I64LE;
}
template <>
[[nodiscard]] inline hid_t number_type<std::uint64_t>() {
  return H5T_STD_U64LE;
}
template <>
[[nodiscard]] inline hid_t number_type<std::uint8_t>() {
  return H5T_STD_U8LE;
}

// Names by code, as stored in the file.
[[nodiscard]] std::span<const std::string_view> joint_names();
[[nodiscard]] std::span<const std::string_view> shape_names();
[[nodiscard]] std::span<const std::string_view> contacts_names();

}  // namespace tenpin::record::h5
