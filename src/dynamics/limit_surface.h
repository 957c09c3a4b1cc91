// Friction as a general convex set: the forces that a contact can resist, per unit of its normal
// load. [ST00, §2] only requires that, for a given load, friction is an element of a convex set.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "math/types.h"

namespace tenpin::dynamics {

// A limit surface. Coordinates are (along, across, spin): two force components divided by the load,
// without unit, and the moment about the normal divided by the load, in m. All are divided by `mu`,
// so that the friction of a contact is mu c_n times an element of the set, as with an ordinary
// coefficient.
struct LimitSurface {
  enum class Kind { kPolytope, kEllipsoid };
  Kind kind = Kind::kPolytope;
  double mu = 0.0;                // -   largest friction force of the set
  double radius = 0.0;            // m   largest moment over mu; 0: spin is free
  std::vector<Vec3> points = {};  // kPolytope: their convex hull is the set
  std::vector<Vec3> facets = {};  // kPolytope: the set is n'x <= 1 for each of these n
  Mat3 axes = Mat3::Zero();       // kEllipsoid: conjugate semi-axes, columns
  Mat3 axes_inv = Mat3::Zero();   // kEllipsoid
};

// Makes the hull of `points`. If all points have spin 0, the set is a polygon, and spin is free. If
// zero is not inside the set, `problem` says so and the result is empty.
[[nodiscard]] LimitSurface make_polytope(std::span<const Vec3> points, std::string* problem);
// Makes the set { sum b_i axis_i : |b| <= 1 } with the columns of `axes`.
[[nodiscard]] LimitSurface make_ellipsoid(const Mat3& axes, std::string* problem);

// The surface with every coordinate multiplied by the sign given for it, +1 or -1.
[[nodiscard]] LimitSurface reflect(const LimitSurface& limit, const Vec3& signs);

// -   The smallest s for which `friction` is in s times the set.
[[nodiscard]] double calc_gauge(const LimitSurface& limit, const Vec3& friction);
// m/s   The largest dissipation against a slip (along, across: m/s, spin: rad/s) by friction in the
// set: the support function at -slip.
[[nodiscard]] double calc_best_dissipation(const LimitSurface& limit, const Vec3& slip);

}  // namespace tenpin::dynamics
