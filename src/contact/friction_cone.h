// The friction cone of a contact, polyhedral or round.   [ST00, eq. (3)]
#pragma once

#include <vector>

#include "contact/contact.h"
#include "contact/jacobian.h"

namespace tenpin::contact {

// A generator d_j of the cone in the coordinates (t1, t2, spin) of its contact.
using Generator = Vec3;

// Whether any slip meets friction.
[[nodiscard]] bool has_friction(const Contact& contact);

// The directions d_j of every kind of contact, for a number of directions in space. Isotropic
// friction has unit directions, anisotropic friction directions of varying length, and resistance
// to spin adds a pair of moments: all are convex limit surfaces in the sense of [ST00, §2].
class FrictionCone {
 public:
  // Phase turns the directions by that fraction of their spacing.
  FrictionCone(int num_directions, double phase);
  // The round cone itself: no generators, gauge and dissipation of a circle or ellipse, and with
  // resistance to spin of an ellipsoid, in which the generators span a double pyramid.
  [[nodiscard]] static FrictionCone round() { return {0, 0.0}; }

  // Generators of one contact, none without friction; friction impulses are sum beta_j d_j with
  // beta >= 0 and sum beta_j <= mu c_n.
  int count(const Contact& contact) const;
  // Unit directions in space, equally spaced; none if the cone is round.
  const std::vector<Vec2>& directions() const { return directions_; }
  [[nodiscard]] Generator generator(const Contact& contact, int j) const;

  // The least sum beta_j that makes the impulse (t1, t2, spin): below or at mu c_n inside the cone.
  [[nodiscard]] double calc_gauge(const Contact& contact, const Vec3& impulse) const;
  // max_j -d_j'u: the rate at which the best choice of friction with sum beta = 1 dissipates.
  [[nodiscard]] double calc_best_dissipation(const Contact& contact, const Vec3& velocity) const;

 private:
  std::vector<Vec2> directions_;  // unit, equally spaced
};

}  // namespace tenpin::contact
