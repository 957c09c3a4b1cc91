// The impact of a ball with a ball or a plane, in closed form and in three dimensions. The normal
// impulse acts through the centres and never changes the slip: W_tn = 0, the slip keeps its
// direction until it ends, the normal velocity does not depend on friction, and the laws of Newton,
// Poisson and Stronge agree.
#pragma once

#include <algorithm>
#include <cmath>

#include "math/types.h"

namespace tenpin::impact {

struct SphereContact {
  double W_nn = 0.0;  // 1/kg   sum of 1/mass
  double W_tt = 0.0;  // 1/kg   sum of 1/mass + radius^2/inertia; 3.5 W_nn for solid balls
  Vec3 v;             // m/s    contact velocity before, z along the normal
};

// The impulse (N s); zero if nothing approaches. The code has no branches.
[[nodiscard]] inline Vec3 solve_sphere(const SphereContact& contact, double mu,
                                       double restitution) {
  const double p_n = std::max(-(1.0 + restitution) * contact.v[2] / contact.W_nn, 0.0);
  const double slip = std::sqrt(contact.v[0] * contact.v[0] + contact.v[1] * contact.v[1]);
  // Friction either slides throughout, or ends the slip and then vanishes. It is computed per unit
  // of slip, so that zero slip needs no special case: the quotient is limited before it is used.
  const double p_slide = mu * p_n / std::max(slip, 1e-300);
  const double p_stop = p_n > 0.0 ? 1.0 / contact.W_tt : 0.0;
  const double p_t = -std::min(p_slide, p_stop);
  return {p_t * contact.v[0], p_t * contact.v[1], p_n};
}

}  // namespace tenpin::impact
