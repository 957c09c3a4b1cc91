// What a core shows to somebody who looks at it along a direction: the vertex, edges, rim or side
// that may bear a contact across that direction.
#pragma once

#include <array>
#include <cstdint>

#include "collide/core.h"
#include "math/pose.h"

namespace tenpin::collide {

// Faces this close to orthogonal to the direction show all their edges.
constexpr double kFaceCosine = 1.0 - 1e-10;

// An edge of a polytope or a line of a cylinder's side; without length, a vertex or a rim's point.
struct ShownSegment {
  std::array<Vec3, 2> ends = {Vec3::Zero(), Vec3::Zero()};  // m   A's frame
  std::array<std::uint32_t, 2> end_ids = {};
  std::uint32_t id = 0;  // of its inside
  double slant = 0.0;    // -   sine of the angle to the plane across the direction
  bool is_point = false;

  std::uint32_t id_at(double s) const { return s == 0.0 || is_point ? end_ids[0] : inner_id(s); }
  std::uint32_t inner_id(double s) const { return s == 1.0 ? end_ids[1] : id; }
};

struct ShownRim {
  Vec3 centre = Vec3::Zero();  // m   A's frame
  Vec3 axis = Vec3::UnitZ();   // -
  double radius = 0.0;         // m   0: there is no rim
  std::uint32_t id = 0;
};

// Segments closest to orthogonal to the direction first.
struct Shown {
  static constexpr int kMaxSegments = 12;
  std::array<ShownSegment, kMaxSegments> segments;
  int count = 0;
  ShownRim rim;  // the one that is farther out

  void insert(const ShownSegment& segment);
};

// `n` is outward and in the core's frame; `vertex` is where a walk on a mesh starts.
[[nodiscard]] Shown find_shown(const Core& core, const Pose& X_AC, const Vec3& n, int vertex);

}  // namespace tenpin::collide
