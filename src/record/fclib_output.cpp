#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <numeric>

#include "record/fclib.h"
#include "record/h5.h"
#include "record/record_error.h"

namespace tenpin::record {
namespace {

using complementarity::cone::GlobalForm;
using complementarity::cone::LocalForm;
using complementarity::cone::SparseEntries;

// A new file beside the wanted one, which takes its place when it is whole.
class Output {
 public:
  explicit Output(const std::string& file)
      : file_(file), temporary_(fmt::format("{}.{}.tmp", file, getpid())) {
    const hid_t id = H5Fcreate(temporary_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (id < 0) {
      const std::string reason = errno != 0 ? std::strerror(errno) : h5::take_error_text();
      throw RecordError(fmt::format("{}: {}", file, reason));
    }
    handle_ = h5::Handle(id, H5Fclose);
  }
  ~Output() {
    if (!is_done_) std::remove(temporary_.c_str());
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void make_group(const std::string& path) {
    h5::Handle(H5Gcreate2(handle_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  }
  void write(const std::string& path, const std::vector<int>& values) {
    write(path, H5T_STD_I32LE, H5T_NATIVE_INT, values.data(), values.size());
  }
  void write(const std::string& path, const std::vector<double>& values) {
    write(path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data(), values.size());
  }
  void write(const std::string& path, int value) { write(path, std::vector<int>{value}); }

  void finish() {
    h5::check(H5Fflush(handle_, H5F_SCOPE_GLOBAL));
    handle_ = h5::Handle();
    if (std::rename(temporary_.c_str(), file_.c_str()) != 0) {
      throw RecordError(fmt::format("{}: {}", file_, std::strerror(errno)));
    }
    is_done_ = true;
  }

 private:
  void write(const std::string& path, hid_t stored, hid_t native, const void* values,
             std::size_t count) {
    const hsize_t size = count;
    const h5::Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const h5::Handle set(
        H5Dcreate2(handle_, path.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    h5::check(H5Dwrite(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  }

  std::string file_;
  std::string temporary_;
  h5::Handle handle_;
  bool is_done_ = false;
};

void write_list(const std::string& path, const SparseEntries& matrix, Output* output) {
  output->write(path + "/nz", static_cast<int>(matrix.row.size()));
  output->write(path + "/p", matrix.row);
  output->write(path + "/i", matrix.col);
  output->write(path + "/x", matrix.value);
}

void write_compressed(const std::string& path, const SparseEntries& matrix, bool by_columns,
                      Output* output) {
  const std::vector<int>& outer = by_columns ? matrix.col : matrix.row;
  const std::vector<int>& inner = by_columns ? matrix.row : matrix.col;
  std::vector<int> order(outer.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return std::pair(outer[a], inner[a]) < std::pair(outer[b], inner[b]);
  });
  std::vector<int> p((by_columns ? matrix.num_cols : matrix.num_rows) + 1, 0);
  std::vector<int> i;
  std::vector<double> x;
  for (const int k : order) {
    ++p[outer[k] + 1];
    i.push_back(inner[k]);
    x.push_back(matrix.value[k]);
  }
  std::partial_sum(p.begin(), p.end(), p.begin());
  output->write(path + "/nz", by_columns ? -1 : -2);
  output->write(path + "/p", p);
  output->write(path + "/i", i);
  output->write(path + "/x", x);
}

void write_matrix(const std::string& path, const SparseEntries& matrix, FclibEncoding encoding,
                  Output* output) {
  output->make_group(path);
  output->write(path + "/m", matrix.num_rows);
  output->write(path + "/n", matrix.num_cols);
  output->write(path + "/nzmax", static_cast<int>(matrix.row.size()));
  if (encoding == FclibEncoding::kList) {
    write_list(path, matrix, output);
  } else {
    write_compressed(path, matrix, encoding == FclibEncoding::kColumns, output);
  }
}

void write_form(const LocalForm& form, FclibEncoding encoding, Output* output) {
  const std::string root = "/fclib_local";
  output->make_group(root);
  output->make_group(root + "/vectors");
  output->write(root + "/spacedim", form.space_dim);
  write_matrix(root + "/W", form.W, encoding, output);
  output->write(root + "/vectors/q", form.q);
  output->write(root + "/vectors/mu", form.mu);
  if (form.s.empty()) return;
  write_matrix(root + "/V", form.V, encoding, output);
  write_matrix(root + "/R", form.R, encoding, output);
  output->write(root + "/vectors/s", form.s);
}

void write_form(const GlobalForm& form, FclibEncoding encoding, Output* output) {
  const std::string root = "/fclib_global";
  output->make_group(root);
  output->make_group(root + "/vectors");
  output->write(root + "/spacedim", form.space_dim);
  write_matrix(root + "/M", form.M, encoding, output);
  write_matrix(root + "/H", form.H, encoding, output);
  output->write(root + "/vectors/f", form.f);
  output->write(root + "/vectors/w", form.w);
  output->write(root + "/vectors/mu", form.mu);
  if (form.b.empty()) return;
  write_matrix(root + "/G", form.G, encoding, output);
  output->write(root + "/vectors/b", form.b);
}

// Library errors as those of this folder.
template <typename Write>
void write_file(const std::string& file, Write&& write) {
  const h5::Silence silence;
  try {
    Output output(file);
    write(&output);
    output.finish();
  } catch (const h5::Error& error) {
    throw RecordError(fmt::format("{}: {}", file, error.what()));
  }
}

void write_problem(const FclibProblem& problem, FclibEncoding encoding, Output* output) {
  std::visit(
      [&](const auto& form) {
        write_form(form, encoding, output);
      },
      problem.form);
}

}  // namespace

void write_fclib(const std::string& file, const FclibProblem& problem, FclibEncoding encoding) {
  write_file(file, [&](Output* output) {
    write_problem(problem, encoding, output);
  });
}

void write_fclib_solution(const std::string& file, const FclibProblem& problem,
                          const FclibSolution& solution) {
  write_file(file, [&](Output* output) {
    write_problem(problem, FclibEncoding::kColumns, output);
    output->make_group("/solution");
    output->write("/solution/r", solution.r);
    output->write("/solution/u", solution.u);
    if (!solution.l.empty()) output->write("/solution/l", solution.l);
  });
}

}  // namespace tenpin::record
