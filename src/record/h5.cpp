#include "record/h5.h"

#include <fmt/format.h>

namespace tenpin::record::h5 {
namespace {

// Visits the error stack from our call down to the cause; keeps the last text.
herr_t keep_description(unsigned /*depth*/, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

// Checks every link of the path before the library follows it.
void check_links(hid_t file, const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string link = path.substr(0, end);
    H5L_info_t info = {};
    check(H5Lget_info(file, link.c_str(), &info, H5P_DEFAULT));
    if (info.type != H5L_TYPE_HARD) {
      throw Error(fmt::format("'{}' is a link to another place", link));
    }
    if (end == std::string::npos) return;
  }
}

}  // namespace

std::string take_error_text() {
  std::string text = "unknown HDF5 error";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_description, &text);
  H5Eclear2(H5E_DEFAULT);
  return text;
}

Handle open_own_dataset(hid_t file, const std::string& path) {
  check_links(file, path);
  Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle creation(H5Dget_create_plist(set), H5Pclose);
  if (check(H5Pget_external_count(creation)) > 0) {
    throw Error(fmt::format("'{}' keeps its data in another file", path));
  }
  if (check(H5Pget_layout(creation)) == H5D_VIRTUAL) {
    throw Error(fmt::format("'{}' is a view of other datasets", path));
  }
  return set;
}

Silence::Silence() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &argument_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() {
  H5Eset_auto2(H5E_DEFAULT, function_, argument_);
}

}  // namespace tenpin::record::h5
