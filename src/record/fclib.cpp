#include "record/fclib.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <tuple>
#include <type_traits>

#include "base/check.h"
#include "record/child_reader.h"
#include "record/fclib_input.h"

namespace tenpin::record {
namespace {

using complementarity::cone::GlobalForm;
using complementarity::cone::LocalForm;
using complementarity::cone::SparseEntries;

void check_shape(const FclibInput& input, const std::string& path, const SparseEntries& matrix,
                 int num_rows, int num_cols) {
  if (matrix.num_rows == num_rows && matrix.num_cols == num_cols) return;
  input.fail(path, fmt::format("wrong shape, got {} by {}, want {} by {}", matrix.num_rows,
                               matrix.num_cols, num_rows, num_cols));
}

int read_space_dim(const FclibInput& input, const std::string& root) {
  const std::string path = root + "/spacedim";
  const int dim = input.read_int(path);
  if (dim != 2 && dim != 3)
    input.fail(path, fmt::format("no such space, got {}, want 2 or 3", dim));
  return dim;
}

std::vector<double> read_mu(const FclibInput& input, const std::string& root) {
  const std::string path = root + "/vectors/mu";
  std::vector<double> mu = input.read_reals(path, std::nullopt);
  for (std::size_t i = 0; i < mu.size(); ++i) {
    if (mu[i] < 0.0) {
      input.fail(fmt::format("{}[{}]", path, i),
                 fmt::format("out of range, got {}, want at least 0", mu[i]));
    }
  }
  return mu;
}

LocalForm read_local(const FclibInput& input) {
  const std::string root = "/fclib_local";
  LocalForm form;
  form.space_dim = read_space_dim(input, root);
  form.mu = read_mu(input, root);
  const int m = form.space_dim * static_cast<int>(form.mu.size());
  form.W = input.read_matrix(root + "/W");
  check_shape(input, root + "/W", form.W, m, m);
  form.q = input.read_reals(root + "/vectors/q", m);
  form.V.num_rows = m;
  if (!input.has(root + "/V") && !input.has(root + "/R")) return form;
  form.R = input.read_matrix(root + "/R");
  const int p = form.R.num_rows;
  check_shape(input, root + "/R", form.R, p, p);
  form.V = input.read_matrix(root + "/V");
  check_shape(input, root + "/V", form.V, m, p);
  form.s = input.read_reals(root + "/vectors/s", p);
  return form;
}

GlobalForm read_global(const FclibInput& input) {
  const std::string root = "/fclib_global";
  GlobalForm form;
  form.space_dim = read_space_dim(input, root);
  form.mu = read_mu(input, root);
  const int m = form.space_dim * static_cast<int>(form.mu.size());
  form.M = input.read_matrix(root + "/M");
  const int n = form.M.num_rows;
  check_shape(input, root + "/M", form.M, n, n);
  form.H = input.read_matrix(root + "/H");
  check_shape(input, root + "/H", form.H, n, m);
  form.f = input.read_reals(root + "/vectors/f", n);
  form.w = input.read_reals(root + "/vectors/w", m);
  form.G.num_rows = n;
  if (!input.has(root + "/G")) return form;
  form.G = input.read_matrix(root + "/G");
  check_shape(input, root + "/G", form.G, n, form.G.num_cols);
  form.b = input.read_reals(root + "/vectors/b", form.G.num_cols);
  return form;
}

// Packing and unpacking, for the child that reads the file.
void pack(const SparseEntries& matrix, Packer* packer) {
  packer->add(matrix.num_rows);
  packer->add(matrix.num_cols);
  packer->add_list(std::span(matrix.row));
  packer->add_list(std::span(matrix.col));
  packer->add_list(std::span(matrix.value));
}

SparseEntries unpack_matrix(Unpacker* unpacker) {
  SparseEntries matrix;
  matrix.num_rows = unpacker->take<int>();
  matrix.num_cols = unpacker->take<int>();
  matrix.row = unpacker->take_list<int>();
  matrix.col = unpacker->take_list<int>();
  matrix.value = unpacker->take_list<double>();
  return matrix;
}

template <typename Form>
auto parts_of(Form* form) {
  if constexpr (std::is_same_v<std::remove_const_t<Form>, LocalForm>) {
    return std::tuple(std::array{&form->W, &form->V, &form->R},
                      std::array{&form->q, &form->s, &form->mu});
  } else {
    return std::tuple(std::array{&form->M, &form->H, &form->G},
                      std::array{&form->f, &form->w, &form->b, &form->mu});
  }
}

std::string pack(const FclibProblem& problem) {
  Packer packer;
  packer.add(problem.form.index());
  packer.add_list(std::span(problem.title));
  const auto pack_form = [&packer](const auto& form) {
    packer.add(form.space_dim);
    const auto [matrices, vectors] = parts_of(&form);
    for (const SparseEntries* matrix : matrices) pack(*matrix, &packer);
    for (const std::vector<double>* vector : vectors) packer.add_list(std::span(*vector));
  };
  std::visit(pack_form, problem.form);
  return packer.take();
}

FclibProblem unpack_problem(const std::string& bytes) {
  Unpacker unpacker(bytes);
  FclibProblem problem;
  if (unpacker.take<std::size_t>() == 1) problem.form = GlobalForm{};
  const std::vector<char> title = unpacker.take_list<char>();
  problem.title.assign(title.begin(), title.end());
  const auto unpack_form = [&unpacker](auto& form) {
    form.space_dim = unpacker.take<int>();
    const auto [matrices, vectors] = parts_of(&form);
    for (SparseEntries* matrix : matrices) *matrix = unpack_matrix(&unpacker);
    for (std::vector<double>* vector : vectors) *vector = unpacker.take_list<double>();
  };
  std::visit(unpack_form, problem.form);
  return problem;
}

FclibProblem read_here(const std::string& file) {
  const FclibInput input(file);
  FclibProblem problem;
  std::string root = "/fclib_local";
  if (input.has(root)) {
    problem.form = read_local(input);
  } else {
    root = "/fclib_global";
    if (!input.has(root)) {
      input.fail("/", "no problem, got neither fclib_local nor fclib_global, want one of them");
    }
    problem.form = read_global(input);
  }
  if (input.has(root + "/info/title")) problem.title = input.read_text(root + "/info/title");
  return problem;
}

FclibSolution read_solution_here(const std::string& file) {
  const FclibInput input(file);
  FclibSolution solution;
  const auto read = [&](const std::string& path, std::vector<double>* values) {
    if (input.has(path)) *values = input.read_reals(path, std::nullopt);
  };
  read("/solution/r", &solution.r);
  read("/solution/u", &solution.u);
  read("/solution/l", &solution.l);
  return solution;
}

}  // namespace

FclibProblem read_fclib(const std::string& file) {
  return unpack_problem(read_in_child(file, [&file] {
    return pack(read_here(file));
  }));
}

LocalForm make_local_form(const FclibProblem& problem, const std::string& file) {
  if (const LocalForm* local = std::get_if<LocalForm>(&problem.form)) return *local;
  try {
    return complementarity::cone::condense(std::get<GlobalForm>(problem.form));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: /fclib_global/M: {}", file, error.what()));
  } catch (const LimitError& error) {
    throw LimitError(fmt::format("{}: /fclib_global/M: {}", file, error.what()));
  }
}

FclibSolution read_fclib_solution(const std::string& file) {
  const std::string bytes = read_in_child(file, [&file] {
    const FclibSolution solution = read_solution_here(file);
    Packer packer;
    for (const auto* values : {&solution.r, &solution.u, &solution.l})
      packer.add_list(std::span(*values));
    return packer.take();
  });
  Unpacker unpacker(bytes);
  FclibSolution solution;
  for (auto* values : {&solution.r, &solution.u, &solution.l})
    *values = unpacker.take_list<double>();
  return solution;
}

}  // namespace tenpin::record
