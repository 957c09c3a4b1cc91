#include "dynamics/limit_surface.h"

#include <algorithm>
#include <cmath>

namespace tenpin::dynamics {

namespace {

// -   of the extents of a set: points within this distance of a plane or line count as lying on it.
// Numbers in scenes have up to 16 digits; facets closer than that are one facet.
constexpr double kFlat = 1e-9;

void add_facet(const Vec3& facet, std::vector<Vec3>* facets) {
  const bool is_known = std::any_of(facets->begin(), facets->end(), [&](const Vec3& other) {
    return (other - facet).norm() <= kFlat * facet.norm();
  });
  if (!is_known) facets->push_back(facet);
}

// Adds the plane through `a` with this normal, if all points lie on its inner side. Returns false
// if zero is not strictly inside.
bool add_plane(const Vec3& normal, const Vec3& a, std::span<const Vec3> points,
               std::vector<Vec3>* facets) {
  const double length = normal.norm();
  if (length <= kFlat) return true;  // the points lie on one line
  for (const double sign : {1.0, -1.0}) {
    const Vec3 n = sign / length * normal;
    const double offset = n.dot(a);
    const bool is_facet = std::all_of(points.begin(), points.end(), [&](const Vec3& p) {
      return n.dot(p) <= offset + kFlat;
    });
    if (!is_facet) continue;
    if (offset <= kFlat) return false;
    add_facet(n / offset, facets);
  }
  return true;
}

// Finds the facets of a hull by testing all pairs or triples of points. There are few points, and
// the result does not depend on the order in which a faster algorithm would visit them.
bool find_facets(std::span<const Vec3> points, bool is_polygon, std::vector<Vec3>* facets) {
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const Vec3 edge = points[j] - points[i];
      if (is_polygon) {
        if (!add_plane({edge.y(), -edge.x(), 0.0}, points[i], points, facets)) return false;
        continue;
      }
      for (std::size_t k = j + 1; k < n; ++k) {
        const Vec3 normal = edge.cross(points[k] - points[i]);
        if (!add_plane(normal, points[i], points, facets)) return false;
      }
    }
  }
  return !facets->empty();
}

}  // namespace

LimitSurface make_polytope(std::span<const Vec3> points, std::string* problem) {
  LimitSurface limit{.kind = LimitSurface::Kind::kPolytope};
  double most_spin = 0.0;
  for (const Vec3& p : points) {
    limit.mu = std::max(limit.mu, p.head<2>().norm());
    most_spin = std::max(most_spin, std::fabs(p.z()));
  }
  if (limit.mu > 0.0) limit.radius = most_spin / limit.mu;
  const bool is_polygon = most_spin == 0.0;
  // Facets are found with spin divided by its largest value, so that the result does not depend on
  // units.
  const Vec3 unit(limit.mu, limit.mu, is_polygon ? 1.0 : most_spin);
  std::vector<Vec3> scaled;
  for (const Vec3& p : points) scaled.push_back(p.cwiseQuotient(unit));
  if (limit.mu == 0.0 || !find_facets(scaled, is_polygon, &limit.facets)) {
    *problem = "zero is not inside of the friction that they enclose";
    return {};
  }
  for (Vec3& facet : limit.facets) facet.z() /= is_polygon ? 1.0 : limit.radius;
  for (const Vec3& p : points) limit.points.push_back(p / limit.mu);
  return limit;
}

LimitSurface make_ellipsoid(const Mat3& axes, std::string* problem) {
  // Rows are measured relative to their own length, so that the result does not depend on units.
  const Vec3 lengths = axes.rowwise().norm();
  const bool is_flat =
      lengths.minCoeff() <= 0.0 ||
      std::fabs((lengths.cwiseInverse().asDiagonal() * axes).determinant()) <= kFlat;
  if (is_flat) {
    *problem = "the axes lie in one plane";
    return {};
  }
  // The longest vector of the ellipse that results from projecting the set onto the plane of slip.
  const Mat2 square = (axes * axes.transpose()).topLeftCorner<2, 2>();
  const double mean = 0.5 * square.trace();
  const double apart = std::hypot(0.5 * (square(0, 0) - square(1, 1)), square(0, 1));
  LimitSurface limit{.kind = LimitSurface::Kind::kEllipsoid, .mu = std::sqrt(mean + apart)};
  limit.radius = lengths.z() / limit.mu;
  limit.axes = axes / limit.mu;
  limit.axes_inv = limit.axes.inverse();
  return limit;
}

LimitSurface reflect(const LimitSurface& limit, const Vec3& signs) {
  LimitSurface result = limit;
  for (Vec3& p : result.points) p = p.cwiseProduct(signs);
  for (Vec3& n : result.facets) n = n.cwiseProduct(signs);
  result.axes = signs.asDiagonal() * limit.axes;
  result.axes_inv = limit.axes_inv * signs.asDiagonal();
  return result;
}

double calc_gauge(const LimitSurface& limit, const Vec3& friction) {
  if (limit.kind == LimitSurface::Kind::kEllipsoid) return (limit.axes_inv * friction).norm();
  double gauge = 0.0;
  for (const Vec3& n : limit.facets) gauge = std::max(gauge, n.dot(friction));
  return gauge;
}

double calc_best_dissipation(const LimitSurface& limit, const Vec3& slip) {
  if (limit.kind == LimitSurface::Kind::kEllipsoid) return (limit.axes.transpose() * slip).norm();
  double best = 0.0;
  for (const Vec3& p : limit.points) best = std::max(best, -p.dot(slip));
  return best;
}

}  // namespace tenpin::dynamics
