// Impulses that hold every contact of an island still, if the least ones obey the law.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/cone_problem.h"
#include "math/pivoted_cholesky.h"

namespace tenpin::methods::time_stepping {

// Where contacts are redundant, more than one motion may obey Coulomb's law: fingers that hold a
// block face to face may share their load unevenly between the corners, so that the block slips, or
// evenly, so that it rests. Tenpin chooses rest. The solver over the round cone starts at these
// impulses, and stays there if they are a solution; they replace an answer of Lemke's algorithm
// that slips.
class RestingGuess {
 public:
  static constexpr std::size_t kMaxContacts = 16;  // chosen: so that the dense factor stays cheap

  // Computes the least r with W r + q = 0 and returns true if r lies in all friction cones. Returns
  // false for large islands, because the dense matrix would be too expensive.
  bool find(const complementarity::cone::ConeProblem& problem);

  // The impulses of the last successful find().
  std::span<const double> impulses() const {
    return {r_.data(), static_cast<std::size_t>(r_.size())};
  }

 private:
  MatX W_;
  VecX r_, u_;
  PivotedCholesky factor_;
};

}  // namespace tenpin::methods::time_stepping
