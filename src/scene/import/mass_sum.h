// Adds, transforms and corrects mass properties.
#pragma once

#include "math/pose.h"
#include "shapes/mass_properties.h"
#include "shapes/triangle_mesh.h"

namespace tenpin::scene {

using shapes::MassProperties;

// The same mass expressed in frame A, in which B has the pose X_AB.
[[nodiscard]] MassProperties place_mass(const MassProperties& in_B, const Pose& X_AB);

// The sum of both. A summand without mass changes nothing.
[[nodiscard]] MassProperties add_mass(const MassProperties& a, const MassProperties& b);

// Mass properties of the solid bounded by a mesh, at unit density. The mesh must be welded and
// closed.
[[nodiscard]] MassProperties calc_mesh_mass(const shapes::TriangleMesh& mesh);

// MuJoCo's default for any mesh: adds the tetrahedra from a point inside to every triangle, all
// with positive volume, so that folds count twice. For the centre of mass the point is the centre
// of the surface; for volume and inertia it is that centre of mass.
[[nodiscard]] MassProperties calc_legacy_mesh_mass(const shapes::TriangleMesh& mesh);

// Mass properties of the surface, at 1 kg/m^2.
[[nodiscard]] MassProperties calc_shell_mass(const shapes::TriangleMesh& mesh);

// The inertia with principal moments raised to at least `least`. If `balance`, all moments are set
// to their mean where one is larger than the sum of the others.
[[nodiscard]] Mat3 mend_inertia(const Mat3& inertia, double least, bool balance);

}  // namespace tenpin::scene
