// Checks the work of contacts from impulses and velocities alone.
#pragma once

#include <span>

#include "contact/jacobian.h"

namespace tenpin::contact {

// One contact of a step or an impact.
struct WorkSample {
  ContactVector impulse = ContactVector::Zero();  // N s   on b
  ContactVector before = ContactVector::Zero();   // m/s   velocity of b past a, before the impulse
  ContactVector after = ContactVector::Zero();    // m/s   and after it
  // m/s   Change by smooth forces and rotation of the bodies during the step. In an impact: 0.
  double slack = 0.0;
};

// J   The work of the impulse on the bodies: exact, because velocities are linear in impulses.
[[nodiscard]] inline double calc_contact_work(const WorkSample& x) {
  return 0.5 * x.impulse.dot(x.before + x.after);
}

// J   The work of coupled contacts beyond what restitution up to 1 and friction allow: the sum of
// their work must not be positive. Contacts of one island act at the same time, so the law says
// nothing about a single one of them: a ball that transmits momentum gains at one contact what it
// loses at another.
//
// A first-order step satisfies the law at its end but knows the velocity at its start. Half of the
// change during the step, times the impulse, is its truncation error, and is allowed.
//
// Up to `tolerance` of impulse times `speed` (m/s) counts as rounding or solver tolerance, and
// gives 0.
[[nodiscard]] double calc_excess_work(std::span<const WorkSample> samples,
                                      std::span<const int> island, double speed, double tolerance);

// J   The part of friction's work along a straight path between both ends that friction cannot have
// done, because it never does positive work. On such a path only the sum of normal and friction
// work is exact.
[[nodiscard]] inline double calc_misplaced_friction_work(double friction_work) {
  return friction_work > 0.0 ? friction_work : 0.0;
}

}  // namespace tenpin::contact
