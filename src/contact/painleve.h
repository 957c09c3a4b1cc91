// Tests for Painlevé's paradox: a sliding contact that no finite force can keep from penetrating.
#pragma once

#include "contact/contact.h"
#include "contact/jacobian.h"
#include "dynamics/kinematics.h"

namespace tenpin::contact {

struct Painleve {
  double A = 0.0;  // 1/kg   normal acceleration per unit of normal force, friction included
  double b = 0.0;  // m/s^2  normal acceleration without the force of this contact
  bool no_solution = false;  // A < 0 and b < 0: no force f >= 0 makes A f + b >= 0
};

// Tests one contact that slides with velocity u at an instant: A = n'M^-1(n - mu t), with t the
// direction of slip and W the contact's own Delassus block. A slip no faster than `slow` (m/s) has
// no significant direction: friction may stop it within the step, so there is no paradox.
[[nodiscard]] Painleve calc_painleve(double mu, const ContactBlock& W, const ContactVector& u,
                                     double free_gap_acceleration, double slow);

struct FreeBody {
  Pose X;             // pose
  dynamics::Twist V;  // velocity
  dynamics::Twist A;  // acceleration without contact
};

struct FreeAcceleration {
  double gap = 0.0;  // m/s^2   second derivative of the gap
  // m/s^2   size of the points' relative acceleration and of the curvature terms
  double size = 0.0;
};

// The acceleration of the gap between two free bodies. Rounded surfaces are represented by their
// cores. The normal between two round surfaces turns with their centres; any other normal counts as
// fixed.
[[nodiscard]] FreeAcceleration calc_free_acceleration(const Contact& contact, const FreeBody& a,
                                                      const FreeBody& b);

}  // namespace tenpin::contact
