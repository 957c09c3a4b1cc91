#include <algorithm>
#include <numeric>

#include "record/array_file.h"
#include "record/fclib.h"

namespace tenpin::record {
namespace {

using complementarity::cone::GlobalForm;
using complementarity::cone::LocalForm;
using complementarity::cone::SparseEntries;

void write_int(const std::string& path, int value, ArrayFile* output) {
  output->write(path, std::span<const std::int32_t>(&value, 1));
}

void write_ints(const std::string& path, const std::vector<int>& values, ArrayFile* output) {
  output->write(path, std::span<const std::int32_t>(values));
}

void write_reals(const std::string& path, const std::vector<double>& values, ArrayFile* output) {
  output->write(path, std::span<const double>(values));
}

void write_list(const std::string& path, const SparseEntries& matrix, ArrayFile* output) {
  write_int(path + "/nz", static_cast<int>(matrix.row.size()), output);
  write_ints(path + "/p", matrix.row, output);
  write_ints(path + "/i", matrix.col, output);
  write_reals(path + "/x", matrix.value, output);
}

void write_compressed(const std::string& path, const SparseEntries& matrix, bool by_columns,
                      ArrayFile* output) {
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
  write_int(path + "/nz", by_columns ? -1 : -2, output);
  write_ints(path + "/p", p, output);
  write_ints(path + "/i", i, output);
  write_reals(path + "/x", x, output);
}

void write_matrix(const std::string& path, const SparseEntries& matrix, FclibEncoding encoding,
                  ArrayFile* output) {
  write_int(path + "/m", matrix.num_rows, output);
  write_int(path + "/n", matrix.num_cols, output);
  write_int(path + "/nzmax", static_cast<int>(matrix.row.size()), output);
  if (encoding == FclibEncoding::kList) {
    write_list(path, matrix, output);
  } else {
    write_compressed(path, matrix, encoding == FclibEncoding::kColumns, output);
  }
}

void write_form(const LocalForm& form, FclibEncoding encoding, ArrayFile* output) {
  const std::string root = "/fclib_local";
  write_int(root + "/spacedim", form.space_dim, output);
  write_matrix(root + "/W", form.W, encoding, output);
  write_reals(root + "/vectors/q", form.q, output);
  write_reals(root + "/vectors/mu", form.mu, output);
  if (form.s.empty()) return;
  write_matrix(root + "/V", form.V, encoding, output);
  write_matrix(root + "/R", form.R, encoding, output);
  write_reals(root + "/vectors/s", form.s, output);
}

void write_form(const GlobalForm& form, FclibEncoding encoding, ArrayFile* output) {
  const std::string root = "/fclib_global";
  write_int(root + "/spacedim", form.space_dim, output);
  write_matrix(root + "/M", form.M, encoding, output);
  write_matrix(root + "/H", form.H, encoding, output);
  write_reals(root + "/vectors/f", form.f, output);
  write_reals(root + "/vectors/w", form.w, output);
  write_reals(root + "/vectors/mu", form.mu, output);
  if (form.b.empty()) return;
  write_matrix(root + "/G", form.G, encoding, output);
  write_reals(root + "/vectors/b", form.b, output);
}

void write_problem(const FclibProblem& problem, FclibEncoding encoding, ArrayFile* output) {
  std::visit(
      [&](const auto& form) {
        write_form(form, encoding, output);
      },
      problem.form);
}

}  // namespace

void write_fclib(const std::string& file, const FclibProblem& problem, FclibEncoding encoding) {
  ArrayFile output(file);
  write_problem(problem, encoding, &output);
  output.finish();
}

void write_fclib_solution(const std::string& file, const FclibProblem& problem,
                          const FclibSolution& solution) {
  ArrayFile output(file);
  write_problem(problem, FclibEncoding::kColumns, &output);
  write_reals("/solution/r", solution.r, &output);
  write_reals("/solution/u", solution.u, &output);
  if (!solution.l.empty()) write_reals("/solution/l", solution.l, &output);
  output.finish();
}

}  // namespace tenpin::record
