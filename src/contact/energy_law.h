// What contacts may do to the energy, checked on impulses and velocities alone.
#pragma once

#include <span>

#include "contact/jacobian.h"

namespace tenpin::contact {

// One contact of a step or an impact.
struct WorkSample {
  ContactVector impulse = ContactVector::Zero();  // N s   on b
  ContactVector before = ContactVector::Zero();   // m/s   velocity of b past a, before the impulse
  ContactVector after = ContactVector::Zero();    // m/s   and after it
  // m/s   What smooth forces and the turning of bodies change of it in the step. In an impact: 0.
  double slack = 0.0;
};

// J   What the impulse gives the bodies: exact, since velocities follow impulses linearly.
[[nodiscard]] inline double calc_contact_work(const WorkSample& x) {
  return 0.5 * x.impulse.dot(x.before + x.after);
}

// J   What contacts that act on each other have done beyond what restitution up to 1 and friction
// allow, which is nothing: the sum of their works may not be positive. Contacts of one island act
// at once, so the law says nothing of one of them alone: a ball that passes on its momentum gains
// at one contact what it loses at another.
//
// A step of first order meets the law at its end and knows the velocity at its start: half of what
// the step itself changes, times the impulse, is its truncation error, and allowed.
//
// Up to `tolerance` of impulse times `speed` (m/s) is rounding, or the solver's tolerance: then 0.
[[nodiscard]] double calc_excess_work(std::span<const WorkSample> samples,
                                      std::span<const int> island, double speed, double tolerance);

// J   Of friction's work along a straight path between both ends, the part that friction cannot
// have done: it never works. Only the sum of normal and friction work of such a path is exact.
[[nodiscard]] inline double calc_misplaced_friction_work(double friction_work) {
  return friction_work > 0.0 ? friction_work : 0.0;
}

}  // namespace tenpin::contact
