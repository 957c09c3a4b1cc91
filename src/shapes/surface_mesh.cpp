#include "shapes/surface_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/check.h"

namespace tenpin::shapes {

namespace {

// rad; -   relative to the size of the surface. Triangles this close to one plane lie in it. Ten
// times the rounding of single-precision files; with a value ten times smaller, floors from such
// files would have edges.
constexpr double kFlatAngle = 1e-5;
constexpr double kFlatHeight = 1e-6;

// -   relative to the square of the longest side
constexpr double kNoArea = 1e-12;

Aabb empty_box() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {.lower = Vec3::Constant(kInfinity), .upper = Vec3::Constant(-kInfinity)};
}

void grow(const Aabb& by, Aabb* box) {
  box->lower = box->lower.cwiseMin(by.lower);
  box->upper = box->upper.cwiseMax(by.upper);
}

// A side of a triangle.
struct Side {
  int triangle = 0;
  int k = 0;
};

class SurfaceMaker {
 public:
  explicit SurfaceMaker(const TriangleMesh& mesh) {
    const TriangleMesh welded = weld(mesh);
    mesh_.vertices = welded.vertices;
    for (const auto& triangle : welded.triangles) add_triangle(triangle);
    if (mesh_.triangles.empty()) throw InputError("the surface has no triangles with an area");
    mesh_.box = empty_box();
    for (const Aabb& box : mesh_.boxes) grow(box, &mesh_.box);
  }

  SurfaceMesh make() {
    connect();
    for (int t = 0; t < mesh_.num_triangles(); ++t) {
      if (mesh_.patches[t] < 0) spread_patch(t);
    }
    for (auto& [ends, sides] : sides_) judge_edge(ends, sides);
    list_neighbours();
    for (int t = 0; t < mesh_.num_triangles(); ++t) {
      if (t % SurfaceMesh::kBlock == 0) mesh_.blocks.push_back(empty_box());
      grow(mesh_.boxes[t], &mesh_.blocks.back());
    }
    return std::move(mesh_);
  }

 private:
  void add_triangle(const std::array<int, 3>& triangle) {
    const Vec3& a = mesh_.vertices[triangle[0]];
    const Vec3& b = mesh_.vertices[triangle[1]];
    const Vec3& c = mesh_.vertices[triangle[2]];
    const Vec3 area = (b - a).cross(c - a);
    const double longest =
        std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    if (area.norm() <= kNoArea * longest) return;
    mesh_.triangles.push_back(triangle);
    mesh_.sides.push_back({SurfaceMesh::kFlat, SurfaceMesh::kFlat, SurfaceMesh::kFlat});
    mesh_.patches.push_back(-1);
    mesh_.normals.push_back(area.normalized());
    mesh_.boxes.push_back({.lower = a.cwiseMin(b).cwiseMin(c), .upper = a.cwiseMax(b).cwiseMax(c)});
  }

  void connect() {
    for (int t = 0; t < mesh_.num_triangles(); ++t) {
      for (int k = 0; k < 3; ++k) {
        const int from = mesh_.triangles[t][k];
        const int to = mesh_.triangles[t][(k + 1) % 3];
        sides_[std::minmax(from, to)].push_back({t, k});
      }
    }
    for (const auto& [ends, sides] : sides_) {
      if (sides.size() != 2 || start(sides[0]) != start(sides[1])) continue;
      throw InputError("winding: triangles on the two sides of an edge face opposite ways");
    }
  }

  int start(const Side& side) const { return mesh_.triangles[side.triangle][side.k]; }

  // All triangles get the normal of the first one.
  void spread_patch(int first) {
    const Vec3 normal = mesh_.normals[first];
    std::vector<int> found = {first};
    mesh_.patches[first] = first;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        const int other = find_other(found[i], k);
        if (other < 0 || mesh_.patches[other] >= 0 || !is_flat(first, normal, other)) continue;
        mesh_.patches[other] = first;
        mesh_.normals[other] = normal;
        found.push_back(other);
      }
    }
  }

  int find_other(int t, int k) const {
    const auto& sides =
        sides_.at(std::minmax(mesh_.triangles[t][k], mesh_.triangles[t][(k + 1) % 3]));
    if (sides.size() != 2) return -1;
    return sides[0].triangle == t ? sides[1].triangle : sides[0].triangle;
  }

  bool is_flat(int first, const Vec3& normal, int other) const {
    if ((mesh_.normals[other] - normal).norm() > kFlatAngle) return false;
    for (int k = 0; k < 3; ++k) {
      const double height = normal.dot(mesh_.corner(other, k) - mesh_.corner(first, 0));
      if (std::fabs(height) > kFlatHeight * mesh_.size()) return false;
    }
    return true;
  }

  void judge_edge(const std::pair<int, int>& ends, const std::vector<Side>& sides) {
    if (sides.size() == 2) {
      const int t = sides[0].triangle;
      const int u = sides[1].triangle;
      if (mesh_.patches[t] == mesh_.patches[u]) return;
      const Vec3& far = mesh_.corner(u, sides[1].k + 2);
      if (mesh_.normals[t].dot(far - mesh_.vertices[ends.first]) >= 0.0) {
        for (const Side& side : sides) {
          mesh_.sides[side.triangle][side.k] = SurfaceMesh::kConcave;
        }
        return;
      }
    }
    SurfaceMesh::Edge edge = {.from = ends.first, .to = ends.second, .out = {}};
    for (const Side& side : sides) {
      mesh_.sides[side.triangle][side.k] = static_cast<int>(mesh_.edges.size());
      const Vec3 along =
          mesh_.corner(side.triangle, side.k + 1) - mesh_.corner(side.triangle, side.k);
      edge.out.push_back(along.cross(mesh_.normals[side.triangle]).normalized());
    }
    mesh_.edges.push_back(std::move(edge));
  }

  void list_neighbours() {
    std::vector<std::vector<int>> lists(mesh_.vertices.size());
    for (const auto& [ends, sides] : sides_) {
      lists[ends.first].push_back(ends.second);
      lists[ends.second].push_back(ends.first);
    }
    mesh_.neighbour_begin.push_back(0);
    for (const std::vector<int>& list : lists) {
      mesh_.neighbours.insert(mesh_.neighbours.end(), list.begin(), list.end());
      mesh_.neighbour_begin.push_back(static_cast<int>(mesh_.neighbours.size()));
    }
  }

  SurfaceMesh mesh_;
  std::map<std::pair<int, int>, std::vector<Side>> sides_;  // by their two vertices
};

}  // namespace

std::shared_ptr<const SurfaceMesh> make_surface_mesh(const TriangleMesh& mesh) {
  return std::make_shared<const SurfaceMesh>(SurfaceMaker(mesh).make());
}

}  // namespace tenpin::shapes
