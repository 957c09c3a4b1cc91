// Proximal semismooth Newton method: a sequence of problems with a compliance that vanishes with
// the residual, each solved by Newton's method on Alart and Curnier's equation. Where a line search
// fails, Gauss-Seidel sweeps on the same problem make progress instead.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/alart_curnier.h"
#include "complementarity/cone/gauss_seidel.h"
#include "complementarity/cone/search.h"

namespace tenpin::complementarity::cone {

class ProximalNewton {
 public:
  // Allocates only when a size grows.
  void reset(const ScaledProblem& problem);

  // kProbe ends at the first failure. kTrial does the same, and also leaves the current proximal
  // problem unfinished when its steps are used up.
  enum class Extent { kWhole, kProbe, kTrial };
  // Continues from the best reaction of the search for about max_steps linear systems.
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
  int num_steps_ = 0;  // in this run
  bool sweeps_backward_ = false;
  std::vector<double> l_, u_, centre_, dl_, W_dl_, trial_l_, trial_u_;
};

}  // namespace tenpin::complementarity::cone
