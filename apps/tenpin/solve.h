// `tenpin solve problem.json ...`: solves single complementarity problems.
//   {"M": R, "q": u}   w = M z + q, w >= 0, z >= 0, w'z = 0      prints z
//   {"A": A, "b": b}   w = A f - b, w >= 0, f >= 0, w'f = 0      prints f: resting contact [B89]
//                      "holonomic": [rows]: w = 0 and f of either sign there; if they contradict
//                      each other, least_sum and least_squares say what comes nearest
// A file contains one such object, or {"cases": [...]} with several. Other fields are ignored;
// cases of other kinds are skipped with a note.
//
// `tenpin solve problem.hdf5 ...`: friction problems of the FCLIB collection (record/fclib.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tenpin::app {

struct SolveOptions {
  std::vector<std::string> files;  // all JSON, or all HDF5
  bool json = false;
  std::optional<double> tolerance;  // of the certificate; if empty, 1e-12 (JSON) or 1e-8 (HDF5)
  std::string solver;               // "": lemke (JSON) or cascade (HDF5); lp: the guesses of [B89]
  std::string solution;             // HDF5: folder for the solutions; "" = none
};

// Prints results to stdout, everything else to stderr. Returns the exit code: 0 if all cases are
// solved, 2 for invalid input (nothing is written), 3 if some case is not solved (its status says
// why; all results are printed).
[[nodiscard]] int run_solve(const SolveOptions& options);

}  // namespace tenpin::app
