#include "record/h5_types.h"

#include <array>
#include <string>

namespace tenpin::record::h5 {
namespace {

constexpr std::array<std::string_view, 7> kJointNames = {"free",  "planar", "fixed", "prescribed",
                                                         "hinge", "slider", "ball"};
constexpr std::array<std::string_view, 9> kShapeNames = {
    "sphere", "box", "capsule", "cylinder", "plane", "polyhedron", "bowl", "ellipsoid", "cone"};
constexpr std::array<std::string_view, 3> kContactsNames = {"none", "frames", "steps"};

}  // namespace

std::span<const std::string_view> joint_names() {
  return kJointNames;
}
std::span<const std::string_view> shape_names() {
  return kShapeNames;
}
std::span<const std::string_view> contacts_names() {
  return kContactsNames;
}

Handle make_enum_type(std::span<const std::string_view> names) {
  // h5py recognises exactly this enumeration as bool.
  const bool is_bool = names.size() == 2 && names[1] == "TRUE";
  Handle type(H5Tenum_create(is_bool ? H5T_STD_I8LE : H5T_STD_U8LE), H5Tclose);
  std::uint8_t code = 0;
  for (const std::string_view name : names) {
    check(H5Tenum_insert(type, std::string(name).c_str(), &code));
    ++code;
  }
  return type;
}

Handle make_text_type(std::size_t num_bytes) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, num_bytes));
  check(H5Tset_strpad(type, H5T_STR_NULLPAD));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

Handle make_type(FieldType type) {
  switch (type) {
    case FieldType::kReal:
      return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
    case FieldType::kVector: {
      const hsize_t three = 3;
      return {H5Tarray_create2(H5T_IEEE_F64LE, 1, &three), H5Tclose};
    }
    case FieldType::kInt64:
      return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
    case FieldType::kInt32:
      return {H5Tcopy(H5T_STD_I32LE), H5Tclose};
    case FieldType::kUint32:
      return {H5Tcopy(H5T_STD_U32LE), H5Tclose};
    case FieldType::kText248:
    case FieldType::kText1000:
      return make_text_type(size_of(type));
    default:
      return make_enum_type(names_of(type));
  }
}

Handle make_row_type(std::span<const Field> fields, std::size_t row_bytes) {
  Handle type(H5Tcreate(H5T_COMPOUND, row_bytes), H5Tclose);
  for (const Field& field : fields) {
    check(H5Tinsert(type, std::string(field.name).c_str(), field.offset, make_type(field.type)));
  }
  return type;
}

}  // namespace tenpin::record::h5
