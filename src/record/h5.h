// HDF5 handles that close themselves, and errors as exceptions. For the .cpp files of this folder
// only.
#pragma once

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace tenpin::record {

inline constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";

namespace h5 {

// The library's description of the innermost cause of an error.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads and clears the library's error stack.
[[nodiscard]] std::string take_error_text();

// Keeps the library from printing errors during its lifetime.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* argument_ = nullptr;
};

class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  // Throws Error if id is negative.
  Handle(hid_t id, Close close) : id_(id), close_(close) {
    if (id < 0) throw Error(take_error_text());
  }
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }

  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): as the C API's ids

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

// Throws Error if the result is negative; for every call that returns herr_t, ssize_t or the like.
template <typename T>
T check(T result) {
  if (result < 0) throw Error(take_error_text());
  return result;
}

// Opens a dataset whose path and data are in this file alone. Soft, external and user-defined
// links, external storage and virtual datasets are refused with an Error: through them a crafted
// file could make the program read any other file of the user.
[[nodiscard]] Handle open_own_dataset(hid_t file, const std::string& path);

}  // namespace h5
}  // namespace tenpin::record
