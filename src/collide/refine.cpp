#include "collide/refine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tenpin::collide {
namespace {

// Directions this close to orthogonal to an edge may be limited by it.
constexpr double kEdgeAngle = 1e-2;  // rad
constexpr double kSideAngle = 0.3;   // rad
// Faces this close to orthogonal to the direction show all their edges.
constexpr double kFaceCosine = 1.0 - 1e-10;
constexpr int kMaxCreases = 16;
constexpr double kTie = 2e-15;  // relative to size; rounding of a separation

// The lines that a separating direction may have to be orthogonal to: edges, a cylinder's axis.
struct Creases {
  std::array<Vec3, kMaxCreases> lines;  // -   unit, A's frame
  std::array<double, kMaxCreases> slant = {};
  int count = 0;

  void insert(const Vec3& line, double slant_of_line) {
    if (count == kMaxCreases && slant_of_line >= slant[count - 1]) return;
    int i = count < kMaxCreases ? count++ : count - 1;
    for (; i > 0 && slant[i - 1] > slant_of_line; --i) {
      lines[i] = lines[i - 1];
      slant[i] = slant[i - 1];
    }
    lines[i] = line;
    slant[i] = slant_of_line;
  }
};

// n in the core's frame.
Creases find_creases(const Core& core, const Mat3& R_AC, const Vec3& n, int vertex) {
  Creases creases;
  if (core.is_cylinder()) {
    const double slant = std::abs(n.z());
    if (slant < kSideAngle) creases.insert(R_AC.col(2), slant);
    return creases;
  }
  const Polytope& polytope = core.polytope();
  const auto add_edge = [&](int v, int u) {
    const Vec3 edge = polytope.vertices[u] - polytope.vertices[v];
    const double length = edge.norm();
    if (length == 0.0) return;
    const double slant = std::abs(edge.dot(n)) / length;
    if (slant < kEdgeAngle) creases.insert(R_AC * (edge / length), slant);
  };
  const int face = find_face(core, n, vertex);
  const bool flat = face >= 0 && polytope.normals[face].dot(n) > kFaceCosine;
  const std::span<const int> loop = flat ? polytope.face(face) : std::span<const int>();
  for (std::size_t i = 0; i < loop.size(); ++i) {
    add_edge(loop[i], loop[i + 1 < loop.size() ? i + 1 : 0]);
  }
  for (const int u : polytope.neighbours_of(vertex)) {
    if (!flat || std::find(loop.begin(), loop.end(), u) == loop.end()) add_edge(vertex, u);
  }
  return creases;
}

// separation(n) = n.w - sum of r_i |P_i n|: vertices and rims of the caps that stay the same, with
// P_i the projection along cylinder i's axis.
struct SmoothSeparation {
  Vec3 w = Vec3::Zero();
  std::array<Vec3, 2> axes;
  std::array<double, 2> radii = {};
  int num_rims = 0;

  void add_rim(const Vec3& axis, double radius) {
    axes[num_rims] = axis;
    radii[num_rims++] = radius;
  }
};

SmoothSeparation make_smooth(const Vec3& n, CorePair* pair) {
  SmoothSeparation f;
  const MinkowskiPoint point = pair->support(n);
  f.w = point.w;
  if (pair->A.is_cylinder()) {
    f.w += Vec3(point.a.x(), point.a.y(), 0.0);
    f.add_rim(Vec3::UnitZ(), pair->A.radius());
  }
  if (pair->B.is_cylinder()) {
    const Vec3 axis = pair->X_AB.R.col(2);
    const Vec3 radial = point.b - pair->X_AB.p;
    f.w -= radial - axis.dot(radial) * axis;
    f.add_rim(axis, pair->B.radius());
  }
  return f;
}

struct Derivatives {
  double value = 0.0;
  Vec3 gradient = Vec3::Zero();
  Mat3 hessian = Mat3::Zero();
  bool ok = true;  // false at a cap's normal, where the rim has no derivative
};

Derivatives calc_derivatives(const SmoothSeparation& f, const Vec3& n) {
  Derivatives d;
  d.gradient = f.w;
  for (int i = 0; i < f.num_rims; ++i) {
    const Vec3 radial = n - f.axes[i].dot(n) * f.axes[i];
    const double rho = radial.norm();
    if (rho < 1e-14) {
      d.ok = false;
      return d;
    }
    const Vec3 q = radial / rho;
    d.gradient -= f.radii[i] * q;
    const Mat3 P = Mat3::Identity() - f.axes[i] * f.axes[i].transpose() - q * q.transpose();
    d.hessian -= (f.radii[i] / rho) * P;
  }
  d.value = n.dot(d.gradient);
  return d;
}

// One Newton step in the plane tangent to the sphere, whose curvature adds -value * I.
Vec3 calc_step(const Derivatives& d, const Vec3& n) {
  const Vec3 t0 = n.unitOrthogonal();
  const Vec3 t1 = n.cross(t0);
  const double g0 = t0.dot(d.gradient);
  const double g1 = t1.dot(d.gradient);
  const double h00 = t0.dot(d.hessian * t0) - d.value;
  const double h01 = t0.dot(d.hessian * t1);
  const double h11 = t1.dot(d.hessian * t1) - d.value;
  const double det = h00 * h11 - h01 * h01;
  if (!(h00 < 0.0) || !(det > 0.0)) {
    // Not concave here: go uphill.
    const double scale = std::abs(h00) + std::abs(h11) + std::abs(h01);
    return scale > 0.0 ? Vec3((g0 / scale) * t0 + (g1 / scale) * t1) : Vec3(Vec3::Zero());
  }
  const Vec3 step = (-(h11 * g0 - h01 * g1) / det) * t0 + (-(h00 * g1 - h01 * g0) / det) * t1;
  const double length = step.norm();
  return length > 0.5 ? Vec3(step * (0.5 / length)) : step;
}

// The local maximum near n.
Vec3 climb_sphere(const SmoothSeparation& f, Vec3 n) {
  constexpr int kMaxSteps = 50;
  Derivatives here = calc_derivatives(f, n);
  for (int k = 0; k < kMaxSteps && here.ok; ++k) {
    Vec3 step = calc_step(here, n);
    Vec3 next = (n + step).normalized();
    Derivatives there = calc_derivatives(f, next);
    // The value is flat to rounding long before the direction is settled.
    const double enough = here.value - 1e-15 * (f.w.norm() + f.radii[0] + f.radii[1]);
    for (int halvings = 0; halvings < 20 && !(there.ok && there.value >= enough); ++halvings) {
      step *= 0.5;
      next = (n + step).normalized();
      there = calc_derivatives(f, next);
    }
    if (!there.ok || there.value < enough) break;
    n = next;
    here = there;
    if (step.norm() < 1e-16) break;
  }
  return n;
}

// The local maximum near n on the great circle orthogonal to `crease`, by bisection of the slope:
// near the normal of a cap the curvature is too large for Newton's method. Directions are k + tau t
// with k as close to a rim's axis as possible, so that small angles from it keep their digits.
Vec3 climb_circle(const SmoothSeparation& f, const Vec3& crease, const Vec3& n) {
  int rim = 0;
  if (f.num_rims == 2 && std::abs(f.axes[1].dot(n)) > std::abs(f.axes[0].dot(n))) rim = 1;
  Vec3 k = f.axes[rim] - crease.dot(f.axes[rim]) * crease;
  if (k.dot(n) < 0.0) k = -k;
  k = k.dot(n) < 0.5 ? n : Vec3(k.normalized());
  const Vec3 t = crease.cross(k);
  const auto slope = [&](double tau) {
    Vec3 gradient = f.w;
    for (int i = 0; i < f.num_rims; ++i) {
      const Vec3& axis = f.axes[i];
      const Vec3 radial = (k - axis.dot(k) * axis) + tau * (t - axis.dot(t) * axis);
      const double rho = radial.norm();
      if (rho > 0.0) gradient -= (f.radii[i] / rho) * radial;
    }
    return gradient.dot(t - tau * k);
  };
  const double tau = t.dot(n) / k.dot(n);
  double low = tau;
  double high = tau;
  double width = 1e-6;
  for (; width < 4.0 && slope(low) <= 0.0; width *= 8.0) low = tau - width;
  for (width = 1e-6; width < 4.0 && slope(high) >= 0.0; width *= 8.0) high = tau + width;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (slope(middle) > 0.0 ? low : high) = middle;
  }
  return (k + (0.5 * (low + high)) * t).normalized();
}

// The direction between a rim and a vertex: its nearest point is in the plane of axis and vertex.
Vec3 solve_rim_vertex(const SmoothSeparation& f, const Vec3& n) {
  const Vec3& axis = f.axes[0];
  const Vec3 radial = f.w - axis.dot(f.w) * axis;
  const double rho = radial.norm();
  if (rho == 0.0) return n;
  // f.w runs from A's point to B's; the rim's point lies f.radii[0] towards the vertex.
  const Vec3 d = f.w - (f.radii[0] / rho) * radial;
  const double length = d.norm();
  if (length == 0.0) return n;
  return d / (d.dot(n) >= 0.0 ? length : -length);
}

// No creases: vertices and rims only.
Vec3 solve_free(const SmoothSeparation& f, const Vec3& n) {
  if (f.num_rims == 1) return solve_rim_vertex(f, n);
  Vec3 direct = climb_sphere(f, n);
  // Caps that are almost parallel: the answer is between their normals, at the scale of their
  // angle.
  const Vec3 a = f.axes[0].dot(n) >= 0.0 ? f.axes[0] : Vec3(-f.axes[0]);
  const Vec3 b = f.axes[1].dot(n) >= 0.0 ? f.axes[1] : Vec3(-f.axes[1]);
  if ((a - b).norm() > 1e-3) return direct;
  Vec3 between = climb_sphere(f, (a + b).normalized());
  return calc_derivatives(f, between).value > calc_derivatives(f, direct).value ? between : direct;
}

// The best direction for which the features limited by the creases (zero: none) touch.
std::optional<Vec3> solve_features(const SmoothSeparation& f, const Vec3& n, const Vec3& crease_A,
                                   const Vec3& crease_B) {
  constexpr double kParallel = 1e-13;
  Vec3 crease = crease_A.isZero() ? crease_B : crease_A;
  if (!crease_A.isZero() && !crease_B.isZero()) {
    const Vec3 cross = crease_A.cross(crease_B);
    const double length = cross.norm();
    if (length > kParallel) {
      // Nearly parallel creases cancel in the product; projecting again restores the digits.
      Vec3 across = cross / (cross.dot(n) >= 0.0 ? length : -length);
      across -= crease_A.dot(across) * crease_A;
      across -= crease_B.dot(across) * crease_B;
      return Vec3(across.normalized());
    }
  }
  if (crease.isZero() && f.num_rims > 0) return solve_free(f, n);
  Vec3 start = f.num_rims > 0 ? n : f.w;
  for (int i = 0; i < 2; ++i) start -= crease.dot(start) * crease;
  const double length = start.norm();
  if (length == 0.0) return std::nullopt;
  start /= start.dot(n) >= 0.0 ? length : -length;
  return f.num_rims > 0 ? climb_circle(f, crease, start) : start;
}

// Solved directions win ties against the approximate one.
bool consider(const Vec3& n, Separation* best, CorePair* pair) {
  const double gap = pair->separation(n);
  if (gap < best->gap - kTie * pair->size()) return false;
  best->gap = gap;
  best->n = n;
  return true;
}

void consider_face(const Core& core, bool of_A, Separation* best, CorePair* pair) {
  const Vec3 direction = of_A ? best->n : Vec3(-(pair->X_AB.R.transpose() * best->n));
  const int face = find_face(core, direction, of_A ? pair->start_A : pair->start_B);
  if (face < 0) return;
  const Vec3 normal = face_normal(core, face);
  consider(of_A ? normal : Vec3(-(pair->X_AB.R * normal)), best, pair);
}

// Other features may come between a far answer and its start: then goes part of the way.
void consider_towards(const Vec3& solved, const Vec3& n, int max_trials, Separation* best,
                      CorePair* pair) {
  Vec3 trial = solved;
  for (int k = 0; k < max_trials && !consider(trial, best, pair); ++k) {
    trial = (trial + n).normalized();
  }
}

// The features near the present direction, in all their combinations.
void refine_once(Separation* separation, CorePair* pair) {
  const Vec3 n = separation->n;
  const Vec3 n_B = -(pair->X_AB.R.transpose() * n);
  const SmoothSeparation f = make_smooth(n, pair);
  const Creases creases_A = find_creases(pair->A, Mat3::Identity(), n, pair->start_A);
  const Creases creases_B = find_creases(pair->B, pair->X_AB.R, n_B, pair->start_B);
  const int max_trials = f.num_rims > 0 ? 8 : 1;
  for (int i = -1; i < creases_A.count; ++i) {
    for (int j = -1; j < creases_B.count; ++j) {
      const Vec3 crease_A = i < 0 ? Vec3(Vec3::Zero()) : creases_A.lines[i];
      const Vec3 crease_B = j < 0 ? Vec3(Vec3::Zero()) : creases_B.lines[j];
      const std::optional<Vec3> solved = solve_features(f, n, crease_A, crease_B);
      if (solved) consider_towards(*solved, n, max_trials, separation, pair);
    }
  }
  for (const bool of_A : {false, true}) {
    pair->support(separation->n);
    consider_face(of_A ? pair->A : pair->B, of_A, separation, pair);
  }
}

}  // namespace

void refine_separation(Separation* separation, CorePair* pair) {
  // Newton's steps and better directions bring other features into view; a few rounds settle it.
  constexpr int kMaxRounds = 6;
  for (int round = 0; round < kMaxRounds; ++round) {
    const double before = separation->gap;
    refine_once(separation, pair);
    if (!(separation->gap > before + 1e-15 * pair->size())) break;
  }
}

}  // namespace tenpin::collide
