#include "record/h5_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "record/output_file.h"
#include "record/record_error.h"
#include "record/seal.h"

namespace tenpin::record {
namespace {

constexpr int kMostOpenings = 100;  // attempts to open a file that is being written

Shape shape_of(hid_t set) {
  const h5::Handle space(H5Dget_space(set), H5Sclose);
  const int rank = h5::check(H5Sget_simple_extent_ndims(space));
  std::vector<hsize_t> dims(rank);
  h5::check(H5Sget_simple_extent_dims(space, dims.data(), nullptr));
  return {dims.begin(), dims.end()};
}

// A file descriptor. It is closed before the library opens the file itself.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    if (fd_ >= 0) return;
    const std::string text = fmt::format("{}: {}", path, std::strerror(errno));
    if (errno == ENOENT || errno == ENOTDIR) throw InputError(text);
    throw RecordError(text);
  }
  ~Descriptor() { close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

H5Input::H5Input(const std::string& path) : path_(path) {
  const h5::Silence silence;
  const Descriptor descriptor(path);
  struct stat status = {};
  if (fstat(descriptor.get(), &status) != 0) throw RecordError(path + ": " + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) throw InputError(path + ": is not a regular file, want a run file");
  std::array<char, kSignature.size()> start = {};
  const ssize_t count = pread(descriptor.get(), start.data(), start.size(), 0);
  if (count < 0) throw RecordError(path + ": " + std::strerror(errno));
  if (std::string_view(start.data(), start.size()) != kSignature) {
    throw InputError(path + ": is not an HDF5 file, want a run file");
  }
  being_written_ = is_being_written(descriptor.get());
  file_bytes_ = static_cast<std::uint64_t>(status.st_size);
  check_seal(descriptor.get(), file_bytes_, path);
  const h5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  h5::check(H5Pset_file_locking(access, false, true));
  hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
  // The library compares the superblock with a size that it has read before, so a file that grows
  // in between looks truncated. Tries again.
  for (int i = 0; id < 0 && being_written_ && i < kMostOpenings; ++i) {
    id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
  }
  if (id < 0) {
    throw InputError(
        fmt::format("{}: truncated or damaged HDF5 file: {}", path, h5::take_error_text()));
  }
  file_ = h5::Handle(id, H5Fclose);
}

hid_t H5Input::open(const std::string& name) const {
  if (const auto found = sets_.find(name); found != sets_.end()) return found->second;
  try {
    return sets_.emplace(name, h5::open_own_dataset(file_, name)).first->second;
  } catch (const h5::Error& error) {
    throw h5::Error(fmt::format("no dataset '{}' ({})", name, error.what()));
  }
}

void H5Input::check_type(hid_t set, hid_t want, const std::string& name) {
  const h5::Handle type(H5Dget_type(set), H5Tclose);
  if (h5::check(H5Tequal(type, want)) == 0) {
    throw h5::Error(fmt::format("dataset '{}' has another type than this version reads", name));
  }
}

std::size_t H5Input::check_size(const Shape& shape, std::size_t element_bytes,
                                const std::string& name) const {
  // Nothing is compressed, so no dataset is larger than the file.
  std::uint64_t limit = file_bytes_ / element_bytes;
  std::uint64_t count = 1;
  for (const std::uint64_t n : shape) {
    if (n != 0 && count > limit / n) {
      throw h5::Error(fmt::format("dataset '{}' claims to be larger than the file", name));
    }
    count *= n;
  }
  return count;
}

std::size_t H5Input::check_shape(hid_t set, const Shape& want, std::size_t element_bytes,
                                 const std::string& name) const {
  const Shape shape = shape_of(set);
  const auto matches = [](std::uint64_t is, std::uint64_t wanted) {
    return wanted == kAnySize || is == wanted;
  };
  if (!std::equal(shape.begin(), shape.end(), want.begin(), want.end(), matches)) {
    throw h5::Error(fmt::format("dataset '{}' has the wrong shape", name));
  }
  return check_size(shape, element_bytes, name);
}

std::size_t H5Input::check_rows(hid_t set, const Shape& row_shape, std::uint64_t first,
                                std::uint64_t count, std::size_t element_bytes,
                                const std::string& name) const {
  Shape shape = shape_of(set);
  if (shape.empty() ||
      !std::equal(shape.begin() + 1, shape.end(), row_shape.begin(), row_shape.end())) {
    throw h5::Error(fmt::format("dataset '{}' has the wrong shape", name));
  }
  if (first > shape[0] || count > shape[0] - first) {
    throw h5::Error(
        fmt::format("dataset '{}' has {} rows, want {}", name, shape[0], first + count));
  }
  shape[0] = count;
  return check_size(shape, element_bytes, name);
}

void H5Input::read_all(hid_t set, hid_t type, void* out, const std::string& name) {
  if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) {
    throw h5::Error(fmt::format("dataset '{}': {}", name, h5::take_error_text()));
  }
}

void H5Input::read_slab(hid_t set, hid_t type, const Shape& row_shape, std::uint64_t first,
                        std::uint64_t count, void* out) {
  std::vector<hsize_t> start(row_shape.size() + 1, 0);
  std::vector<hsize_t> size = {count};
  start[0] = first;
  size.insert(size.end(), row_shape.begin(), row_shape.end());
  const h5::Handle file_space(H5Dget_space(set), H5Sclose);
  h5::check(
      H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr));
  const h5::Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                         H5Sclose);
  h5::check(H5Dread(set, type, space, file_space, H5P_DEFAULT, out));
}

void H5Input::check_table(const std::string& name, hid_t type, const Shape& row_shape,
                          std::int64_t num_rows) const {
  const hid_t set = open(name);
  check_type(set, type, name);
  if (num_rows < 0) throw h5::Error(fmt::format("{} rows of '{}'", num_rows, name));
  static_cast<void>(check_rows(set, row_shape, 0, num_rows, H5Tget_size(type), name));
}

std::vector<std::byte> H5Input::read_row_bytes(const std::string& name, hid_t type,
                                               const Shape& row_shape, std::uint64_t first,
                                               std::uint64_t count) const {
  const hid_t set = open(name);
  const std::size_t element_bytes = H5Tget_size(type);
  std::vector<std::byte> bytes(check_rows(set, row_shape, first, count, element_bytes, name) *
                               element_bytes);
  if (!bytes.empty()) read_slab(set, type, row_shape, first, count, bytes.data());
  return bytes;
}

std::uint64_t H5Input::calc_num_rows(const std::string& name) const {
  const Shape shape = shape_of(open(name));
  if (shape.empty()) throw h5::Error(fmt::format("dataset '{}' has the wrong shape", name));
  return shape[0];
}

std::vector<std::uint8_t> H5Input::read_codes(const std::string& name, std::uint64_t count,
                                              std::span<const std::string_view> names) const {
  const hid_t set = open(name);
  const h5::Handle type = h5::make_enum_type(names);
  check_type(set, type, name);
  std::vector<std::uint8_t> codes(check_shape(set, {count}, 1, name));
  read_all(set, type, codes.data(), name);
  for (const std::uint8_t code : codes) {
    if (code >= names.size()) throw h5::Error(fmt::format("dataset '{}': no code {}", name, code));
  }
  return codes;
}

hid_t H5Input::open_text(const std::string& name, const Shape& shape, std::size_t* length) const {
  const hid_t set = open(name);
  const h5::Handle type(H5Dget_type(set), H5Tclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) {
    throw h5::Error(fmt::format("dataset '{}' is not text of a fixed length", name));
  }
  *length = H5Tget_size(type);
  if (*length == 0 || *length > file_bytes_) {
    throw h5::Error(fmt::format("dataset '{}' claims to be larger than the file", name));
  }
  check_type(set, h5::make_text_type(*length), name);
  *length = check_shape(set, shape, *length, name) * *length;
  return set;
}

std::string H5Input::read_text(const std::string& name) const {
  std::size_t length = 0;
  const hid_t set = open_text(name, {}, &length);
  std::string text(length, '\0');
  read_all(set, h5::make_text_type(length), text.data(), name);
  return text.substr(0, text.find_last_not_of('\0') + 1);
}

std::vector<std::string> H5Input::read_names(const std::string& name, std::uint64_t count) const {
  std::size_t length = 0;
  const hid_t set = open_text(name, {count}, &length);
  if (count == 0) return {};
  std::string padded(length, '\0');
  length /= count;
  read_all(set, h5::make_text_type(length), padded.data(), name);
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string text = padded.substr(i * length, length);
    names.push_back(text.substr(0, text.find_last_not_of('\0') + 1));
  }
  return names;
}

}  // namespace tenpin::record
