// How the closest points and the normal move. Let x(n) be the point of the first feature farthest
// along n, and y(n) the point of the ellipsoid farthest along -n. They are closest where rho = y -
// x is D n. With v the velocities of the bodies' points there, and K the derivative of such a point
// by its normal (shapes/ellipsoid.h),
//   x' = v_x + K_x (n' - w_x x n),   y' = v_y - K_y (n' - w_y x n),   (y - x)' = D' n + D n',
// whose part across n is  (D + K_x + K_y) n' = v_y - v_x + K_x (w_x x n) + K_y (w_y x n). Newton's
// method for n itself uses the same matrix. On a line the normal also turns with its body.
#include "contact/smooth_contact.h"

#include <cmath>

#include "contact/tolerances.h"
#include "shapes/ellipsoid.h"

namespace tenpin::contact {

namespace {

using Kind = TrackedFeature::Kind;

Vec3 across(const Vec3& x, const Vec3& n) {
  return x - n * n.dot(x);
}

// The point farthest along n; for a line perpendicular to n, any of its points.
Vec3 calc_far_point(const TrackedFeature& f, const Pose& X, const Vec3& n) {
  if (f.kind == Kind::kSmooth) {
    const Mat3 R = X.R * f.R;
    return X * f.p + R * shapes::calc_ellipsoid_point(f.semiaxes, R.transpose() * n);
  }
  if (f.kind != Kind::kRim) return X * f.p;
  return X * f.p + f.rim * across(n, X.R * f.axis).normalized();
}

Mat3 calc_spread(const TrackedFeature& f, const Pose& X, const Vec3& n) {
  if (f.kind == Kind::kSmooth) {
    const Mat3 R = X.R * f.R;
    return R * shapes::calc_ellipsoid_spread(f.semiaxes, R.transpose() * n) * R.transpose();
  }
  if (f.kind != Kind::kRim) return Mat3::Zero();
  const Vec3 axis = X.R * f.axis;
  const Vec3 radial = across(n, axis);
  const double steepness = radial.norm();
  const Vec3 t = axis.cross(radial / steepness);
  return (f.rim / steepness) * t * t.transpose();
}

// Solves (D + K) x = b in the plane across n.
Vec3 solve_across(const Vec3& n, double D, const Mat3& K, const Vec3& b) {
  const Vec3 t1 = n.unitOrthogonal();
  const Vec3 t2 = n.cross(t1);
  const double h11 = D + t1.dot(K * t1);
  const double h22 = D + t2.dot(K * t2);
  const double h12 = t1.dot(K * t2);
  const double det = h11 * h22 - h12 * h12;
  const double b1 = t1.dot(b);
  const double b2 = t2.dot(b);
  return ((h22 * b1 - h12 * b2) * t1 + (h11 * b2 - h12 * b1) * t2) / det;
}

// Solves the same equation for a given component `along` of x along t, a unit vector across n.
Vec3 solve_about_line(const Vec3& n, const Vec3& t, double D, const Mat3& K, const Vec3& b,
                      double along) {
  const Vec3 e = n.cross(t);
  const double beta = (e.dot(b) - along * e.dot(K * t)) / (D + e.dot(K * e));
  return along * t + beta * e;
}

Vec3 calc_line(const SmoothPair& pair, const Vec3& n) {
  return across(pair.X_first.R * pair.first.axis, n).normalized();
}

}  // namespace

SmoothClosest find_smooth_closest(const SmoothPair& pair, const Vec3& n_near) {
  SmoothClosest at{.n = n_near};
  const bool is_line = pair.first.kind == Kind::kLine;
  const bool is_plane = pair.first.kind == Kind::kPlane;
  const Vec3 axis = pair.X_first.R * pair.first.axis;
  if (is_plane) at.n = axis;
  if (is_line) at.n = across(n_near, axis).normalized();
  for (int k = 0; k < kMaxSmoothSteps && !is_plane; ++k) {
    const Vec3 rho = calc_far_point(pair.second, pair.X_second, -at.n) -
                     calc_far_point(pair.first, pair.X_first, at.n);
    const Mat3 K = calc_spread(pair.second, pair.X_second, -at.n) +
                   calc_spread(pair.first, pair.X_first, at.n);
    const double D = at.n.dot(rho);
    const Vec3 step =
        is_line ? solve_about_line(at.n, axis, D, K, rho, 0.0) : solve_across(at.n, D, K, rho);
    if (!step.allFinite()) break;
    at.n = (at.n + step).normalized();
    if (step.norm() <= kSettledNormal) break;
  }
  at.p_second = calc_far_point(pair.second, pair.X_second, -at.n);
  at.p_first = calc_far_point(pair.first, pair.X_first, at.n);
  const Vec3 rho = at.p_second - at.p_first;
  if (is_plane) at.p_first += across(rho, at.n);
  if (is_line) at.p_first += axis * axis.dot(rho);
  return at;
}

CoreWandering calc_smooth_wandering(const SmoothPair& pair, const SmoothClosest& at,
                                    const CoreMotion& motion) {
  const Vec3& n = at.n;
  const Mat3 K_first = calc_spread(pair.first, pair.X_first, n);
  const Mat3 K_second = calc_spread(pair.second, pair.X_second, -n);
  const Vec3 turn_first = motion.w_first.cross(n);
  const Vec3 turn_second = motion.w_second.cross(n);
  const double D = n.dot(at.p_second - at.p_first);
  const Vec3 u = motion.v_second - motion.v_first;
  const Vec3 b = u + K_first * turn_first + K_second * turn_second;
  CoreWandering r{.n_dot = turn_first, .slip_first = Vec3::Zero(), .slip_second = Vec3::Zero()};
  if (pair.first.kind == Kind::kLine) {
    const Vec3 t = calc_line(pair, n);
    r.n_dot = solve_about_line(n, t, D, K_second, b, t.dot(turn_first));
  } else if (pair.first.kind != Kind::kPlane) {
    r.n_dot = solve_across(n, D, K_first + K_second, b);
  }
  r.slip_second = -K_second * (r.n_dot - turn_second);
  const Vec3 rest = across(u + r.slip_second, n) - D * r.n_dot;
  if (pair.first.kind == Kind::kPlane) {
    r.slip_first = rest;
  } else if (pair.first.kind == Kind::kLine) {
    const Vec3 t = calc_line(pair, n);
    r.slip_first = t * t.dot(rest);
  } else {
    r.slip_first = K_first * (r.n_dot - turn_first);
  }
  return r;
}

}  // namespace tenpin::contact
