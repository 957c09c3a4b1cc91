#include "collide/smooth_separation.h"

#include <algorithm>
#include <cmath>

#include "collide/rim_rim.h"

namespace tenpin::collide {
namespace {

// Directions k + tau t on a great circle, and the slope of the separation along it. k is as close
// as possible to a rim's axis, so that small angles from it keep their digits.
class CircleSlope {
 public:
  CircleSlope(const SmoothSeparation& f, const Vec3& crease, const Vec3& n) : f_(f) {
    int rim = 0;
    if (f.num_rims == 2 && std::abs(f.axes[1].dot(n)) > std::abs(f.axes[0].dot(n))) rim = 1;
    k_ = f.axes[rim] - crease.dot(f.axes[rim]) * crease;
    if (k_.dot(n) < 0.0) k_ = -k_;
    k_ = k_.dot(n) < 0.5 ? n : Vec3(k_.normalized());
    t_ = crease.cross(k_);
    for (int i = 0; i < f.num_rims; ++i) {
      radial_k_[i] = k_ - f.axes[i].dot(k_) * f.axes[i];
      radial_t_[i] = t_ - f.axes[i].dot(t_) * f.axes[i];
    }
  }

  double tau_at(const Vec3& n) const { return t_.dot(n) / k_.dot(n); }
  Vec3 direction(double tau) const { return (k_ + tau * t_).normalized(); }

  double slope(double tau) const {
    Vec3 gradient = f_.w;
    for (int i = 0; i < f_.num_rims; ++i) {
      const Vec3 radial = radial_k_[i] + tau * radial_t_[i];
      const double rho = radial.norm();
      if (rho > 0.0) gradient -= (f_.radii[i] / rho) * radial;
    }
    return gradient.dot(t_ - tau * k_);
  }

 private:
  const SmoothSeparation& f_;
  Vec3 k_;
  Vec3 t_;
  std::array<Vec3, 2> radial_k_;
  std::array<Vec3, 2> radial_t_;
};

// Directions h a + c (k + tau t) / |k + tau t| with a fixed angle from an axis, and the sign of the
// slope of the separation along them.
class SmallCircleSlope {
 public:
  SmallCircleSlope(const SmoothSeparation& f, const Crease& crease, const Vec3& n)
      : f_(f), crease_(crease) {
    k_ = (n - crease.line.dot(n) * crease.line).normalized();
    t_ = crease.line.cross(k_);
  }

  Vec3 direction(double tau) const { return crease_.calc_direction(k_ + tau * t_); }

  double slope(double tau) const {
    const Vec3 n = direction(tau);
    Vec3 gradient = f_.w;
    for (int i = 0; i < f_.num_rims; ++i) {
      const Vec3 radial = n - f_.axes[i].dot(n) * f_.axes[i];
      const double rho = radial.norm();
      if (rho > 0.0) gradient -= (f_.radii[i] / rho) * radial;
    }
    return gradient.dot(t_ - tau * k_);
  }

 private:
  const SmoothSeparation& f_;
  const Crease& crease_;
  Vec3 k_;
  Vec3 t_;
};

// The maximum near `tau`, where the slope falls through zero.
template <typename Circle>
Vec3 maximise(const SmoothSeparation& f, const Circle& circle, double tau) {
  // The slope falls through zero between `low` and `high`.
  double low = tau;
  double high = tau;
  double slope_low = circle.slope(tau);
  double slope_high = slope_low;
  for (double width = 1e-6; width < 4.0 && slope_low <= 0.0; width *= 8.0) {
    high = low;
    slope_high = slope_low;
    low = tau - width;
    slope_low = circle.slope(low);
  }
  for (double width = 1e-6; width < 4.0 && slope_high >= 0.0; width *= 8.0) {
    low = high;
    slope_low = slope_high;
    high = tau + width;
    slope_high = circle.slope(high);
  }
  // Near the normal of a cap the curvature is too large for Newton's method. Uses secants that
  // halve the slope at an end that stays too long (the Illinois rule), and an occasional bisection.
  const double rounding = 1e-16 * (f.w.lpNorm<1>() + f.radii[0] + f.radii[1]);
  double x = tau;
  int side = 0;
  for (int i = 1; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    const double secant = low + (high - low) * (slope_low / (slope_low - slope_high));
    x = i % 8 == 0 || !(secant > low && secant < high) ? middle : secant;
    const double slope = circle.slope(x);
    if (std::abs(slope) <= rounding) break;
    if (slope > 0.0) {
      low = x;
      slope_low = slope;
      if (side == 1) slope_high *= 0.5;
      side = 1;
    } else {
      high = x;
      slope_high = slope;
      if (side == -1) slope_low *= 0.5;
      side = -1;
    }
  }
  return circle.direction(x);
}

}  // namespace

double calc_separation(const SmoothSeparation& f, const Vec3& n) {
  double separation = n.dot(f.w);
  for (int i = 0; i < f.num_rims; ++i) {
    separation -= f.radii[i] * (n - f.axes[i].dot(n) * f.axes[i]).norm();
  }
  return separation;
}

Vec3 maximise_on_circle(const SmoothSeparation& f, const Crease& crease, const Vec3& n) {
  if (crease.height != 0.0) return maximise(f, SmallCircleSlope(f, crease, n), 0.0);
  const CircleSlope circle(f, crease.line, n);
  return maximise(f, circle, circle.tau_at(n));
}

Vec3 solve_rim_vertex(const SmoothSeparation& f, const Vec3& n) {
  const Vec3& axis = f.axes[0];
  const Vec3 radial = f.w - axis.dot(f.w) * axis;
  const double rho = radial.norm();
  if (rho == 0.0) return n;
  // f.w points from A's point to B's; the rim's point lies f.radii[0] towards the vertex.
  const Vec3 d = f.w - (f.radii[0] / rho) * radial;
  const double length = d.norm();
  if (length == 0.0) return n;
  return d / (d.dot(n) >= 0.0 ? length : -length);
}

Vec3 project_on_meridian(const SmoothSeparation& f, const Vec3& n) {
  const Vec3 across = f.axes[0].cross(f.w);
  const double length = across.norm();
  if (length == 0.0) return n;
  const Vec3 tangent = across / length;
  const double sine = tangent.dot(n);
  return std::abs(sine) > 0.5 ? n : Vec3((n - sine * tangent).normalized());
}

RimDirections solve_rims(const SmoothSeparation& f, const Vec3& n) {
  const Circle A{.centre = Vec3::Zero(), .axis = f.axes[0], .radius = f.radii[0]};
  const Circle B{.centre = f.w, .axis = f.axes[1], .radius = f.radii[1]};
  RimDirections directions;
  const auto add = [&](const Vec3& start_A, const Vec3& start_B) {
    const CirclePoints points = solve_circles(A, B, start_A, start_B);
    // Both vectors are parallel; the longer one is more accurate.
    const Vec3 w = (points.b - points.a) / (A.radius + B.radius);
    const Vec3 cross = points.t_A.cross(points.t_B);
    const Vec3 d = w.squaredNorm() > cross.squaredNorm() ? w : cross;
    const double length = d.norm();
    if (length > 0.0)
      directions.items[directions.count++] = d / (d.dot(n) < 0.0 ? -length : length);
  };
  add(n, f.w - n);
  const double sine2 = A.axis.cross(B.axis).squaredNorm();
  if (sine2 > 1e-4) return directions;
  const CircleCrossing crossing = find_crossing(A, B);
  add(crossing.first, crossing.first);
  add(crossing.second, crossing.second);
  return directions;
}

}  // namespace tenpin::collide
