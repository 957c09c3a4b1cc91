// Friction problems as files of the FCLIB collection (HDF5).
//   /fclib_local/{spacedim, W, [V, R], vectors/{q, mu, [s]}}
//       u = W r + V l + q,  V'r + R l + s = 0
//   /fclib_global/{spacedim, M, H, [G], vectors/{f, w, mu, [b]}}
//       M v = H r + G l + f,  u = H'v + w,  G'v + b = 0
//   /solution/{r, u, [l]}
// A matrix is a group with m, n, nz, nzmax, p, i, x: compressed columns (nz = -1), compressed rows
// (-2) or a list of nz entries.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "complementarity/cone/forms.h"

namespace tenpin::record {

struct FclibProblem {
  std::variant<complementarity::cone::LocalForm, complementarity::cone::GlobalForm> form;
  std::string title;  // "" if the file has none
};

// Reads a problem. Checks types, sizes, indices and that numbers are finite. Throws InputError
// `file: path: problem, got X, want Y`, or RecordError if the file cannot be read at all.
[[nodiscard]] FclibProblem read_fclib(const std::string& file);

// Converts either form to a local problem. Throws the exceptions of condense(), with the file's
// name.
[[nodiscard]] complementarity::cone::LocalForm make_local_form(const FclibProblem& problem,
                                                               const std::string& file);

struct FclibSolution {
  std::vector<double> r;
  std::vector<double> u;
  std::vector<double> l;  // of equality rows
};

enum class FclibEncoding : signed char { kColumns = -1, kRows = -2, kList = 0 };

// Both functions replace an existing file atomically, and throw RecordError.
void write_fclib(const std::string& file, const FclibProblem& problem, FclibEncoding encoding);
void write_fclib_solution(const std::string& file, const FclibProblem& problem,
                          const FclibSolution& solution);

// Reads the group /solution of the file; missing vectors are empty.
[[nodiscard]] FclibSolution read_fclib_solution(const std::string& file);

}  // namespace tenpin::record
