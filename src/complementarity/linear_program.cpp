#include "complementarity/linear_program.h"

#include <coin/ClpSimplex.hpp>
#include <coin/CoinPackedMatrix.hpp>

namespace tenpin::complementarity {

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

LinearProgramSolution solve(const LinearProgram& program) {
  using Status = LinearProgramSolution::Status;
  constexpr double kTolerance = 1e-9;
  std::vector<int> rows;
  std::vector<int> columns;
  std::vector<double> values;
  for (const LinearProgram::Entry& entry : program.entries) {
    rows.push_back(entry.row);
    columns.push_back(entry.column);
    values.push_back(entry.value);
  }
  CoinPackedMatrix A(true, rows.data(), columns.data(), values.data(),
                     static_cast<CoinBigIndex>(values.size()));
  A.setDimensions(static_cast<int>(program.row_lower.size()),
                  static_cast<int>(program.cost.size()));
  ClpSimplex clp;
  clp.setLogLevel(0);
  clp.setPrimalTolerance(kTolerance);
  clp.setDualTolerance(kTolerance);
  clp.loadProblem(A, program.lower.data(), program.upper.data(), program.cost.data(),
                  program.row_lower.data(), program.row_upper.data());
  clp.dual();
  LinearProgramSolution solution;
  solution.iterations = clp.numberIterations();
  if (clp.isProvenOptimal()) {
    solution.status = Status::kOptimal;
    solution.x = Eigen::Map<const VecX>(clp.primalColumnSolution(), clp.numberColumns());
  } else if (clp.isProvenPrimalInfeasible()) {
    solution.status = Status::kInfeasible;
  } else if (clp.isProvenDualInfeasible()) {
    solution.status = Status::kUnbounded;
  }
  return solution;
}

}  // namespace tenpin::complementarity
