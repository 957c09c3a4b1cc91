// Lemke's algorithm with a certified result.   [ST00, §4]
//   paper      here        meaning
//   R, u       Lcp         w = R z + u
//   -          covering()  d > 0 of the artificial term d z0; ones in the scaled problem
// In this implementation the path is followed in doubles on a problem scaled by powers of two. Its
// end is solved again from R and u (BasisSolver) and accepted only if it passes certify(). Every
// failure and every ray is attempted again: in rational arithmetic if the problem is small, so that
// the verdict is exact, else in double-double precision.
#pragma once

#include <vector>

#include "base/deadline.h"
#include "complementarity/basis_solver.h"
#include "complementarity/compensated.h"
#include "complementarity/equilibrate.h"
#include "complementarity/lcp.h"
#include "complementarity/lemke_tableau.h"

namespace tenpin::complementarity {

struct LemkeOptions {
  double tolerance = 1e-12;    // for the certificate of the solution
  int max_pivots = 0;          // of both attempts together; 0: 100 (n + 10)
  int max_exact_size = 8;      // largest n whose second attempt is exact, which allocates
  bool second_attempt = true;  // false: a failure in doubles is returned without verification
  TieBreak tie_break = TieBreak::kLexicographic;
  // When the deadline is over, the solve ends with kIterationLimit. Null: no deadline. It must
  // outlive the solver.
  const Deadline* deadline = nullptr;
};

// Lemke's algorithm with its workspace: solve() allocates only when a size exceeds every earlier
// one, or when solution->z changes its size.
class Lemke {
 public:
  explicit Lemke(const LemkeOptions& options = {}) : options_(options) {}

  void solve(const Lcp& lcp, LcpSolution* solution);

  // The covering vector of the last solve whose u had a negative entry; its entries are powers of
  // two.
  std::vector<double> calc_covering() const;
  // After kRayTermination: y >= 0, y != 0 and t >= 0 with R y + d t >= 0 and y'(R y + d t) = 0.
  const VecX& ray() const { return ray_; }
  // True if the last solve needed a second attempt.
  bool tried_again() const { return tried_again_; }

 private:
  template <typename Scalar>
  SolveStatus attempt(const Lcp& lcp, const PathOptions& path, LemkeTableau<Scalar>* tableau,
                      LcpSolution* solution);
  SolveStatus try_again(const Lcp& lcp, int max_pivots, LcpSolution* solution);
  template <typename Scalar>
  SolveStatus finish(const Lcp& lcp, const LemkeTableau<Scalar>& tableau, LcpSolution* solution);
  template <typename Scalar>
  SolveStatus check_ray(const Lcp& lcp, const LemkeTableau<Scalar>& tableau, double zero);
  bool accept(const Lcp& lcp, LcpSolution* solution) const;

  LemkeOptions options_;
  Equilibration scaling_;
  LemkeTableau<double> tableau_;
  LemkeTableau<DoubleDouble> long_tableau_;
  BasisSolver basis_solver_;
  std::vector<int> active_;
  VecX ray_;
  VecX covered_;  // d t along the ray
  bool tried_again_ = false;
};

[[nodiscard]] LcpSolution solve_lemke(const Lcp& lcp, const LemkeOptions& options = {});

}  // namespace tenpin::complementarity
