// Our friction problems as Siconos wants them, and those of its solvers that are measured.
#pragma once

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include "complementarity/cone/cone_problem.h"

namespace tenpin::complementarity::cone {

struct SiconosSolver {
  const char* name;
  int id;
};
inline constexpr SiconosSolver kSiconosSolvers[] = {
    {"nsgs", SICONOS_FRICTION_3D_NSGS},     {"nsn_ac", SICONOS_FRICTION_3D_NSN_AC},
    {"nsn_fb", SICONOS_FRICTION_3D_NSN_FB}, {"admm", SICONOS_FRICTION_3D_ADMM},
    {"prox", SICONOS_FRICTION_3D_PROX},     {"vi_eg", SICONOS_FRICTION_3D_VI_EG}};

// Siconos keeps 3 by 3 blocks; the copy is made before the clock runs.
inline FrictionContactProblem* make_siconos_problem(const ConeProblem& problem) {
  const int n = problem.num_rows();
  NumericsMatrix* sparse = NM_create(NM_SPARSE, n, n);
  NM_triplet_alloc(sparse, static_cast<CS_INT>(problem.W.values.size()));
  for (int a = 0; a < problem.num_blocks(); ++a) {
    for (int e = problem.W.row_begin[a]; e < problem.W.row_begin[a + 1]; ++e) {
      for (int k = 0; k < 9; ++k) {
        NM_zentry(sparse, 3 * a + k % 3, 3 * problem.W.col[e] + k / 3, problem.W.entry(e)[k], 0.0);
      }
    }
  }
  NumericsMatrix* blocks = NM_create(NM_SPARSE_BLOCK, n, n);
  SBM_from_csparse(3, NM_csc(sparse), blocks->matrix1);
  NM_clear(sparse);
  return frictionContactProblem_new_with_data(3, problem.num_blocks(), blocks,
                                              const_cast<double*>(problem.q.data()),
                                              const_cast<double*>(problem.mu.data()));
}

}  // namespace tenpin::complementarity::cone
