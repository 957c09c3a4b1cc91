#include "impact/slip_field.h"

#include <algorithm>
#include <cmath>

#include "impact/tolerances.h"
#include "math/real_roots.h"

namespace tenpin::impact {

namespace {

// Solves A s = -w; the shortest s if A is singular, as in a contact that moves in one plane only.
Vec2 calc_stick_ratio(const Mat2& A, const Vec2& w) {
  constexpr double kDegenerate = 1e-14;
  const double product = A(0, 0) * A(1, 1);
  const double determinant = product - A(0, 1) * A(1, 0);
  if (determinant > kDegenerate * product) {
    return Vec2(A(0, 1) * w[1] - A(1, 1) * w[0], A(1, 0) * w[0] - A(0, 0) * w[1]) / determinant;
  }
  const double trace = A(0, 0) + A(1, 1);
  return trace > 0.0 ? Vec2(-(A * w) / (trace * trace)) : Vec2(0.0, 0.0);
}

}  // namespace

SlipField::SlipField(const Mat3& W, double mu)
    : A_(W.topLeftCorner<2, 2>()),
      w_(W(0, 2), W(1, 2)),
      W_nn_(W(2, 2)),
      mu_(mu),
      scale_(w_.norm() + mu * (A_(0, 0) + A_(1, 1))),
      stick_ratio_(calc_stick_ratio(A_, w_)) {}

double SlipField::turning_slope(const Vec2& e) const {
  const Vec2 across(-e[1], e[0]);
  return -growth(e) - mu_ * across.dot(A_ * across);
}

bool SlipField::is_on_ray(const Vec2& e) const {
  return std::fabs(turning(e)) <= kStraightSlip * scale_;
}

// Of eight directions around the circle, the one that is farthest from being a ray.
Vec2 SlipField::find_turning_direction() const {
  constexpr double kHalf = 0.70710678118654752440;
  Vec2 best(1.0, 0.0);
  for (const Vec2& e : {Vec2(1.0, 0.0), Vec2(kHalf, kHalf), Vec2(0.0, 1.0), Vec2(-kHalf, kHalf)}) {
    if (std::fabs(turning(e)) > std::fabs(turning(best))) best = e;
    if (std::fabs(turning(-e)) > std::fabs(turning(best))) best = -e;
  }
  return best;
}

// Newton's method on the circle. If the slope vanishes, the root is returned unchanged.
Vec2 SlipField::polish(Vec2 e) const {
  for (int i = 0; i < 2; ++i) {
    const double slope = turning_slope(e);
    const double angle = -turning(e) / slope;
    if (!(std::fabs(angle) < 1e-3)) break;
    e = (e + angle * Vec2(-e[1], e[0])).normalized();
  }
  return e;
}

// With e = ((1 - t^2) f + 2 t f_perp) / (1 + t^2), h(e) = 0 becomes a quartic in t. The
// parametrisation misses the direction -f, so f is chosen such that -f is not a ray.
Rays SlipField::find_rays() const {
  Rays rays;
  const Vec2 f = -find_turning_direction();
  if (is_on_ray(-f)) return rays;
  const Vec2 across(-f[1], f[0]);
  const double a = w_.dot(f);
  const double b = w_.dot(across);
  const double shear = mu_ * f.dot(A_ * across);
  const double stretch = mu_ * (across.dot(A_ * across) - f.dot(A_ * f));
  const RealRoots roots = find_real_roots(
      {b - shear, -2.0 * (a + stretch), 6.0 * shear, 2.0 * (stretch - a), -b - shear});
  for (const double t : roots) {
    const Vec2 e = polish(((1.0 - t * t) * f + 2.0 * t * across) / (1.0 + t * t));
    rays.rays[static_cast<std::size_t>(rays.count++)] = {e, growth(e)};
  }
  return rays;
}

Ray SlipField::find_outgoing_ray() const {
  Ray best{Vec2(1.0, 0.0), 0.0};
  for (const Ray& ray : find_rays()) {
    if (ray.growth > best.growth) best = ray;
  }
  return best;
}

}  // namespace tenpin::impact
