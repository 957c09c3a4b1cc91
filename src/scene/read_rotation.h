// Directions and orientations as a scene may give them.
#pragma once

#include <string>

#include "math/types.h"
#include "scene/node.h"
#include "scene/problem_list.h"

namespace tenpin::scene {

// Within this of unit length or of orthogonality a value stays as it is, bit for bit, so that what
// has been written reads back unchanged. Rounding alone leaves less than a tenth of it.
inline constexpr double kUnitSlack = 1e-14;

// How far a quaternion or matrix may be from a rotation; beyond, it is taken for a mistake.
inline constexpr double kRotationTolerance = 1e-6;

// A vector of any length but zero, scaled to one.
[[nodiscard]] Vec3 read_direction(const Node& node, const std::string& path, ProblemList* problems);

// [w, x, y, z], {axis, degrees}, {axis, radians} or {matrix}; the identity after a problem.
[[nodiscard]] Quat read_quaternion(const Node& node, const std::string& path,
                                   ProblemList* problems);
[[nodiscard]] Mat3 read_rotation(const Node& node, const std::string& path, ProblemList* problems);

}  // namespace tenpin::scene
