// Proximal semismooth Newton: a sequence of problems with a compliance that vanishes with the
// residual, each solved by Newton's method on Alart and Curnier's equation; where a line search
// fails, Gauss-Seidel sweeps on the same problem lead on.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/alart_curnier.h"
#include "complementarity/cone/gauss_seidel.h"
#include "complementarity/cone/search.h"

namespace tenpin::complementarity::cone {

class ProximalNewton {
 public:
  // Allocates only to grow.
  void reset(const ScaledProblem& problem);

  // A probe ends at its first failure; a trial, too, and does not finish the proximal problem at
  // work when its steps are used up.
  enum class Extent { kWhole, kProbe, kTrial };
  // Goes on from the best reaction of the search for about max_steps linear systems.
  void run(Extent extent, int max_steps, Search* search);

 private:
  enum class Inner { kConverged, kSlow, kFailed, kSolved };
  Inner solve_inner(Extent extent, int max_steps, Search* search, int* num_steps);
  bool search_line(double residual, double* step);
  void sweep(Search* search);
  double calc_distance() const;

  const ScaledProblem* problem_ = nullptr;
  AlartCurnier equation_;
  GaussSeidel gauss_seidel_;
  double weight_ = 0.0;
  int num_steps_ = 0;  // of this run
  bool sweeps_backward_ = false;
  std::vector<double> l_, u_, centre_, dl_, W_dl_, trial_l_, trial_u_;
};

}  // namespace tenpin::complementarity::cone
