#include "complementarity/proximal.h"

#include "complementarity/tolerances.h"

namespace tenpin::complementarity {

bool solve_proximal(const Lcp& lcp, const LemkeOptions& options, LcpSolution* solution) {
  Lemke lemke(options);
  Lcp soft;
  LcpSolution step;
  int pivots = solution->pivots;
  for (const double compliance : kProximalCompliances) {
    const VecX give = compliance * lcp.R.diagonal().cwiseAbs();
    soft = lcp;
    soft.R.diagonal() += give;
    for (int round = 0; round < kMaxProximalSteps; ++round) {
      lemke.solve(soft, &step);
      pivots += step.pivots;
      if (step.status != SolveStatus::kSolved) break;
      const LcpResidual residual = certify(lcp, step.z);
      if (residual.passes(options.tolerance)) {
        step.residual = residual;
        step.pivots = pivots;
        *solution = step;
        return true;
      }
      soft.u = lcp.u - give.cwiseProduct(step.z);
    }
  }
  return false;
}

}  // namespace tenpin::complementarity
