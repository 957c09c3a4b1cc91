#include "complementarity/linear_program.h"

#ifdef TENPIN_CLP
#include <coin/Clp_C_Interface.h>
#include <dlfcn.h>
#endif

#include <memory>

#include "base/check.h"

namespace tenpin::complementarity {

#ifdef TENPIN_CLP
namespace {

// The functions of CLP that are used. The library is loaded when the first program is solved,
// because few scenes need it and it depends on a BLAS library.
struct Clp {
  template <class Function>
  static void find(void* library, const char* name, Function* function) {
    *function = reinterpret_cast<Function>(dlsym(library, name));
    TENPIN_REQUIRE(*function != nullptr,
                   std::string("linear programs: libClp.so.1 has no ") + name);
  }

  Clp() {
    void* library = dlopen("libClp.so.1", RTLD_NOW | RTLD_LOCAL);
    TENPIN_REQUIRE(library != nullptr,
                   "linear programs: cannot load libClp.so.1 (Debian: coinor-libclp1)");
    find(library, "Clp_newModel", &new_model);
    find(library, "Clp_deleteModel", &delete_model);
    find(library, "Clp_setLogLevel", &set_log_level);
    find(library, "Clp_setPrimalTolerance", &set_primal_tolerance);
    find(library, "Clp_setDualTolerance", &set_dual_tolerance);
    find(library, "Clp_loadProblem", &load_problem);
    find(library, "Clp_dual", &dual);
    find(library, "Clp_numberIterations", &num_iterations);
    find(library, "Clp_isProvenOptimal", &is_optimal);
    find(library, "Clp_isProvenPrimalInfeasible", &is_infeasible);
    find(library, "Clp_isProvenDualInfeasible", &is_unbounded);
    find(library, "Clp_primalColumnSolution", &solution);
  }

  decltype(&Clp_newModel) new_model = nullptr;
  decltype(&Clp_deleteModel) delete_model = nullptr;
  decltype(&Clp_setLogLevel) set_log_level = nullptr;
  decltype(&Clp_setPrimalTolerance) set_primal_tolerance = nullptr;
  decltype(&Clp_setDualTolerance) set_dual_tolerance = nullptr;
  decltype(&Clp_loadProblem) load_problem = nullptr;
  decltype(&Clp_dual) dual = nullptr;
  decltype(&Clp_numberIterations) num_iterations = nullptr;
  decltype(&Clp_isProvenOptimal) is_optimal = nullptr;
  decltype(&Clp_isProvenPrimalInfeasible) is_infeasible = nullptr;
  decltype(&Clp_isProvenDualInfeasible) is_unbounded = nullptr;
  decltype(&Clp_primalColumnSolution) solution = nullptr;
};

// A matrix by columns, in CLP's layout.
struct Columns {
  std::vector<int> starts, rows;
  std::vector<double> values;
};

Columns sort_by_columns(const LinearProgram& program) {
  Columns sorted;
  sorted.starts.assign(program.cost.size() + 1, 0);
  for (const LinearProgram::Entry& entry : program.entries) ++sorted.starts[entry.column + 1];
  for (std::size_t k = 1; k < sorted.starts.size(); ++k) sorted.starts[k] += sorted.starts[k - 1];
  std::vector<int> next = sorted.starts;
  sorted.rows.resize(program.entries.size());
  sorted.values.resize(program.entries.size());
  for (const LinearProgram::Entry& entry : program.entries) {
    const int at = next[entry.column]++;
    sorted.rows[at] = entry.row;
    sorted.values[at] = entry.value;
  }
  return sorted;
}

}  // namespace
#endif

int LinearProgram::add_column(double its_cost, double its_lower, double its_upper) {
  cost.push_back(its_cost);
  lower.push_back(its_lower);
  upper.push_back(its_upper);
  return static_cast<int>(cost.size()) - 1;
}

int LinearProgram::add_row(double its_lower, double its_upper) {
  row_lower.push_back(its_lower);
  row_upper.push_back(its_upper);
  return static_cast<int>(row_lower.size()) - 1;
}

#ifndef TENPIN_CLP
LinearProgramSolution solve(const LinearProgram& /*program*/) {
  throw LimitError("linear programs: this program was built without CLP (TENPIN_CLP=OFF)");
}
#else
LinearProgramSolution solve(const LinearProgram& program) {
  using Status = LinearProgramSolution::Status;
  constexpr double kTolerance = 1e-9;
  static const Clp clp;
  const Columns A = sort_by_columns(program);
  const auto num_columns = static_cast<int>(program.cost.size());
  const std::unique_ptr<Clp_Simplex, decltype(clp.delete_model)> model(clp.new_model(),
                                                                       clp.delete_model);
  clp.set_log_level(model.get(), 0);
  clp.set_primal_tolerance(model.get(), kTolerance);
  clp.set_dual_tolerance(model.get(), kTolerance);
  clp.load_problem(model.get(), num_columns, static_cast<int>(program.row_lower.size()),
                   A.starts.data(), A.rows.data(), A.values.data(), program.lower.data(),
                   program.upper.data(), program.cost.data(), program.row_lower.data(),
                   program.row_upper.data());
  (void)clp.dual(model.get(), 0);
  LinearProgramSolution solution;
  solution.iterations = clp.num_iterations(model.get());
  if (clp.is_optimal(model.get()) != 0) {
    solution.status = Status::kOptimal;
    solution.x = Eigen::Map<const VecX>(clp.solution(model.get()), num_columns);
  } else if (clp.is_infeasible(model.get()) != 0) {
    solution.status = Status::kInfeasible;
  } else if (clp.is_unbounded(model.get()) != 0) {
    solution.status = Status::kUnbounded;
  }
  return solution;
}
#endif

}  // namespace tenpin::complementarity
