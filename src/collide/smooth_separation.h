// The separation of two cores as a function of the direction while the touching features stay the
// same, and its maxima.
#pragma once

#include <array>
#include <cmath>

#include "math/types.h"

namespace tenpin::collide {

// separation(n) = n.w - sum of r_i |P_i n|, with P_i the projection along cylinder i's axis.
struct SmoothSeparation {
  Vec3 w = Vec3::Zero();             // m   from A's vertex (or centre of a rim) to B's
  std::array<Vec3, 2> axes;          // -   of the rims
  std::array<double, 2> radii = {};  // m
  int num_rims = 0;

  void add_rim(const Vec3& axis, double radius) {
    axes[num_rims] = axis;
    radii[num_rims++] = radius;
  }
};

// Constraint on a direction that is limited by a line that touches with its whole length: it is
// orthogonal to an edge or to the axis of a cylinder, or at a fixed angle from the axis of a
// cone.
struct Crease {
  Vec3 line = Vec3::Zero();  // -   unit, or zero: no limit
  double height = 0.0;       // -   of the direction along the line

  // The direction whose part across the line is along `across`.
  Vec3 calc_direction(const Vec3& across) const {
    return height * line + std::sqrt(1.0 - height * height) * across.normalized();
  }
};

// For the features of f alone: other features can only reduce the separation of the cores.
[[nodiscard]] double calc_separation(const SmoothSeparation& f, const Vec3& n);

// The maximum near n over the circle of directions that `crease` allows; n lies on it.
[[nodiscard]] Vec3 maximise_on_circle(const SmoothSeparation& f, const Crease& crease,
                                      const Vec3& n);

// The direction between a vertex and the only rim, on the side of n.
[[nodiscard]] Vec3 solve_rim_vertex(const SmoothSeparation& f, const Vec3& n);

// Projects n onto the meridian plane of the rim's point nearest to the vertex: where both touch,
// every direction in that plane is valid.
[[nodiscard]] Vec3 project_on_meridian(const SmoothSeparation& f, const Vec3& n);

// Candidate directions between two rims, one of which is the maximum: from the rims' extreme points
// along n and, for nearly parallel caps, from both crossings.
struct RimDirections {
  std::array<Vec3, 3> items;
  int count = 0;
};
[[nodiscard]] RimDirections solve_rims(const SmoothSeparation& f, const Vec3& n);

}  // namespace tenpin::collide
