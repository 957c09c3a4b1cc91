// Checks the contact law, using impulses and velocities alone.
#pragma once

#include "contact/contact.h"
#include "contact/friction_cone.h"
#include "contact/jacobian.h"

namespace tenpin::contact {

// The data from which the law of one contact is checked. They contain no variables of the solver,
// only its result.
struct LawSample {
  ContactVector impulse;   // N s    on b
  double given = 0.0;      // N s    part of the normal impulse that the law did not determine
  ContactVector velocity;  // m/s    of b relative to a, after the step
  double required = 0.0;   // m/s    least required normal velocity
  double mu = 0.0;         // -      as used in the step
  double mobility = 0.0;   // 1/kg   mean diagonal entry of the contact's own Delassus block
  double speed = 0.0;      // m/s    scale of the step's velocities
};

struct LawCheck {
  double residual = 0.0;        // -    worst violation, as a velocity relative to `speed`
  double cone_violation = 0.0;  // N s  friction beyond mu c_n
  double dissipation_gap =
      0.0;  // J    shortfall from the most that friction could dissipate   [ST00, §3.1]
};

// Checks nonpenetration with complementarity (7), (10); the friction cone (9); maximum dissipation
// (8), (11), (12), which is the maximum work inequality.   [ST00, eq. (7)-(12)]
[[nodiscard]] LawCheck certify_law(const Contact& contact, const FrictionCone& cone,
                                   const LawSample& sample);

}  // namespace tenpin::contact
