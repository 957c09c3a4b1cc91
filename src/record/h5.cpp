#include "record/h5.h"

namespace tenpin::record::h5 {
namespace {

// The stack is walked from the call we made down to the cause; the last text stays.
herr_t keep_description(unsigned /*depth*/, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

std::string take_error_text() {
  std::string text = "unknown HDF5 error";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_description, &text);
  H5Eclear2(H5E_DEFAULT);
  return text;
}

Silence::Silence() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &argument_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() {
  H5Eset_auto2(H5E_DEFAULT, function_, argument_);
}

}  // namespace tenpin::record::h5
