#include "record/fclib_input.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "base/check.h"
#include "record/record_error.h"

namespace tenpin::record {
namespace {

using complementarity::cone::SparseEntries;

// No filter of the library compresses better than deflate, which reaches a ratio of 1030.
constexpr std::uint64_t kTightestPacking = 1100;

void check_signature(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open()) throw RecordError(fmt::format("{}: {}", file, std::strerror(errno)));
  std::array<char, kSignature.size()> start = {};
  stream.read(start.data(), start.size());
  if (std::string_view(start.data(), start.size()) != kSignature) {
    throw InputError(file + ": /: not an HDF5 file, got other bytes, want an FCLIB file");
  }
}

bool fits(const std::vector<int>& rows, int count, int num_rows, const std::vector<int>& cols,
          int num_cols) {
  const auto all_below = [count](const std::vector<int>& indices, int end) {
    return std::all_of(indices.begin(), indices.begin() + count, [end](int index) {
      return index >= 0 && index < end;
    });
  };
  return all_below(rows, num_rows) && all_below(cols, num_cols);
}

}  // namespace

FclibInput::FclibInput(const std::string& file) : file_(file) {
  const h5::Silence silence;
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0) {
    const std::string text = fmt::format("{}: {}", file, std::strerror(errno));
    if (errno == ENOENT || errno == ENOTDIR) throw InputError(text);
    throw RecordError(text);
  }
  if (!S_ISREG(status.st_mode)) {
    throw InputError(file + ": /: not a regular file, got another kind, want an FCLIB file");
  }
  file_bytes_ = static_cast<std::uint64_t>(status.st_size);
  check_signature(file);
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0) {
    throw InputError(fmt::format("{}: /: truncated or damaged, got \"{}\", want an HDF5 file", file,
                                 h5::take_error_text()));
  }
  handle_ = h5::Handle(id, H5Fclose);
}

void FclibInput::fail(const std::string& path, const std::string& problem) const {
  throw InputError(fmt::format("{}: {}: {}", file_, path, problem));
}

// True if the path exists. Tests each group of the path, because the library fails on a path
// through a missing group. A link to another place counts as present but is not followed: open()
// refuses it.
bool FclibInput::has(const std::string& path) const {
  const h5::Silence silence;
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string link = path.substr(0, end);
    if (H5Lexists(handle_, link.c_str(), H5P_DEFAULT) <= 0) return false;
    H5L_info_t info = {};
    if (H5Lget_info(handle_, link.c_str(), &info, H5P_DEFAULT) < 0) return false;
    if (end == std::string::npos || info.type != H5L_TYPE_HARD) return true;
  }
}

h5::Handle FclibInput::open(const std::string& path, H5T_class_t type) const {
  const h5::Silence silence;
  if (!has(path)) fail(path, "missing, got nothing, want a dataset");
  h5::Handle handle;
  try {
    handle = h5::open_own_dataset(handle_, path);
  } catch (const h5::Error& error) {
    fail(path, fmt::format("unreadable, got \"{}\", want a dataset of this file", error.what()));
  }
  const h5::Handle stored(H5Dget_type(handle), H5Tclose);
  if (H5Tget_class(stored) != type) {
    fail(path, fmt::format("wrong type, got another, want {}", type == H5T_INTEGER ? "integers"
                                                               : type == H5T_FLOAT
                                                                   ? "floating-point numbers"
                                                                   : "text"));
  }
  return handle;
}

std::size_t FclibInput::calc_count(hid_t set, std::size_t element_bytes,
                                   const std::string& path) const {
  const h5::Handle space(H5Dget_space(set), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 0) fail(path, "unreadable, got no size, want an array");
  const std::uint64_t limit = (file_bytes_ / element_bytes + 1) * kTightestPacking;
  if (static_cast<std::uint64_t>(count) > limit) {
    fail(path, fmt::format("too large, got {} numbers, want what a file of {} bytes can hold",
                           count, file_bytes_));
  }
  return static_cast<std::size_t>(count);
}

std::vector<int> FclibInput::read_ints(const std::string& path) const {
  const h5::Silence silence;
  const h5::Handle set = open(path, H5T_INTEGER);
  std::vector<int> values(calc_count(set, sizeof(int), path));
  if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    fail(path, fmt::format("damaged, got \"{}\", want integers", h5::take_error_text()));
  }
  return values;
}

int FclibInput::read_int(const std::string& path) const {
  const std::vector<int> values = read_ints(path);
  if (values.size() != 1) {
    fail(path, fmt::format("wrong size, got {} numbers, want 1", values.size()));
  }
  return values[0];
}

std::vector<double> FclibInput::read_reals(const std::string& path,
                                           std::optional<std::size_t> size) const {
  const h5::Silence silence;
  const h5::Handle set = open(path, H5T_FLOAT);
  const std::size_t count = calc_count(set, sizeof(double), path);
  if (size && count != *size) {
    fail(path, fmt::format("wrong size, got {} numbers, want {}", count, *size));
  }
  std::vector<double> values(count);
  if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    fail(path, fmt::format("damaged, got \"{}\", want numbers", h5::take_error_text()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      fail(fmt::format("{}[{}]", path, i),
           fmt::format("not finite, got {}, want a number", values[i]));
    }
  }
  return values;
}

std::string FclibInput::read_text(const std::string& path) const {
  const h5::Silence silence;
  const h5::Handle set = open(path, H5T_STRING);
  const h5::Handle type(H5Dget_type(set), H5Tclose);
  const std::size_t length = H5Tget_size(type);
  if (H5Tis_variable_str(type) != 0 || calc_count(set, length, path) != 1 || length > file_bytes_) {
    return "";
  }
  std::string text(length, '\0');
  if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return "";
  return text.substr(0, text.find('\0'));
}

void FclibInput::check_index(const std::string& path, std::size_t k, int index, int end) const {
  if (index >= 0 && index < end) return;
  fail(fmt::format("{}[{}]", path, k),
       fmt::format("out of range, got {}, want 0 to {}", index, end - 1));
}

void FclibInput::check_size(const std::string& path, std::size_t size, std::size_t wanted) const {
  if (size >= wanted) return;
  fail(path, fmt::format("wrong size, got {} entries, want {}", size, wanted));
}

SparseEntries FclibInput::read_matrix(const std::string& path) const {
  SparseEntries matrix;
  matrix.num_rows = read_int(path + "/m");
  matrix.num_cols = read_int(path + "/n");
  if (matrix.num_rows < 0 || matrix.num_cols < 0) {
    fail(path + "/m", fmt::format("negative size, got {} by {}, want at least 0", matrix.num_rows,
                                  matrix.num_cols));
  }
  const int nz = read_int(path + "/nz");
  if (nz < -2) fail(path + "/nz", fmt::format("no such encoding, got {}, want -2 or more", nz));
  const Arrays arrays = {read_ints(path + "/p"), read_ints(path + "/i"),
                         read_reals(path + "/x", std::nullopt)};
  if (nz >= 0) {
    add_list(path, arrays, nz, &matrix);
  } else {
    add_compressed(path, arrays, nz == -1, &matrix);
  }
  return matrix;
}

void FclibInput::add_list(const std::string& path, const Arrays& arrays, int nz,
                          SparseEntries* matrix) const {
  const auto& [p, i, x] = arrays;
  check_size(path + "/p", p.size(), nz);
  check_size(path + "/i", i.size(), nz);
  check_size(path + "/x", x.size(), nz);
  // The format says that p contains rows, but in the files of the collection it contains columns.
  const bool is_swapped = !fits(p, nz, matrix->num_rows, i, matrix->num_cols) &&
                          fits(i, nz, matrix->num_rows, p, matrix->num_cols);
  const std::vector<int>& rows = is_swapped ? i : p;
  const std::vector<int>& cols = is_swapped ? p : i;
  for (int k = 0; k < nz; ++k) {
    check_index(path + (is_swapped ? "/i" : "/p"), k, rows[k], matrix->num_rows);
    check_index(path + (is_swapped ? "/p" : "/i"), k, cols[k], matrix->num_cols);
    matrix->add(rows[k], cols[k], x[k]);
  }
}

void FclibInput::add_compressed(const std::string& path, const Arrays& arrays, bool by_columns,
                                SparseEntries* matrix) const {
  const auto& [p, i, x] = arrays;
  const int outer_size = by_columns ? matrix->num_cols : matrix->num_rows;
  const int inner_size = by_columns ? matrix->num_rows : matrix->num_cols;
  check_size(path + "/p", p.size(), static_cast<std::size_t>(outer_size) + 1);
  for (int outer = 0; outer < outer_size; ++outer) {
    if (p[outer] >= 0 && p[outer + 1] >= p[outer]) continue;
    fail(fmt::format("{}/p[{}]", path, outer + 1),
         fmt::format("decreasing, got {}, want at least {}", p[outer + 1], std::max(0, p[outer])));
  }
  const auto end = static_cast<std::size_t>(p[outer_size]);
  check_size(path + "/i", i.size(), end);
  check_size(path + "/x", x.size(), end);
  for (int outer = 0; outer < outer_size; ++outer) {
    for (int k = p[outer]; k < p[outer + 1]; ++k) {
      check_index(path + "/i", k, i[k], inner_size);
      by_columns ? matrix->add(i[k], outer, x[k]) : matrix->add(outer, i[k], x[k]);
    }
  }
}

}  // namespace tenpin::record
