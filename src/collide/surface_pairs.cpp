// Faces: finds every vertex, rim or end of B within the margin of the plane of a patch, as on a
// plane, that lies over one of the patch's triangles. Edges: treats them as segments against B, and
// keeps a contact if its direction points away from the triangles on both sides (their Voronoi
// region).
#include "collide/surface_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "collide/features.h"
#include "math/frame.h"
#include "shapes/bounds.h"
#include "shapes/surface_mesh.h"

namespace tenpin::collide {

namespace {

using shapes::SurfaceMesh;

// -   relative to the size of the surface: a point this far beside a triangle still counts as over
// it. Covers the rounding of coordinates.
constexpr double kBeside = 1e-9;

// rad   By how much a direction may leave the region of an edge or a vertex; covers rounding.
constexpr double kLean = 1e-6;

// A point over a triangle.
struct FacePoint {
  ContactPoint point;
  int triangle = 0;
  double height = 0.0;  // m   of B's core over the triangle
};

bool overlap(const shapes::Aabb& a, const shapes::Aabb& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

class SurfaceQuery {
 public:
  SurfaceQuery(const PairQuery& query, double margin, NarrowPhase* narrow_phase)
      : query_(query),
        mesh_(*std::get<shapes::TriangleSurface>(query.A).mesh),
        margin_(margin),
        narrow_phase_(*narrow_phase) {
    box_ = shapes::calc_bounds(query.B, query.X_WA.inverse() * query.X_WB);
    const shapes::Aabb own = shapes::calc_bounds(query.B, Pose{});
    depth_ = 0.5 * (own.upper - own.lower).minCoeff();
    box_.lower -= Vec3::Constant(margin);
    box_.upper += Vec3::Constant(margin);
  }

  void append(std::vector<ContactPoint>* points) {
    find_near();
    for (std::size_t begin = 0, end = 0; begin < near_.size(); begin = end) {
      while (end < near_.size() && near_[end].first == near_[begin].first) ++end;
      append_faces(begin, end);
    }
    drop_hidden();
    const std::size_t first = points->size();
    for (const FacePoint& face : faces_) points->push_back(face.point);
    append_edges(first, points);
  }

 private:
  void find_near() {
    for (std::size_t block = 0; block < mesh_.blocks.size(); ++block) {
      if (!overlap(mesh_.blocks[block], box_)) continue;
      const int begin = static_cast<int>(block) * SurfaceMesh::kBlock;
      const int end = std::min(begin + SurfaceMesh::kBlock, mesh_.num_triangles());
      for (int t = begin; t < end; ++t) {
        if (overlap(mesh_.boxes[t], box_)) near_.emplace_back(mesh_.patches[t], t);
      }
    }
    std::sort(near_.begin(), near_.end());
  }

  // Appends the points over the triangles near_[begin .. end) of one patch.
  void append_faces(std::size_t begin, std::size_t end) {
    const shapes::Shape plane = shapes::Plane{};
    const int patch = near_[begin].first;
    const Vec3& normal = mesh_.normals[patch];
    const Pose X_WP = query_.X_WA * Pose{.R = frame_along(normal), .p = mesh_.corner(patch, 0)};
    found_.clear();
    narrow_phase_.append_manifold({.A = plane, .X_WA = X_WP, .B = query_.B, .X_WB = query_.X_WB},
                                  margin_, &found_);
    const Pose X_AW = query_.X_WA.inverse();
    for (ContactPoint& point : found_) {
      const double height = point.gap + point.radius_B;
      if (height < -depth_) continue;
      const Vec3 foot = X_AW * point.p_A;
      for (std::size_t i = begin; i < end; ++i) {
        if (!is_over(near_[i].second, foot)) continue;
        point.feature_A = make_feature(FeatureKind::kFace, patch);
        faces_.push_back({.point = point, .triangle = near_[i].second, .height = height});
        break;
      }
    }
  }

  // True if the point lies over the triangle. At a side where another triangle rises, the region is
  // extended, so that points that have sunk into both triangles lie over both.
  bool is_over(int t, const Vec3& foot) const {
    for (int k = 0; k < 3; ++k) {
      const Vec3& from = mesh_.corner(t, k);
      const Vec3 along = mesh_.corner(t, k + 1) - from;
      const double beyond = along.cross(mesh_.normals[t]).normalized().dot(foot - from);
      const bool is_hidden = mesh_.sides[t][k] == SurfaceMesh::kConcave;
      if (beyond > (is_hidden ? depth_ : kBeside * mesh_.size())) return false;
    }
    return true;
  }

  // Where two faces form a ridge, a point behind both has sunk through the nearer face; drops the
  // contact with the other one.
  void drop_hidden() {
    const auto is_hidden = [this](const FacePoint& deep) {
      return deep.height < 0.0 &&
             std::any_of(faces_.begin(), faces_.end(), [&](const FacePoint& other) {
               return other.point.feature_B == deep.point.feature_B &&
                      other.height > deep.height + kBeside * mesh_.size() &&
                      is_behind(deep.triangle, other.triangle) &&
                      is_behind(other.triangle, deep.triangle);
             });
    };
    std::vector<FacePoint> kept;
    std::copy_if(faces_.begin(), faces_.end(), std::back_inserter(kept),
                 [&](const FacePoint& face) {
                   return !is_hidden(face);
                 });
    faces_ = std::move(kept);
  }

  // True if a triangle lies behind the plane of another one.
  bool is_behind(int t, int other) const {
    const Vec3 middle = (mesh_.corner(t, 0) + mesh_.corner(t, 1) + mesh_.corner(t, 2)) / 3.0;
    return mesh_.normals[other].dot(middle - mesh_.corner(other, 0)) < 0.0;
  }

  void append_edges(std::size_t first, std::vector<ContactPoint>* points) {
    std::vector<int> edges;
    for (const auto& [patch, t] : near_) {
      for (const int side : mesh_.sides[t]) {
        if (side >= 0) edges.push_back(side);
      }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (const int e : edges) append_edge(e, first, points);
  }

  void append_edge(int e, std::size_t first, std::vector<ContactPoint>* points) {
    const SurfaceMesh::Edge& edge = mesh_.edges[e];
    const Vec3& from = mesh_.vertices[edge.from];
    const Vec3& to = mesh_.vertices[edge.to];
    if (!overlap({.lower = from.cwiseMin(to), .upper = from.cwiseMax(to)}, box_)) return;
    const double length = (to - from).norm();
    const shapes::Shape segment = shapes::Capsule{.radius = 0.0, .half_length = 0.5 * length};
    const Pose X_WE =
        query_.X_WA * Pose{.R = frame_along((to - from) / length), .p = 0.5 * (from + to)};
    found_.clear();
    narrow_phase_.append_manifold({.A = segment, .X_WA = X_WE, .B = query_.B, .X_WB = query_.X_WB},
                                  margin_, &found_);
    for (ContactPoint& point : found_) {
      if (point.gap + point.radius_B < -depth_) continue;
      const Vec3 direction = query_.X_WA.R.transpose() * point.normal;
      const bool is_end = feature_kind(point.feature_A) == FeatureKind::kVertex;
      const int vertex = feature_index(point.feature_A) == 0 ? edge.from : edge.to;
      if (is_end ? !is_in_vertex_region(vertex, direction) : !is_in_edge_region(edge, direction)) {
        continue;
      }
      point.feature_A =
          is_end ? make_feature(FeatureKind::kVertex, vertex) : make_feature(FeatureKind::kEdge, e);
      if (!is_known(point, first, *points)) points->push_back(point);
    }
  }

  static bool is_in_edge_region(const SurfaceMesh::Edge& edge, const Vec3& direction) {
    return std::all_of(edge.out.begin(), edge.out.end(), [&](const Vec3& out) {
      return out.dot(direction) >= -kLean;
    });
  }

  bool is_in_vertex_region(int v, const Vec3& direction) const {
    for (int k = mesh_.neighbour_begin[v]; k < mesh_.neighbour_begin[v + 1]; ++k) {
      const Vec3 along = mesh_.vertices[mesh_.neighbours[k]] - mesh_.vertices[v];
      if (along.dot(direction) > kLean * along.norm()) return false;
    }
    return true;
  }

  // True if the list contains the same point of B at the same place, or the same pair of features.
  bool is_known(const ContactPoint& point, std::size_t first,
                const std::vector<ContactPoint>& points) const {
    return std::any_of(points.begin() + static_cast<std::ptrdiff_t>(first), points.end(),
                       [&](const ContactPoint& other) {
                         return other.feature_B == point.feature_B &&
                                (other.feature_A == point.feature_A ||
                                 (other.p_A - point.p_A).norm() <= kLean * depth_);
                       });
  }

  const PairQuery& query_;
  const SurfaceMesh& mesh_;
  double margin_;
  NarrowPhase& narrow_phase_;
  shapes::Aabb box_;                       // m   of B in the surface's frame, grown by the margin
  double depth_ = 0.0;                     // m   points that have sunk deeper are not found
  std::vector<std::pair<int, int>> near_;  // patch and triangle, sorted
  std::vector<FacePoint> faces_;
  std::vector<ContactPoint> found_;  // scratch
};

}  // namespace

void append_surface_manifold(const PairQuery& query, double margin, NarrowPhase* narrow_phase,
                             std::vector<ContactPoint>* points) {
  SurfaceQuery(query, margin, narrow_phase).append(points);
}

Distance calc_surface_distance(const PairQuery& query, NarrowPhase* narrow_phase) {
  const SurfaceMesh& mesh = *std::get<shapes::TriangleSurface>(query.A).mesh;
  const shapes::Aabb box = shapes::calc_bounds(query.B, query.X_WA.inverse() * query.X_WB);
  // At most the distance from the first vertex to the farthest corner of B's box.
  const double most = (0.5 * (box.lower + box.upper) - mesh.vertices.front()).norm() +
                      0.5 * (box.upper - box.lower).norm();
  std::vector<ContactPoint> points;
  append_surface_manifold(query, most, narrow_phase, &points);
  Distance distance = {.gap = std::numeric_limits<double>::infinity(), .normal = Vec3::UnitZ()};
  for (const ContactPoint& point : points) {
    if (!(point.gap < distance.gap)) continue;
    distance = {.gap = point.gap, .p_A = point.p_A, .p_B = point.p_B, .normal = point.normal};
  }
  return distance;
}

}  // namespace tenpin::collide
