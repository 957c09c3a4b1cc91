#include "collide/rim_rim.h"

#include <algorithm>
#include <cmath>

#include "collide/tolerances.h"

namespace tenpin::collide {
namespace {

Vec3 reject(const Vec3& v, const Vec3& axis) {
  return v - axis.dot(v) * axis;
}

// The unit vector from the centre of a circle to its point nearest to x.
Vec3 calc_radial(const Circle& circle, const Vec3& x) {
  const Vec3 radial = reject(x - circle.centre, circle.axis);
  const double length = radial.norm();
  if (length > 0.0) return reject(radial / length, circle.axis).normalized();
  return circle.axis.unitOrthogonal();
}

// The radial direction, rotated by an angle whose tangent is `turn`.
Vec3 turned(const Vec3& radial, const Vec3& tangent, const Vec3& axis, double turn) {
  return reject(radial + turn * tangent, axis).normalized();
}

}  // namespace

CirclePoints solve_circles(const Circle& A, const Circle& B, const Vec3& start_A,
                           const Vec3& start_B) {
  Vec3 u_A = calc_radial(A, start_A);
  Vec3 u_B = calc_radial(B, start_B);
  CirclePoints points;
  for (int k = 0;; ++k) {
    points.t_A = A.axis.cross(u_A);
    points.t_B = B.axis.cross(u_B);
    points.a = A.centre + A.radius * u_A;
    points.b = B.centre + B.radius * u_B;
    if (k == kMaxRimSteps) return points;
    // Solves t_A.w = t_B.w = 0 for w = b - a, over the angles of both points.
    const Vec3 w = points.b - points.a;
    const double cosine = points.t_A.dot(points.t_B);
    const double f_A = points.t_A.dot(w);
    const double f_B = points.t_B.dot(w);
    const double J_aa = -A.radius - u_A.dot(w);
    const double J_ab = B.radius * cosine;
    const double J_ba = -A.radius * cosine;
    const double J_bb = B.radius - u_B.dot(w);
    const double det = J_aa * J_bb - J_ab * J_ba;
    if (det == 0.0) return points;
    const double turn_A = (-f_A * J_bb + f_B * J_ab) / det;
    const double turn_B = (-f_B * J_aa + f_A * J_ba) / det;
    const double largest = std::max(std::abs(turn_A), std::abs(turn_B));
    if (!(largest > kSettledRim)) return points;
    const double scale = largest > kMaxRimTurn ? kMaxRimTurn / largest : 1.0;
    u_A = turned(u_A, points.t_A, A.axis, scale * turn_A);
    u_B = turned(u_B, points.t_B, B.axis, scale * turn_B);
  }
}

CircleCrossing find_crossing(const Circle& A, const Circle& B) {
  const Vec3 between = reject(B.centre - A.centre, B.axis);
  const double distance = between.norm();
  const Vec3 x = distance > 0.0 ? Vec3(between / distance) : B.axis.unitOrthogonal();
  const Vec3 y = B.axis.cross(x);
  // The triangle of both centres and the crossing is known by its three sides.
  const double along =
      distance > 0.0 ? 0.5 * (distance + (A.radius - B.radius) * ((A.radius + B.radius) / distance))
                     : A.radius;
  const double clamped = std::clamp(along, -A.radius, A.radius);
  const double aside = std::sqrt((A.radius - clamped) * (A.radius + clamped));
  return {.first = A.centre + clamped * x + aside * y,
          .second = A.centre + clamped * x - aside * y};
}

}  // namespace tenpin::collide
