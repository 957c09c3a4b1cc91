// Where two points, lines or circles are closest, and how these points move along them as the
// bodies move.
#pragma once

#include "dynamics/kinematics.h"
#include "math/pose.h"

namespace tenpin::contact {

struct TrackedFeature;

// A feature without its rounding radius, in world axes, and one of its points.
struct CoreCurve {
  Vec3 p = Vec3::Zero();        // m
  Vec3 tangent = Vec3::Zero();  // -     zero: the core is a point
  Vec3 bend = Vec3::Zero();     // 1/m   curvature, towards the centre of a circle
  Vec3 centre = Vec3::Zero();   // m     of a circle
  Vec3 axis = Vec3::Zero();     // -     of a circle; zero: the core is straight
  double radius = 0.0;          // m     of a circle

  // Moves the point along the curve by about s (m).
  void move_by(double s);
};

// Makes the curve of a feature, with its point closest to `near` (m, world).
[[nodiscard]] CoreCurve make_core_curve(const TrackedFeature& feature, const Pose& X_WB,
                                        const Vec3& near);

// Moves both points to where the curves are closest, starting from the current points.
void find_closest(CoreCurve* first, CoreCurve* second);

// The unit normal from the first curve to the second, on the same side as n_old. Curves without
// rounding can intersect, so their normal is orthogonal to both; otherwise it points from one point
// to the other.
[[nodiscard]] Vec3 calc_normal(const CoreCurve& first, const CoreCurve& second, bool is_sharp,
                               const Vec3& n_old);

// A measure of how well the closest points are determined: 0 for curves that run along each other
// with the same curvature.
[[nodiscard]] double calc_distinctness(const CoreCurve& first, const CoreCurve& second);

// Angular velocities of the curves' bodies, and velocities (m/s) of the bodies' points that are now
// closest.
struct CoreMotion {
  Vec3 w_first, w_second;
  Vec3 v_first, v_second;
};
struct CoreWandering {
  Vec3 n_dot;                    // 1/s
  Vec3 slip_first, slip_second;  // m/s   of the closest points along their own curves
};

// Computes the rates from p_second - p_first = D n, which holds at all times, and from n being
// orthogonal to both curves.
[[nodiscard]] CoreWandering calc_wandering(const CoreCurve& first, const CoreCurve& second,
                                           const Vec3& n, bool is_sharp, const CoreMotion& motion);

}  // namespace tenpin::contact
