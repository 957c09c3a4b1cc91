#include "shapes/ellipsoid.h"

#include <cmath>
#include <utility>

namespace tenpin::shapes {
namespace {

// Farthest points are x = S u with |u| = 1, S = diag(semiaxes), and (S^2 - mu) u = S c: the
// distance from c is stationary on the ellipsoid. Axes are ordered from the longest to the
// shortest.
struct FarProblem {
  Vec3 b;      // m^2   S c
  Vec3 below;  // m^2   longest semiaxis squared minus the others squared; below[0] = 0
  Vec3 s;      // m     semiaxes
  std::array<int, 3> order{};  // axis of the frame for each of the sorted axes

  // -   u for mu = s_0^2 + shift.
  Vec3 calc_u(double shift) const {
    Vec3 u;
    for (int i = 0; i < 3; ++i) u[i] = b[i] == 0.0 ? 0.0 : -b[i] / (below[i] + shift);
    return u;
  }
  Vec3 to_point(const Vec3& u) const {
    const Vec3 unit = u.normalized();
    Vec3 p;
    for (int i = 0; i < 3; ++i) p[order[i]] = s[i] * unit[i];
    return p;
  }
};

FarProblem make_far_problem(const Vec3& semiaxes, const Vec3& from) {
  FarProblem problem{.b = {}, .below = {}, .s = {}, .order = {0, 1, 2}};
  for (const auto& [i, j] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 1)}) {
    if (semiaxes[problem.order[j]] > semiaxes[problem.order[i]]) {
      std::swap(problem.order[i], problem.order[j]);
    }
  }
  for (int i = 0; i < 3; ++i) {
    problem.s[i] = semiaxes[problem.order[i]];
    problem.b[i] = problem.s[i] * from[problem.order[i]];
    problem.below[i] = (problem.s[0] - problem.s[i]) * (problem.s[0] + problem.s[i]);
  }
  return problem;
}

// Bisects the interval down to rounding. `is_low(x)` holds below the root.
template <typename IsLow>
double bisect(double low, double high, const IsLow& is_low) {
  constexpr int kMaxHalvings = 400;  // enough for 53 bits and the zeros that may precede them
  for (int k = 0; k < kMaxHalvings; ++k) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (is_low(middle) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Adds both ends of the longest axis: if the point lies on the plane of symmetry across that axis,
// they may be equally far.
bool add_twins(const FarProblem& problem, FarPoints* points) {
  if (problem.b[0] != 0.0) return false;
  for (int i = 1; i < 3; ++i) {
    if (problem.below[i] == 0.0 && problem.b[i] != 0.0) return false;
  }
  Vec3 u = problem.calc_u(0.0);
  const double rest = 1.0 - u.squaredNorm();
  if (!(rest > 0.0)) return false;
  u[0] = std::sqrt(rest);
  points->p[0] = problem.to_point(u);
  u[0] = -u[0];
  points->p[1] = problem.to_point(u);
  points->count = 2;
  return true;
}

// Adds the other end of the longest axis if it is a local maximum of the distance: mu = s_0^2 - x
// with x below the minimum of |u|^2 over (0, below[1]).
void add_other_end(const FarProblem& problem, FarPoints* points) {
  if (problem.below[1] == 0.0 || problem.b[0] == 0.0) return;
  const auto is_falling = [&](double x) {
    double slope = problem.b[0] * problem.b[0] / (x * x * x);
    for (int i = 1; i < 3; ++i) {
      const double left = problem.below[i] - x;
      slope -= problem.b[i] * problem.b[i] / (left * left * left);
    }
    return slope > 0.0;
  };
  const double lowest = bisect(0.0, problem.below[1], is_falling);
  if (!(problem.calc_u(-lowest).squaredNorm() < 1.0)) return;
  const double x = bisect(0.0, lowest, [&](double y) {
    return problem.calc_u(-y).squaredNorm() > 1.0;
  });
  points->p[points->count++] = problem.to_point(problem.calc_u(-x));
}

}  // namespace

Vec3 calc_ellipsoid_point(const Vec3& semiaxes, const Vec3& n) {
  const Vec3 scaled = semiaxes.cwiseProduct(n);
  const double height = scaled.norm();
  if (height == 0.0) return Vec3(0.0, 0.0, semiaxes.z());
  return semiaxes.cwiseProduct(scaled / height);
}

Mat3 calc_ellipsoid_spread(const Vec3& semiaxes, const Vec3& n) {
  const Vec3 u = semiaxes.cwiseProduct(n);
  const double height = u.norm();
  const Vec3 q = semiaxes / height;
  const Vec3 v = u / height;
  Mat3 spread;
  // S (I - v v^T) S / height. Each diagonal entry is computed as a sum of squares, so that nothing
  // cancels.
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    spread(i, i) = semiaxes[i] * q[i] * (v[j] * v[j] + v[k] * v[k]);
    spread(i, j) = spread(j, i) = -semiaxes[i] * q[j] * v[i] * v[j];
  }
  return spread;
}

FarPoints find_far_points(const Vec3& semiaxes, const Vec3& from) {
  const FarProblem problem = make_far_problem(semiaxes, from);
  FarPoints points;
  if (add_twins(problem, &points)) return points;
  // |u| decreases with mu; it is at least 1 at the lower bound and at most 1 at the upper bound.
  const double shift = bisect(std::fabs(problem.b[0]), problem.b.norm(), [&](double x) {
    return problem.calc_u(x).squaredNorm() > 1.0;
  });
  points.p[points.count++] = problem.to_point(problem.calc_u(shift));
  add_other_end(problem, &points);
  return points;
}

}  // namespace tenpin::shapes
