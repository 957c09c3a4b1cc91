// The separation of two cores as a function of the direction while the touching features stay the
// same, and its maxima.
#pragma once

#include <array>

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

// The separation of the features of f alone: other features can only reduce the separation of the
// cores.
[[nodiscard]] double calc_separation(const SmoothSeparation& f, const Vec3& n);

// The maximum near n over the great circle orthogonal to `crease`; n lies on it.
[[nodiscard]] Vec3 maximise_on_circle(const SmoothSeparation& f, const Vec3& crease, const Vec3& n);

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
