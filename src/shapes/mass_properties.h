// Mass, centre and inertia of solids of uniform density; principal axes; and a check that an
// inertia is physically possible.
#pragma once

#include <span>

#include "shapes/shape.h"

namespace tenpin::shapes {

struct MassProperties {
  double mass = 0.0;            // kg
  Vec3 center = Vec3::Zero();   // m        centre of mass, in the body frame
  Mat3 inertia = Mat3::Zero();  // kg m^2   about the centre of mass, along the body's axes
};

// The mass properties of the union of the parts as if they did not overlap; exact to rounding for
// every shape. Throws InputError for a Plane, whose mass is infinite, for an empty list and for a
// density that is not positive.
[[nodiscard]] MassProperties calc_mass_properties(std::span<const PlacedShape> parts,
                                                  double density);

// The same distribution scaled to another total mass, for bodies whose mass the user gives.
[[nodiscard]] MassProperties with_mass(const MassProperties& properties, double mass);

// Throws InputError with the principal moments unless `inertia` (about the centre of mass) can
// belong to a rigid body of positive mass: it must be symmetric and positive definite, and no
// principal moment may be larger than the sum of the other two. Equality means a flat body and
// passes within kInertiaSlack.
void validate_inertia(double mass, const Mat3& inertia);

// -   relative to the largest moment; covers the rounding of inertias given in decimals or rotated
inline constexpr double kInertiaSlack = 1e-12;

struct PrincipalAxes {
  Mat3 R = Mat3::Identity();    // -        columns are the axes; right-handed
  Vec3 moments = Vec3::Zero();  // kg m^2   inertia = R diag(moments) R^T
};

// Computes principal axes. If `inertia` is already diagonal, the axes are the identity and the
// moments keep their order. Otherwise the moments ascend, and the largest component of each of the
// first two axes is positive. The same matrix always gives the same axes.
[[nodiscard]] PrincipalAxes principal_axes(const Mat3& inertia);

}  // namespace tenpin::shapes
