// Directions and orientations in the notations of a scene.
#pragma once

#include <string>

#include "math/types.h"
#include "scene/node.h"
#include "scene/problem_list.h"

namespace tenpin::scene {

// A value this close to unit length or orthogonality is kept bit for bit, so that a written scene
// reads back unchanged. Rounding alone causes less than a tenth of this.
inline constexpr double kUnitSlack = 1e-14;

// -   How far a quaternion or matrix may be from a rotation; beyond this it counts as a mistake.
inline constexpr double kRotationTolerance = 1e-6;

// Reads a vector of any non-zero length and scales it to one.
[[nodiscard]] Vec3 read_direction(const Node& node, const std::string& path, ProblemList* problems);

// [w, x, y, z], {axis, degrees}, {axis, radians} or {matrix}; the identity if there is a problem.
[[nodiscard]] Quat read_quaternion(const Node& node, const std::string& path,
                                   ProblemList* problems);
[[nodiscard]] Mat3 read_rotation(const Node& node, const std::string& path, ProblemList* problems);

}  // namespace tenpin::scene
