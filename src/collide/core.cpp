#include "collide/core.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "collide/tolerances.h"
#include "shapes/ellipsoid.h"

namespace tenpin::collide {
namespace {

using Edge = shapes::ConvexMesh::Edge;

// The unit cube. Bit k of a vertex index is the sign of coordinate k; faces are -x +x -y +y -z +z.
constexpr std::array<int, 7> kBoxFaceBegin = {0, 4, 8, 12, 16, 20, 24};
constexpr std::array<int, 24> kBoxFaces = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                           2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
constexpr std::array<int, 9> kBoxNeighbourBegin = {0, 3, 6, 9, 12, 15, 18, 21, 24};
constexpr std::array<int, 24> kBoxNeighbours = {1, 2, 4, 0, 3, 5, 0, 3, 6, 1, 2, 7,
                                                0, 5, 6, 1, 4, 7, 2, 4, 7, 3, 5, 6};
constexpr std::array<Edge, 12> kBoxEdges = {{{0, 1, 2, 4},
                                             {0, 2, 4, 0},
                                             {0, 4, 0, 2},
                                             {1, 3, 1, 4},
                                             {1, 5, 2, 1},
                                             {2, 3, 4, 3},
                                             {2, 6, 3, 0},
                                             {3, 7, 1, 3},
                                             {4, 5, 5, 2},
                                             {4, 6, 0, 5},
                                             {5, 7, 5, 1},
                                             {6, 7, 3, 5}}};
constexpr std::array<int, 24> kBoxNeighbourEdges = {0, 1, 2, 0, 3, 4,  1, 5, 6,  3, 5,  7,
                                                    2, 8, 9, 4, 8, 10, 6, 9, 11, 7, 10, 11};
constexpr std::array<int, 3> kSegmentNeighbourBegin = {0, 1, 2};
constexpr std::array<int, 2> kSegmentNeighbours = {1, 0};
constexpr std::array<Edge, 1> kSegmentEdges = {{{0, 1, -1, -1}}};
constexpr std::array<int, 2> kSegmentNeighbourEdges = {0, 0};
constexpr std::array<int, 2> kPointNeighbourBegin = {0, 0};

// On meshes up to this size, scanning all vertices is faster than walking.
constexpr int kScanLimit = 24;

std::span<const Vec3> box_normals() {
  static const std::array<Vec3, 6> normals = {-Vec3::UnitX(), Vec3::UnitX(),  -Vec3::UnitY(),
                                              Vec3::UnitY(),  -Vec3::UnitZ(), Vec3::UnitZ()};
  return normals;
}

int scan(const Polytope& polytope, const Vec3& direction) {
  int best = 0;
  double best_dot = direction.dot(polytope.vertices[0]);
  for (int v = 1; v < static_cast<int>(polytope.vertices.size()); ++v) {
    const double dot = direction.dot(polytope.vertices[v]);
    if (dot > best_dot) {
      best_dot = dot;
      best = v;
    }
  }
  return best;
}

// On a convex polytope a vertex that is higher than its neighbours is the highest. Every step
// strictly increases the height, so the walk ends.
int climb(const Polytope& polytope, const Vec3& direction, int start) {
  const Vec3* vertices = polytope.vertices.data();
  const int* neighbours = polytope.neighbours.data();
  const auto height = [&](int v) {
    const Vec3& p = vertices[v];
    return direction.x() * p.x() + direction.y() * p.y() + direction.z() * p.z();
  };
  int best = start;
  double best_height = height(best);
  while (true) {
    const int* begin = neighbours + polytope.neighbour_begin[best];
    const int* end = neighbours + polytope.neighbour_begin[best + 1];
    int next = best;
    for (const int* u = begin; u != end; ++u) {
      const double candidate = height(*u);
      if (!(candidate > best_height)) continue;
      best_height = candidate;
      next = *u;
    }
    if (next == best) return best;
    best = next;
  }
}

// The point of a rim farthest along the direction.
Vec3 calc_rim_point(double radius, double z, const Vec3& direction) {
  const double rho = std::sqrt(direction.x() * direction.x() + direction.y() * direction.y());
  if (rho == 0.0) return {0.0, 0.0, z};
  return {radius * (direction.x() / rho), radius * (direction.y() / rho), z};
}

Vec3 cylinder_support(double radius, double half_length, const Vec3& direction) {
  return calc_rim_point(radius, direction.z() >= 0.0 ? half_length : -half_length, direction);
}

Vec3 cone_support(double radius, double half_length, const Vec3& direction) {
  const double rho = std::sqrt(direction.x() * direction.x() + direction.y() * direction.y());
  if (2.0 * half_length * direction.z() >= radius * rho) return {0.0, 0.0, half_length};
  return calc_rim_point(radius, -half_length, direction);
}

}  // namespace

int Polytope::find_edge(int v, int u) const {
  const std::span<const int> around = neighbours_of(v);
  const auto found = std::find(around.begin(), around.end(), u);
  TENPIN_ASSERT(found != around.end());
  return edges_of(v)[found - around.begin()];
}

Core::Core(const shapes::Shape& shape) {
  if (const auto* sphere = std::get_if<shapes::Sphere>(&shape)) {
    rounding_ = sphere->radius;
    size_ = rounding_;
    corners_[0].setZero();
    polytope_.vertices = std::span(corners_).first(1);
    polytope_.neighbour_begin = kPointNeighbourBegin;
  } else if (const auto* box = std::get_if<shapes::Box>(&shape)) {
    rounding_ = box->radius;
    set_box(box->core_half());
  } else if (const auto* capsule = std::get_if<shapes::Capsule>(&shape)) {
    rounding_ = capsule->radius;
    set_segment(capsule->half_length);
  } else if (const auto* cylinder = std::get_if<shapes::Cylinder>(&shape)) {
    kind_ = CoreKind::kCylinder;
    radius_ = cylinder->radius;
    half_length_ = cylinder->half_length;
    size_ = radius_ + half_length_;
  } else if (const auto* cone = std::get_if<shapes::Cone>(&shape)) {
    kind_ = CoreKind::kCone;
    radius_ = cone->radius;
    half_length_ = cone->half_length;
    size_ = radius_ + half_length_;
  } else if (const auto* ellipsoid = std::get_if<shapes::Ellipsoid>(&shape)) {
    kind_ = CoreKind::kEllipsoid;
    corners_[0] = ellipsoid->semiaxes;
    size_ = ellipsoid->semiaxes.sum();
  } else if (const auto* polyhedron = std::get_if<shapes::Polyhedron>(&shape)) {
    set_mesh(*polyhedron->mesh);
  } else {
    TENPIN_DEMAND(false && "planes, bowls and surfaces have no core");
  }
}

void Core::set_box(const Vec3& half) {
  kind_ = CoreKind::kBox;
  size_ = half.sum() + rounding_;
  for (int i = 0; i < 8; ++i) {
    corners_[i] = Vec3((i & 1) != 0 ? half.x() : -half.x(), (i & 2) != 0 ? half.y() : -half.y(),
                       (i & 4) != 0 ? half.z() : -half.z());
  }
  polytope_ = {.vertices = corners_,
               .face_begin = kBoxFaceBegin,
               .face_vertices = kBoxFaces,
               .normals = box_normals(),
               .neighbour_begin = kBoxNeighbourBegin,
               .neighbours = kBoxNeighbours,
               .edges = kBoxEdges,
               .neighbour_edges = kBoxNeighbourEdges};
}

void Core::set_segment(double half_length) {
  kind_ = CoreKind::kSegment;
  size_ = half_length + rounding_;
  corners_[0] = Vec3(0.0, 0.0, -half_length);
  corners_[1] = Vec3(0.0, 0.0, half_length);
  polytope_.vertices = std::span(corners_).first(2);
  polytope_.neighbour_begin = kSegmentNeighbourBegin;
  polytope_.neighbours = kSegmentNeighbours;
  polytope_.edges = kSegmentEdges;
  polytope_.neighbour_edges = kSegmentNeighbourEdges;
}

void Core::set_mesh(const shapes::ConvexMesh& mesh) {
  kind_ = CoreKind::kMesh;
  polytope_ = {.vertices = mesh.vertices,
               .face_begin = mesh.face_begin,
               .face_vertices = mesh.face_vertices,
               .normals = mesh.normals,
               .neighbour_begin = mesh.neighbour_begin,
               .neighbours = mesh.neighbours,
               .edges = mesh.edges,
               .neighbour_edges = mesh.neighbour_edges};
  const int stride = std::max(1, mesh.num_vertices() / kWalkSamples);
  for (int v = 0; v < mesh.num_vertices(); v += stride) {
    size_ = std::max(size_, mesh.vertices[v].lpNorm<1>());
  }
}

Support Core::support(const Vec3& direction, int start) const {
  switch (kind_) {
    case CoreKind::kPoint:
      return {.point = corners_[0], .vertex = 0};
    case CoreKind::kSegment: {
      const int v = direction.z() >= 0.0 ? 1 : 0;
      return {.point = corners_[v], .vertex = v};
    }
    case CoreKind::kBox: {
      const int v = (direction.x() >= 0.0 ? 1 : 0) | (direction.y() >= 0.0 ? 2 : 0) |
                    (direction.z() >= 0.0 ? 4 : 0);
      return {.point = corners_[v], .vertex = v};
    }
    case CoreKind::kCylinder:
      return {.point = cylinder_support(radius_, half_length_, direction), .vertex = -1};
    case CoreKind::kCone:
      return {.point = cone_support(radius_, half_length_, direction), .vertex = -1};
    case CoreKind::kEllipsoid:
      return {.point = shapes::calc_ellipsoid_point(semiaxes(), direction), .vertex = -1};
    case CoreKind::kMesh:
      break;
  }
  const bool small = polytope_.vertices.size() <= kScanLimit;
  const int v =
      small ? scan(polytope_, direction) : climb(polytope_, direction, std::max(start, 0));
  return {.point = polytope_.vertices[v], .vertex = v};
}

}  // namespace tenpin::collide
