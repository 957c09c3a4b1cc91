#include "shapes/convex_hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "shapes/certify_convex.h"
#include "shapes/face_merge.h"
#include "shapes/qhull.h"

namespace tenpin::shapes {
namespace {

// A merged face deviates from the planes of its facets by up to twice the tolerance, and the
// corners of its neighbours deviate by up to twice the tolerance as well.
constexpr double kCertifiedTolerances = 4.0;
constexpr double kMaxRounding =
    1e-13;  // -   of planes and of Qhull's own merging, relative to the size

struct Cloud {
  std::vector<Vec3> points;  // -   moved to the middle of their box, in units of `size`
  double size = 0.0;         // m   largest edge of the box
  double rounding = 0.0;     // -   of the given coordinates, in units of `size`
};

Cloud make_cloud(std::span<const Vec3> points) {
  TENPIN_REQUIRE(points.size() >= 4,
                 fmt::format("convex hull: got {} points, want at least 4", points.size()));
  Vec3 lower = points[0];
  Vec3 upper = points[0];
  for (std::size_t i = 0; i < points.size(); ++i) {
    TENPIN_REQUIRE(points[i].allFinite() && points[i].cwiseAbs().maxCoeff() <= kMaxCoordinate,
                   fmt::format("convex hull: point {} is ({}, {}, {}), want coordinates up to {} m",
                               i, points[i].x(), points[i].y(), points[i].z(), kMaxCoordinate));
    lower = lower.cwiseMin(points[i]);
    upper = upper.cwiseMax(points[i]);
  }
  Cloud cloud;
  cloud.size = (upper - lower).maxCoeff();
  TENPIN_REQUIRE(cloud.size > 0.0, "convex hull: all points are equal");
  TENPIN_REQUIRE(
      cloud.size >= kMinHullSize,
      fmt::format("convex hull: size {} m, want at least {} m", cloud.size, kMinHullSize));
  const double largest = lower.cwiseAbs().cwiseMax(upper.cwiseAbs()).maxCoeff();
  cloud.rounding = largest / cloud.size * std::numeric_limits<double>::epsilon();
  const Vec3 middle = 0.5 * (lower + upper);
  cloud.points.reserve(points.size());
  for (const Vec3& point : points) {
    cloud.points.emplace_back((point - middle) / cloud.size);
  }
  return cloud;
}

template <typename Measure>
std::pair<std::size_t, double> find_largest(const std::vector<Vec3>& points, Measure measure) {
  std::pair<std::size_t, double> best(0, -1.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double value = measure(points[i]);
    if (value > best.second) {
      best = {i, value};
    }
  }
  return best;
}

// Refuses clouds that are too thin, measured about the line through two distant points and about
// the plane through three.
void require_thickness(const Cloud& cloud) {
  const double least = std::max(kMinHullThickness, 100.0 * cloud.rounding);
  const std::vector<Vec3>& points = cloud.points;
  const Vec3 a = points[find_largest(points, [&](const Vec3& p) {
                          return (p - points[0]).squaredNorm();
                        }).first];
  const Vec3 b = points[find_largest(points, [&](const Vec3& p) {
                          return (p - a).squaredNorm();
                        }).first];
  const Vec3 along = (b - a).normalized();
  const auto [c, width] = find_largest(points, [&](const Vec3& p) {
    return (p - a).cross(along).norm();
  });
  TENPIN_REQUIRE(width >= least,
                 fmt::format("convex hull: the points are on a line: width {} m, need >= {} m",
                             width * cloud.size, least * cloud.size));
  const Vec3 normal = along.cross(points[c] - a).normalized();
  const double above = find_largest(points, [&](const Vec3& p) {
                         return normal.dot(p - a);
                       }).second;
  const double below = find_largest(points, [&](const Vec3& p) {
                         return normal.dot(a - p);
                       }).second;
  const double thickness = std::max(above, 0.0) + std::max(below, 0.0);
  TENPIN_REQUIRE(thickness >= least,
                 fmt::format("convex hull: the points are flat: thickness {} m, need >= {} m",
                             thickness * cloud.size, least * cloud.size));
}

std::vector<int> list_corners(const std::vector<Polygon>& polygons) {
  std::vector<int> corners;
  for (const Polygon& polygon : polygons) {
    corners.insert(corners.end(), polygon.begin(), polygon.end());
  }
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

// Drops corners that are closer than the tolerance to an earlier one. After sorting along x, only
// neighbours can be that close.
std::vector<int> without_duplicates(const std::vector<Vec3>& points, std::vector<int> corners,
                                    double tolerance) {
  std::vector<int> by_x = corners;
  std::stable_sort(by_x.begin(), by_x.end(), [&](int i, int j) {
    return points[i].x() < points[j].x();
  });
  std::vector<bool> dropped(points.size(), false);
  for (std::size_t k = 0; k < by_x.size(); ++k) {
    const int i = by_x[k];
    for (std::size_t l = k + 1; l < by_x.size() && points[by_x[l]].x() - points[i].x() <= tolerance;
         ++l) {
      const int j = by_x[l];
      if (!dropped[i] && !dropped[j] && (points[i] - points[j]).norm() <= tolerance) {
        dropped[std::max(i, j)] = true;
      }
    }
  }
  std::erase_if(corners, [&](int i) {
    return dropped[i];
  });
  return corners;
}

template <typename Items>
auto select(const Items& items, const std::vector<int>& indices) {
  std::vector<std::remove_cvref_t<decltype(items[0])>> selected;
  selected.reserve(indices.size());
  for (const int i : indices) {
    selected.push_back(items[i]);
  }
  return selected;
}

// Numbers the corners that the faces use in ascending order, and sorts the faces into a canonical
// order.
std::vector<int> renumber(std::vector<Polygon>* faces) {
  std::vector<int> used = list_corners(*faces);
  for (Polygon& face : *faces) {
    for (int& v : face) {
      v = static_cast<int>(std::lower_bound(used.begin(), used.end(), v) - used.begin());
    }
    std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
  }
  std::sort(faces->begin(), faces->end());
  return used;
}

void add_faces(const std::vector<Polygon>& faces, ConvexMesh* mesh) {
  mesh->face_begin = {0};
  for (const Polygon& face : faces) {
    mesh->face_vertices.insert(mesh->face_vertices.end(), face.begin(), face.end());
    mesh->face_begin.push_back(static_cast<int>(mesh->face_vertices.size()));
    const Vec3 area = calc_area_vector(mesh->vertices, face);
    mesh->normals.emplace_back(area / area.norm());
    double offset = -std::numeric_limits<double>::infinity();
    for (const int v : face) {
      offset = std::max(offset, mesh->normals.back().dot(mesh->vertices[v]));
    }
    mesh->offsets.push_back(offset);
  }
}

void add_edges(ConvexMesh* mesh) {
  std::vector<ConvexMesh::Edge> sides;  // each edge twice, once per direction, from < to in both
  std::vector<std::pair<int, int>> neighbours;
  for (int f = 0; f < mesh->num_faces(); ++f) {
    const auto face = mesh->face(f);
    for (std::size_t k = 0; k < face.size(); ++k) {
      const int a = face[k];
      const int b = face[(k + 1) % face.size()];
      neighbours.emplace_back(a, b);
      sides.push_back(a < b ? ConvexMesh::Edge{a, b, f, -1} : ConvexMesh::Edge{b, a, -1, f});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.from, a.to, a.left) > std::tuple(b.from, b.to, b.left);
  });
  // Sorted in descending order and taken from the back: of each pair, the one without `left` comes
  // first.
  for (; sides.size() >= 2; sides.resize(sides.size() - 2)) {
    const ConvexMesh::Edge& backward = sides[sides.size() - 1];
    const ConvexMesh::Edge& forward = sides[sides.size() - 2];
    mesh->edges.push_back({forward.from, forward.to, forward.left, backward.right});
  }
  std::sort(neighbours.begin(), neighbours.end());
  mesh->neighbour_begin.assign(mesh->vertices.size() + 1, 0);
  for (const auto& [vertex, neighbour] : neighbours) {
    ++mesh->neighbour_begin[vertex + 1];
    mesh->neighbours.push_back(neighbour);
  }
  std::partial_sum(mesh->neighbour_begin.begin(), mesh->neighbour_begin.end(),
                   mesh->neighbour_begin.begin());
  // Visiting the edges in order fills the neighbour list of every vertex in order.
  mesh->neighbour_edges.resize(mesh->neighbours.size());
  std::vector<int> next = mesh->neighbour_begin;
  for (int e = 0; e < static_cast<int>(mesh->edges.size()); ++e) {
    mesh->neighbour_edges[next[mesh->edges[e].from]++] = e;
    mesh->neighbour_edges[next[mesh->edges[e].to]++] = e;
  }
}

struct Candidate {
  std::shared_ptr<ConvexMesh> mesh;
  std::string defect;
};

// The facets of the hull between the points that remain after duplicates are dropped.
std::vector<Polygon> drop_duplicates(const Cloud& cloud, const std::vector<Polygon>& facets,
                                     double tolerance) {
  const std::vector<int> corners = list_corners(facets);
  const std::vector<int> kept = without_duplicates(cloud.points, corners, tolerance);
  if (kept.size() == corners.size()) {
    return facets;
  }
  std::vector<Polygon> fewer = calc_hull_facets(select(cloud.points, kept));
  for (Polygon& facet : fewer) {
    facet = select(kept, facet);
  }
  return fewer;
}

// A mesh of the hull in which details below `tolerance` are merged, if it can be certified.
Candidate try_hull(std::span<const Vec3> points, const Cloud& cloud,
                   const std::vector<Polygon>& facets, double tolerance) {
  auto faces = merge_faces(cloud.points, drop_duplicates(cloud, facets, tolerance), tolerance);
  if (!faces) {
    return {nullptr, "faces do not close"};
  }
  const std::vector<int> used = renumber(&*faces);
  Candidate candidate = {std::make_shared<ConvexMesh>(), ""};
  candidate.mesh->vertices = select(points, used);
  add_faces(*faces, candidate.mesh.get());
  add_edges(candidate.mesh.get());
  const ConvexCertificate certificate = certify_convex(*candidate.mesh, points);
  const double allowed =
      cloud.size * (kCertifiedTolerances * tolerance + kMaxRounding + 10.0 * cloud.rounding);
  if (!certificate.holds(allowed)) {
    candidate.defect = fmt::format("{} uneven {} concave {} dent {} outside {} m",
                                   certificate.defect, certificate.unevenness,
                                   certificate.concavity, certificate.dent, certificate.outside);
  }
  return candidate;
}

}  // namespace

std::shared_ptr<const ConvexMesh> make_convex_hull(std::span<const Vec3> points) {
  const Cloud cloud = make_cloud(points);
  require_thickness(cloud);
  const std::vector<Polygon> facets = calc_hull_facets(cloud.points);
  const double tolerance = std::max(kHullTolerance, 4.0 * cloud.rounding);
  std::string defect;
  // A tolerance close to the size of real details can make the graph inconsistent; if so, a smaller
  // one is tried.
  for (const double factor : {1.0, 1e-2, 1e-4, 0.0}) {
    const Candidate candidate = try_hull(points, cloud, facets, factor * tolerance);
    if (candidate.defect.empty()) {
      return candidate.mesh;
    }
    defect = candidate.defect;
  }
  throw InputError("convex hull: cannot be certified: " + defect);
}

}  // namespace tenpin::shapes
