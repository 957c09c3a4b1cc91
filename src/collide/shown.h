// The features of a core that are visible along a direction: the vertex, edges, rim or side that
// may carry a contact in that direction.
#pragma once

#include <array>
#include <cstdint>

#include "collide/core.h"
#include "math/pose.h"

namespace tenpin::collide {

// A face this close to orthogonal to the direction contributes all its edges.
constexpr double kFaceCosine = 1.0 - 1e-10;

// An edge of a polytope or a line on the side of a cylinder or cone. With zero length: a vertex or
// a point of a rim.
struct ShownSegment {
  std::array<Vec3, 2> ends = {Vec3::Zero(), Vec3::Zero()};  // m   A's frame
  std::array<std::uint32_t, 2> end_ids = {};
  std::uint32_t id = 0;  // feature of its interior
  double slant = 0.0;    // -   sine of the angle to the plane orthogonal to the direction
  bool is_point = false;

  std::uint32_t id_at(double s) const { return s == 0.0 || is_point ? end_ids[0] : inner_id(s); }
  std::uint32_t inner_id(double s) const { return s == 1.0 ? end_ids[1] : id; }
};

struct ShownRim {
  Vec3 centre = Vec3::Zero();  // m   A's frame
  Vec3 axis = Vec3::UnitZ();   // -
  double radius = 0.0;         // m   0 if there is no rim
  std::uint32_t id = 0;
};

// The visible features. Segments closest to orthogonal to the direction come first.
struct Shown {
  static constexpr int kMaxSegments = 12;
  std::array<ShownSegment, kMaxSegments> segments;
  int count = 0;
  ShownRim rim;  // the outer rim

  void insert(const ShownSegment& segment);
};

// Finds the visible features. `n` is outward and in the core's frame; walks on a mesh start at
// `vertex`.
[[nodiscard]] Shown find_shown(const Core& core, const Pose& X_AC, const Vec3& n, int vertex);

}  // namespace tenpin::collide
