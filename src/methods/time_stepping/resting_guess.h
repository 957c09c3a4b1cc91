// Impulses that hold every contact of an island still, if the least ones do.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/cone_problem.h"
#include "math/pivoted_cholesky.h"

namespace tenpin::methods::time_stepping {

// Where contacts are redundant, more than one motion may obey Coulomb's law: fingers that hold a
// block face to face may share their load so badly between the corners that it slips, or well, so
// that it rests. Tenpin chooses rest. The solver over the round cone begins at these impulses, and
// stays there if they are a solution; they replace an answer of Lemke's algorithm that slips.
class RestingGuess {
 public:
  static constexpr std::size_t kMaxContacts = 16;  // chosen: so that the dense factor stays cheap

  // Looks for the least r with W r + q = 0 and tells whether it lies in all friction cones. Only of
  // small islands, since it takes a dense matrix; false for others.
  bool find(const complementarity::cone::ConeProblem& problem);

  // Of the last find() that was true.
  std::span<const double> impulses() const {
    return {r_.data(), static_cast<std::size_t>(r_.size())};
  }

 private:
  MatX W_;
  VecX r_, u_;
  PivotedCholesky factor_;
};

}  // namespace tenpin::methods::time_stepping
