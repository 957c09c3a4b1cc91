// Reads datasets of an untrusted problem file; each is checked before use. For the .cpp files of
// this folder only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "complementarity/cone/forms.h"
#include "record/h5.h"

namespace tenpin::record {

// All methods throw InputError `file: path: problem, got X, want Y`.
class FclibInput {
 public:
  explicit FclibInput(const std::string& file);

  [[nodiscard]] bool has(const std::string& path) const;
  [[nodiscard]] int read_int(const std::string& path) const;
  [[nodiscard]] std::vector<int> read_ints(const std::string& path) const;
  // Reads finite numbers; `size` is their required count, if given.
  [[nodiscard]] std::vector<double> read_reals(const std::string& path,
                                               std::optional<std::size_t> size) const;
  [[nodiscard]] complementarity::cone::SparseEntries read_matrix(const std::string& path) const;
  [[nodiscard]] std::string read_text(const std::string& path) const;

  [[noreturn]] void fail(const std::string& path, const std::string& problem) const;

 private:
  struct Arrays {
    std::vector<int> p;
    std::vector<int> i;
    std::vector<double> x;
  };

  void check_index(const std::string& path, std::size_t k, int index, int end) const;
  void check_size(const std::string& path, std::size_t size, std::size_t wanted) const;
  void add_list(const std::string& path, const Arrays& arrays, int nz,
                complementarity::cone::SparseEntries* matrix) const;
  void add_compressed(const std::string& path, const Arrays& arrays, bool by_columns,
                      complementarity::cone::SparseEntries* matrix) const;
  [[nodiscard]] h5::Handle open(const std::string& path, H5T_class_t type) const;
  [[nodiscard]] std::size_t calc_count(hid_t set, std::size_t element_bytes,
                                       const std::string& path) const;

  std::string file_;
  std::uint64_t file_bytes_ = 0;
  h5::Handle handle_;
};

}  // namespace tenpin::record
