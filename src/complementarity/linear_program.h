// Sparse linear programs, solved by CLP. No other file names that library.
#pragma once

#include <limits>
#include <vector>

#include "math/types.h"

namespace tenpin::complementarity {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

// Minimise  cost'x  such that  row_lower <= A x <= row_upper  and  lower <= x <= upper.
struct LinearProgram {
  struct Entry {
    int row = 0;
    int column = 0;
    double value = 0.0;
  };
  std::vector<Entry> entries;  // of A; each place at most once
  std::vector<double> row_lower, row_upper;
  std::vector<double> cost, lower, upper;

  // Adds a column without entries and returns its number.
  int add_column(double its_cost, double its_lower, double its_upper);
  int add_row(double its_lower, double its_upper);
};

struct LinearProgramSolution {
  enum class Status { kOptimal, kInfeasible, kUnbounded, kFailed } status = Status::kFailed;
  VecX x;  // empty unless optimal
  int iterations = 0;
};

// Solves the program. Rows and columns should be scaled to about one: constraints hold to 1e-9.
[[nodiscard]] LinearProgramSolution solve(const LinearProgram& program);

}  // namespace tenpin::complementarity
