#include "shapes/triangle_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "shapes/convex_hull.h"
#include "shapes/mass_properties.h"

namespace tenpin::shapes {
namespace {

// For each vertex, the first one with the same coordinates.
std::vector<int> find_first_equals(const std::vector<Vec3>& vertices) {
  const auto key = [&](int i) {
    return std::tuple(vertices[i].x(), vertices[i].y(), vertices[i].z());
  };
  std::vector<int> order(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return std::tuple(key(i), i) < std::tuple(key(j), j);
  });
  std::vector<int> first(vertices.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool same = k > 0 && key(order[k]) == key(order[k - 1]);
    first[order[k]] = same ? first[order[k - 1]] : order[k];
  }
  return first;
}

// The signed volume of the tetrahedra from the first vertex to each triangle.
double calc_volume(const TriangleMesh& mesh) {
  double sum = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3& origin = mesh.vertices[0];
    sum += (mesh.vertices[a] - origin)
               .dot((mesh.vertices[b] - origin).cross(mesh.vertices[c] - origin));
  }
  return sum / 6.0;
}

}  // namespace

TriangleMesh weld(const TriangleMesh& mesh) {
  const std::vector<int> first = find_first_equals(mesh.vertices);
  TriangleMesh welded;
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const auto& [a, b, c] : mesh.triangles) {
    const std::array<int, 3> triangle = {first[a], first[b], first[c]};
    if (first[a] != first[b] && first[b] != first[c] && first[c] != first[a]) {
      welded.triangles.push_back(triangle);
      used[first[a]] = used[first[b]] = used[first[c]] = true;
    }
  }
  std::vector<int> number(mesh.vertices.size(), -1);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (used[v]) {
      number[v] = static_cast<int>(welded.vertices.size());
      welded.vertices.push_back(mesh.vertices[v]);
    }
  }
  for (auto& triangle : welded.triangles) {
    for (int& v : triangle) {
      v = number[v];
    }
  }
  return welded;
}

bool Closedness::closed() const {
  return num_open == 0 && num_non_manifold == 0 && num_inverted == 0 && volume > 0.0;
}

std::string Closedness::problem() const {
  if (num_open > 0) {
    return fmt::format("open: {} edges have only one triangle", num_open);
  }
  if (num_non_manifold > 0) {
    return fmt::format("not a surface: {} edges have more than two triangles", num_non_manifold);
  }
  if (num_inverted > 0) {
    return fmt::format("winding: across {} edges the triangles face opposite ways", num_inverted);
  }
  return volume > 0.0 ? "" : fmt::format("inside out: volume {} m^3", volume);
}

Closedness check_closed(const TriangleMesh& mesh) {
  struct Side {
    int low, high;
    bool forward;
  };
  std::vector<Side> sides;
  for (const auto& triangle : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const int a = triangle[k];
      const int b = triangle[(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), a < b});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tuple(a.low, a.high) < std::tuple(b.low, b.high);
  });
  Closedness report;
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    int num_forward = 0;
    for (; end < sides.size() && sides[end].low == sides[begin].low &&
           sides[end].high == sides[begin].high;
         ++end) {
      num_forward += sides[end].forward ? 1 : 0;
    }
    const std::size_t num = end - begin;
    report.num_open += num == 1 ? 1 : 0;
    report.num_non_manifold += num > 2 ? 1 : 0;
    report.num_inverted += num == 2 && num_forward != 1 ? 1 : 0;
  }
  report.volume = mesh.vertices.empty() ? 0.0 : calc_volume(mesh);
  return report;
}

MeshHull make_mesh_hull(const TriangleMesh& mesh) {
  const TriangleMesh welded = weld(mesh);
  MeshHull result = {.mesh = make_convex_hull(welded.vertices), .note = ""};
  const Closedness closedness = check_closed(welded);
  if (!closedness.closed()) {
    result.note = fmt::format("convex hull used; the mesh is {}", closedness.problem());
    return result;
  }
  const PlacedShape hull = {Polyhedron{result.mesh}, Pose()};
  const double volume = calc_mass_properties({&hull, 1}, 1.0).mass;
  const double added = (volume - closedness.volume) / closedness.volume;
  // Merging features smaller than the hull's tolerance changes the volume by about this much.
  if (std::fabs(added) > 100.0 * kHullTolerance) {
    result.note = fmt::format(
        "convex hull used; the mesh is not convex: the hull adds {:.3g} % to its volume {:.6g} m^3",
        100.0 * added, closedness.volume);
  }
  return result;
}

}  // namespace tenpin::shapes
