// Checks the work of contacts, using impulses and velocities alone.
#pragma once

#include <span>

#include "contact/jacobian.h"

namespace tenpin::contact {

// One contact of a step or an impact.
struct WorkSample {
  ContactVector impulse = ContactVector::Zero();  // N s   on b
  // m/s   velocity of b relative to a, before the impulse
  ContactVector before = ContactVector::Zero();
  ContactVector after = ContactVector::Zero();  // m/s   and after it
  // m/s   Change of the velocity by smooth forces and rotation of the bodies during the step; 0 in
  // an impact.
  double slack = 0.0;
};

// J   The work of the impulse on the bodies: exact, because velocities are linear in impulses.
[[nodiscard]] inline double calc_contact_work(const WorkSample& x) {
  return 0.5 * x.impulse.dot(x.before + x.after);
}

// J   The work of coupled contacts beyond what restitution up to 1 and friction allow: the sum of
// their work must not be positive. Contacts of one island act at the same time, so the law says
// nothing about a single contact: a ball that transmits momentum gains energy at one contact and
// loses the same amount at another.
//
// The impulses of a first-order step satisfy the law for the velocity at its end, but the work also
// depends on the velocity at its start. Half of the change during the step, times the impulse, is
// the truncation error, and is allowed.
//
// Work of up to `tolerance` times impulse times `speed` (m/s) counts as rounding or solver error,
// and gives 0.
[[nodiscard]] double calc_excess_work(std::span<const WorkSample> samples,
                                      std::span<const int> island, double speed, double tolerance);

// J   Friction never does positive work, so positive friction work along a straight path between
// both velocities is misplaced: on such a path only the sum of normal and friction work is exact.
// Returns this positive part.
[[nodiscard]] inline double calc_misplaced_friction_work(double friction_work) {
  return friction_work > 0.0 ? friction_work : 0.0;
}

}  // namespace tenpin::contact
