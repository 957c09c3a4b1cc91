// Frictionless collisions at several contacts in the same instant.   [B89, §8]
//   paper   here           meaning
//   v-_i    v[i]           normal velocity at contact i before, negative when approaching
//   v+_i    v_after[i]     after
//   j_i     impulse[i]     normal impulse
//   eps_i   restitution    of contact i
// The two models agree for one contact, and differ for several: see [B89, Fig. 11].
#pragma once

#include "complementarity/lemke.h"

namespace tenpin::impact {

struct Collision {
  MatX W;            // 1/kg   J M^-1 J' of the normals
  VecX v;            // m/s
  VecX restitution;  // -      0 ... 1
};

struct CollisionSolution {
  complementarity::SolveStatus status = complementarity::SolveStatus::kResidual;
  VecX impulse;        // N s   summed over rounds
  VecX v_after;        // m/s
  int num_rounds = 0;  // simultaneous: problems solved; propagation: impulses applied
};

// Applies all impulses at once: v+ + eps v- >= 0, j >= 0, j (v+ + eps v-) = 0.
// [B89, eq. (28)-(29)] Separating contacts are left out; if impulses drive them together, another
// round follows.
[[nodiscard]] CollisionSolution solve_simultaneous(const Collision& collision);

struct PropagationOptions {
  double tolerance =
      1e-12;  // relative to the largest initial velocity; slower approach does not count
  int max_impulses = 1'000'000;  // the status is kIterationLimit beyond this
};

// Applies one impulse at a time, always at the contact that approaches fastest (the first among
// equals), until none approaches.   [B89, eq. (27)]
[[nodiscard]] CollisionSolution solve_propagation(const Collision& collision,
                                                  const PropagationOptions& options = {});

}  // namespace tenpin::impact
