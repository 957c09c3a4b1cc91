#include "collide/gjk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tenpin::collide {
namespace {

constexpr int kMaxGjkSteps = 200;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A simplex with the weights of its point closest to the origin.
struct Simplex : GjkSimplex {
  std::array<double, 4> weights = {};
};

// A face of the simplex, and the point of that face closest to the origin.
struct Closest {
  double distance2 = kInfinity;  // m^2
  std::array<int, 3> indices = {};
  std::array<double, 3> weights = {};
  int size = 0;
};

void keep_better(const Closest& candidate, Closest* best) {
  if (candidate.distance2 < best->distance2) *best = candidate;
}

void visit_vertex(const Simplex& s, int i, Closest* best) {
  keep_better({s.points[i].w.squaredNorm(), {i}, {1.0}, 1}, best);
}

void visit_edge(const Simplex& s, int i, int j, Closest* best) {
  const Vec3& p = s.points[i].w;
  const Vec3 e = s.points[j].w - p;
  const double length2 = e.squaredNorm();
  const double t = -e.dot(p);
  if (t <= 0.0 || t >= length2) return;  // a vertex is closer
  const double lambda = t / length2;
  keep_better({(p + lambda * e).squaredNorm(), {i, j}, {1.0 - lambda, lambda}, 2}, best);
}

void visit_triangle(const Simplex& s, const std::array<int, 3>& t, Closest* best) {
  const Vec3& p = s.points[t[0]].w;
  const Vec3& q = s.points[t[1]].w;
  const Vec3& r = s.points[t[2]].w;
  const Vec3 normal = (q - p).cross(r - p);
  const double area2 = normal.squaredNorm();
  const double u = normal.dot(q.cross(r));
  const double v = normal.dot(r.cross(p));
  const double w = normal.dot(p.cross(q));
  if (area2 == 0.0 || u <= 0.0 || v <= 0.0 || w <= 0.0) return;  // an edge or vertex is closer
  const double sum = u + v + w;
  const double height = normal.dot(p);
  keep_better({height * height / area2, t, {u / sum, v / sum, w / sum}, 3}, best);
}

bool contains_origin(const Simplex& s) {
  constexpr std::array<std::array<int, 4>, 4> kFaces = {
      {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}};
  return std::all_of(kFaces.begin(), kFaces.end(), [&s](const std::array<int, 4>& f) {
    const Vec3& p = s.points[f[0]].w;
    const Vec3 normal = (s.points[f[1]].w - p).cross(s.points[f[2]].w - p);
    const double apex = normal.dot(s.points[f[3]].w - p);
    const double origin = -normal.dot(p);
    return apex > 0.0 ? origin > 0.0 : (apex < 0.0 && origin < 0.0);
  });
}

// The distance decreases, so the closest point needs the newest vertex, which is the last one.
Closest find_closest(const Simplex& s) {
  const int last = s.size - 1;
  Closest best;
  visit_vertex(s, last, &best);
  for (int i = 0; i < last; ++i) visit_edge(s, i, last, &best);
  for (int i = 0; i < last; ++i) {
    for (int j = i + 1; j < last; ++j) visit_triangle(s, {i, j, last}, &best);
  }
  return best;
}

// Removes the points that are not needed. Indices ascend, so every point moves to a place already
// read.
void shrink(const Closest& closest, Simplex* s) {
  s->size = closest.size;
  for (int i = 0; i < closest.size; ++i) {
    if (closest.indices[i] != i) s->points[i] = s->points[closest.indices[i]];
    s->weights[i] = closest.weights[i];
  }
}

void set_witness(const Simplex& s, GjkResult* result) {
  result->a.setZero();
  result->b.setZero();
  for (int i = 0; i < s.size; ++i) {
    result->a += s.weights[i] * s.points[i].a;
    result->b += s.weights[i] * s.points[i].b;
  }
}

bool repeats(const Simplex& s, const MinkowskiPoint& point) {
  return std::any_of(s.points.begin(), s.points.begin() + s.size,
                     [&point](const MinkowskiPoint& p) {
                       return p.w == point.w;
                     });
}

}  // namespace

GjkResult solve_gjk(double margin, double tolerance, const Vec3& guess, CorePair* pair) {
  constexpr double kRoundOff = 4.0 * std::numeric_limits<double>::epsilon();
  GjkResult result;
  Simplex simplex;
  simplex.points[0] = pair->support(guess);
  simplex.weights[0] = 1.0;
  simplex.size = 1;
  result.v = simplex.points[0].w;
  result.lower_bound = -kInfinity;
  double distance2 = result.v.squaredNorm();
  // If v is shorter than this, its direction is only rounding noise.
  const double floor2 = std::pow(kRoundOff * pair->size(), 2);
  for (int k = 0; k < kMaxGjkSteps && distance2 > floor2; ++k) {
    const MinkowskiPoint point = pair->support(result.v);
    const double progress = distance2 - result.v.dot(point.w);
    result.lower_bound = std::max(result.lower_bound, result.v.dot(point.w) / std::sqrt(distance2));
    if (result.lower_bound > margin) break;
    if (progress <= std::max(tolerance, kRoundOff) * distance2 || repeats(simplex, point)) break;
    simplex.points[simplex.size++] = point;
    if (simplex.size == 4 && contains_origin(simplex)) {
      result.overlap = true;
      break;
    }
    const Closest closest = find_closest(simplex);
    if (!(closest.distance2 < distance2)) {
      --simplex.size;
      break;
    }
    shrink(closest, &simplex);
    result.v = Vec3::Zero();
    for (int i = 0; i < simplex.size; ++i) result.v += simplex.weights[i] * simplex.points[i].w;
    distance2 = result.v.squaredNorm();
  }
  set_witness(simplex, &result);
  result.simplex = {.points = simplex.points, .size = simplex.size};
  result.overlap = result.overlap || distance2 <= floor2;
  return result;
}

}  // namespace tenpin::collide
