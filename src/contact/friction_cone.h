// The friction cone of a contact, polyhedral or round.   [ST00, eq. (3)]
#pragma once

#include <vector>

#include "contact/contact.h"
#include "contact/jacobian.h"

namespace tenpin::contact {

// A generator d_j of the cone in the contact's coordinates (t1, t2, spin).
using Generator = Vec3;

// True if friction resists any slip at the contact.
[[nodiscard]] bool has_friction(const Contact& contact);

// The directions d_j of all kinds of contacts, for a given number of directions in space. Isotropic
// friction has unit directions, anisotropic friction has directions of different lengths, and
// resistance to spin adds a pair of moments; for a polytope, its vertices are the generators. All
// are convex limit surfaces in the sense of [ST00, §2].
class FrictionCone {
 public:
  // `phase` rotates the directions by that fraction of the angle between them.
  FrictionCone(int num_directions, double phase);
  // The round cone: it has no generators, and its gauge and dissipation are those of a circle or
  // ellipse. With resistance to spin they are those of an ellipsoid, which contains the double
  // pyramid of the generators.
  [[nodiscard]] static FrictionCone round() { return {0, 0.0}; }

  // The number of generators of one contact, zero without friction. Friction impulses are sum
  // beta_j d_j with beta >= 0 and sum beta_j <= mu c_n.
  int count(const Contact& contact) const;
  // Unit directions in space, equally spaced; none for a round cone.
  const std::vector<Vec2>& directions() const { return directions_; }
  [[nodiscard]] Generator generator(const Contact& contact, int j) const;

  // The smallest sum beta_j that gives the impulse (t1, t2, spin); at most mu c_n inside the cone.
  [[nodiscard]] double calc_gauge(const Contact& contact, const Vec3& impulse) const;
  // max_j -d_j'u: the dissipation rate of the most dissipative friction with sum beta = 1.
  [[nodiscard]] double calc_best_dissipation(const Contact& contact, const Vec3& velocity) const;

 private:
  std::vector<Vec2> directions_;  // unit, equally spaced
};

}  // namespace tenpin::contact
