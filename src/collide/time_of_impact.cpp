#include "collide/time_of_impact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenpin::collide {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// The smallest positive root of c + b t + a t^2, for c > 0; infinite if there is none.
double find_first_root(double a, double b, double c) {
  const double square = b * b - 4.0 * a * c;
  if (square < 0.0) return kNever;
  const double denominator = -b + std::sqrt(square);
  return denominator > 0.0 ? 2.0 * c / denominator : kNever;
}

// m   The largest direction . r over the core's points r, measured from the centre of mass. The
// walk starts at *vertex, which receives the vertex found.
double calc_reach(const MovingShape& shape, const Vec3& direction, int* vertex) {
  const Support s = shape.core->support(shape.X_WS.R.transpose() * direction, *vertex);
  *vertex = s.vertex;
  return direction.dot(shape.X_WS * s.point - shape.motion.center);
}

bool turns(const MovingShape& shape) {
  return shape.core != nullptr && shape.radius > 0.0 && shape.motion.spin_bound > 0.0;
}

// m/s^2   A bound on how fast rotation can change a point's velocity along a fixed direction.
double calc_turning_bound(const MovingShape& shape) {
  const BallisticMotion& m = shape.motion;
  return m.unsteadiness +
         (turns(shape) ? (m.spin_bound * m.spin_bound + m.spin_rate_bound) * shape.radius : 0.0);
}

// Bounds the growth of the support along a direction while a shape rotates. A point r moves along n
// by t (w x r).n = t r.(n x w) plus second-order terms, so the support after t is at most reach(n +
// t (n x w)). This is a convex function of t, so up to a given time it lies below its chord.
class TurningSupport {
 public:
  TurningSupport(const MovingShape& shape, const Vec3& normal)
      : shape_(shape), normal_(normal), vertex_(shape.start), turns_(turns(shape)) {
    if (!turns_) return;
    across_ = normal.cross(shape.motion.spin);
    turns_ = across_.squaredNorm() > 0.0;
    if (turns_) now_ = calc_reach(shape, normal, &vertex_);
  }

  // m/s   Slope of the chord up to time t.
  double calc_slope(double t) {
    return turns_ ? (calc_reach(shape_, normal_ + t * across_, &vertex_) - now_) / t : 0.0;
  }
  bool is_still() const { return !turns_; }

 private:
  const MovingShape& shape_;
  const Vec3 normal_;
  Vec3 across_ = Vec3::Zero();  // rad/s
  double now_ = 0.0;            // m
  int vertex_;                  // found last
  bool turns_;
};

}  // namespace

double calc_spin_bound(const Vec3& moments, const Vec3& w_P) {
  const double L = moments.cwiseProduct(w_P).norm();
  return L / moments.minCoeff();
}

double calc_spin_rate_bound(const Vec3& moments, double spin_bound) {
  // w_1' = (I_2 - I_3) / I_1 w_2 w_3 and so on; |w_2 w_3| <= w^2 / 2.
  double square = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double ratio = (moments[(i + 1) % 3] - moments[(i + 2) % 3]) / moments[i];
    square += ratio * ratio;
  }
  return 0.5 * std::sqrt(square) * spin_bound * spin_bound;
}

double calc_closing_time(double gap, double rate, double unsteadiness) {
  return find_first_root(-0.5 * unsteadiness, rate, gap);
}

double calc_radial_bound(const MovingShape& A, const MovingShape& B, const Vec3& normal,
                         double gap) {
  const double speed = normal.dot(A.motion.velocity - B.motion.velocity) +
                       A.radius * A.motion.spin_bound + B.radius * B.motion.spin_bound;
  const double fall = normal.dot(A.motion.acceleration - B.motion.acceleration) +
                      A.motion.unsteadiness + B.motion.unsteadiness;
  return find_first_root(-0.5 * fall, -speed, gap);
}

double calc_separation_along(const MovingShape& A, const MovingShape& B, const Vec3& normal) {
  const auto reach = [](const MovingShape& shape, const Vec3& n) {
    if (shape.core == nullptr) return n.dot(shape.X_WS.p);
    const Support s = shape.core->support(shape.X_WS.R.transpose() * n, shape.start);
    return n.dot(shape.X_WS * s.point) + shape.core->rounding();
  };
  return -reach(B, -normal) - reach(A, normal);
}

namespace {

// s   The same bound from the spheres about the centres, which contain the shapes however fast they
// rotate.
double calc_sphere_bound(const MovingShape& A, const MovingShape& B, const SeparatingPlane& plane,
                         double goal) {
  const auto calc_slack = [](const MovingShape& shape, const Vec3& direction) {
    int vertex = shape.start;
    return turns(shape) ? shape.radius - calc_reach(shape, direction, &vertex) : 0.0;
  };
  const Vec3& n = plane.normal;
  const double gap = plane.gap - goal - calc_slack(A, n) - calc_slack(B, -n);
  if (!(gap > 0.0)) return 0.0;
  const double bend = 0.5 * (n.dot(B.motion.acceleration - A.motion.acceleration) -
                             A.motion.unsteadiness - B.motion.unsteadiness);
  return find_first_root(bend, n.dot(B.motion.velocity - A.motion.velocity), gap);
}

}  // namespace

double calc_time_of_impact_bound(const MovingShape& A, const MovingShape& B,
                                 const SeparatingPlane& plane, double goal, double horizon) {
  const Vec3& n = plane.normal;
  const double rate = n.dot(B.motion.velocity - A.motion.velocity);
  const double bend = 0.5 * (n.dot(B.motion.acceleration - A.motion.acceleration) -
                             calc_turning_bound(A) - calc_turning_bound(B));
  TurningSupport support_A(A, n);
  TurningSupport support_B(B, -n);
  if (support_A.is_still() && support_B.is_still()) {
    return std::min(find_first_root(bend, rate, plane.gap - goal), horizon);
  }
  // Chords over shorter times are less steep, so a second evaluation over a shorter time gives a
  // later bound.
  constexpr int kLooks = 2;
  double safe = 0.0;
  double until = horizon;
  for (int look = 0; look < kLooks && until > 0.0; ++look) {
    const double closing = rate - support_A.calc_slope(until) - support_B.calc_slope(until);
    const double root = find_first_root(bend, closing, plane.gap - goal);
    safe = std::max(safe, std::min(root, until));
    if (root >= until) break;
    until = std::min(horizon, 2.0 * safe);
  }
  if (safe < horizon) {
    safe = std::max(safe, std::min(calc_sphere_bound(A, B, plane, goal), horizon));
  }
  return safe;
}

}  // namespace tenpin::collide
