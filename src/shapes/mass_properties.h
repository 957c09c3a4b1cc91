// Mass, centre and inertia of solids of uniform density; principal axes; what makes an inertia
// real.
#pragma once

#include <span>

#include "shapes/shape.h"

namespace tenpin::shapes {

struct MassProperties {
  double mass = 0.0;            // kg
  Vec3 center = Vec3::Zero();   // m        centre of mass, in the body frame
  Mat3 inertia = Mat3::Zero();  // kg m^2   about the centre of mass, along the body's axes
};

// Sums the parts as if they did not overlap; exact up to rounding for every shape. A Plane has no
// finite mass, no parts have none at all, and the density must be positive: else InputError.
[[nodiscard]] MassProperties calc_mass_properties(std::span<const PlacedShape> parts,
                                                  double density);

// The same distribution with another total mass, as when the user weighs the body.
[[nodiscard]] MassProperties with_mass(const MassProperties& properties, double mass);

// Throws InputError, with the moments printed, unless `inertia` (about the centre of mass) can
// belong to a rigid body of positive mass: symmetric, positive definite, and no principal moment
// larger than the sum of the other two. Equality is a flat body, and passes within kInertiaSlack.
void validate_inertia(double mass, const Mat3& inertia);

// -   Relative to the largest moment; covers the rounding of inertias given in decimals or rotated.
inline constexpr double kInertiaSlack = 1e-12;

struct PrincipalAxes {
  Mat3 R = Mat3::Identity();    // -        columns are the axes; right-handed
  Vec3 moments = Vec3::Zero();  // kg m^2   inertia = R diag(moments) R^T
};

// Identity and the given order if `inertia` is diagonal already; else moments ascending, with the
// largest component of the first two axes positive. The same matrix always gives the same axes.
[[nodiscard]] PrincipalAxes principal_axes(const Mat3& inertia);

}  // namespace tenpin::shapes
