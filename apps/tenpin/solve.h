// `tenpin solve problem.json ...`: complementarity problems by themselves.
//   {"M": R, "q": u}   w = M z + q, w >= 0, z >= 0, w'z = 0      prints z
//   {"A": A, "b": b}   w = A f - b, w >= 0, f >= 0, w'f = 0      prints f: resting contact [B89]
// One such object, or {"cases": [...]} of them; other fields and cases of other kinds are passed
// over, the latter with a note.
#pragma once

#include <string>
#include <vector>

#include "complementarity/lemke.h"

namespace tenpin::app {

struct SolveOptions {
  std::vector<std::string> files;
  bool json = false;
  double tolerance = complementarity::LemkeOptions{}.tolerance;
  std::string solver = "lemke";
};

// Results go to stdout, all else to stderr. Returns the exit code: 0 all solved, 2 bad input and
// nothing written, 3 some case is not solved (its status says why; all results are printed).
[[nodiscard]] int run_solve(const SolveOptions& options);

}  // namespace tenpin::app
