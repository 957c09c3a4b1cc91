// Pairs of shapes whose closest points have a closed form: spheres and capsules with each other,
// and spheres with boxes and cylinders.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collide/manifold.h"

namespace tenpin::collide {

// The point of a solid's surface nearest to a given point, in the solid's frame. For a point
// inside, the direction is the shortest way out.
struct SurfacePoint {
  Vec3 p = Vec3::Zero();        // m
  Vec3 normal = Vec3::UnitZ();  // -   outward unit
  double gap = 0.0;             // m   of the given point, negative inside
  std::uint32_t feature = 0;
};

// For a box without its rounding.
[[nodiscard]] SurfacePoint calc_nearest(const shapes::Box& box, const Vec3& x);
[[nodiscard]] SurfacePoint calc_nearest(const shapes::Cylinder& cylinder, const Vec3& x);

// A segment with a rounding radius in the world frame: spheres (both ends equal) and capsules.
struct RoundSegment {
  std::array<Vec3, 2> ends = {Vec3::Zero(), Vec3::Zero()};  // m
  double radius = 0.0;                                      // m
  bool is_point = false;
};

[[nodiscard]] RoundSegment make_round(const shapes::Sphere& sphere, const Pose& X_WS);
[[nodiscard]] RoundSegment make_round(const shapes::Capsule& capsule, const Pose& X_WC);

// A pair of points on two axes, by coordinates from 0 at end 0 to 1 at end 1; exact at the ends.
struct AxisPair {
  double s = 0.0;
  double t = 0.0;

  bool operator==(const AxisPair&) const = default;
};

// The closest points of the axes.
[[nodiscard]] AxisPair find_closest(const RoundSegment& A, const RoundSegment& B);

// The single closest pair of points.
[[nodiscard]] ContactPoint calc_closest(const RoundSegment& A, const RoundSegment& B);

// If the axes are nearly parallel, appends contacts at the ends of the common part, each with its
// own normal. Also appends the closest pair, unless it is one of these.
void append_round_manifold(const RoundSegment& A, const RoundSegment& B, double margin,
                           std::vector<ContactPoint>* points);

}  // namespace tenpin::collide
