// The core of a shape: a point, a segment, a polytope, a cylinder, a cone or an ellipsoid. A shape
// is its core plus a rounding radius, so one distance algorithm on cores serves all shapes with
// bounds.
#pragma once

#include <array>
#include <span>

#include "math/types.h"
#include "shapes/convex_mesh.h"
#include "shapes/shape.h"

namespace tenpin::collide {

// A view of the vertices and the adjacency of a polytope: a convex mesh, a box, a segment (one
// edge, no faces) or a point. Same conventions as shapes::ConvexMesh.
struct Polytope {
  std::span<const Vec3> vertices;  // m
  std::span<const int> face_begin;
  std::span<const int> face_vertices;
  std::span<const Vec3> normals;  // -
  std::span<const int> neighbour_begin;
  std::span<const int> neighbours;
  std::span<const shapes::ConvexMesh::Edge> edges;
  std::span<const int> neighbour_edges;

  std::span<const int> face(int f) const {
    return face_vertices.subspan(face_begin[f], face_begin[f + 1] - face_begin[f]);
  }
  std::span<const int> neighbours_of(int v) const {
    return neighbours.subspan(neighbour_begin[v], neighbour_begin[v + 1] - neighbour_begin[v]);
  }
  // The edges from v to its neighbours, in the same order.
  std::span<const int> edges_of(int v) const {
    return neighbour_edges.subspan(neighbour_begin[v], neighbour_begin[v + 1] - neighbour_begin[v]);
  }
  // The index of the edge between two neighbours.
  int find_edge(int v, int u) const;
};

enum class CoreKind { kPoint, kSegment, kBox, kMesh, kCylinder, kCone, kEllipsoid };

// The point of a core that is farthest in a direction.
struct Support {
  Vec3 point = Vec3::Zero();  // m   core's frame
  int vertex = -1;            // of the polytope; -1 on a curved core
};

class Core {
 public:
  // Keeps a view of the shape's mesh. Planes and bowls have no core.
  explicit Core(const shapes::Shape& shape);
  Core(const Core&) = delete;  // the polytope refers to the object's own vertices
  Core& operator=(const Core&) = delete;
  ~Core() = default;

  CoreKind kind() const { return kind_; }
  bool is_cylinder() const { return kind_ == CoreKind::kCylinder; }
  bool is_ellipsoid() const { return kind_ == CoreKind::kEllipsoid; }
  bool is_cone() const { return kind_ == CoreKind::kCone; }
  // Flat ends are discs: both ends of a cylinder, or the base of a cone.
  bool has_caps() const { return is_cylinder() || is_cone(); }
  bool is_curved() const { return has_caps() || is_ellipsoid(); }
  double rounding() const { return rounding_; }  // m
  double size() const { return size_; }          // m   order of magnitude, scale of tolerances
  double radius() const { return radius_; }      // m   of caps
  double half_length() const { return half_length_; }   // m   of a cylinder or cone
  const Vec3& semiaxes() const { return corners_[0]; }  // m   of an ellipsoid
  const Polytope& polytope() const { return polytope_; }

  // m   Tip of a cone.
  Vec3 apex() const { return {0.0, 0.0, half_length_}; }
  // -   Outward normal of the side of a cone: along its axis.
  double side_height() const {
    return shapes::Cone{.radius = radius_, .half_length = half_length_}.side_normal().y();
  }

  // A point of the core with the largest direction . point; walks from vertex `start` on meshes.
  Support support(const Vec3& direction, int start) const;

 private:
  void set_box(const Vec3& half);
  void set_segment(double half_length);
  void set_mesh(const shapes::ConvexMesh& mesh);

  CoreKind kind_ = CoreKind::kPoint;
  double rounding_ = 0.0;
  double size_ = 0.0;
  double radius_ = 0.0;
  double half_length_ = 0.0;
  Polytope polytope_;
  std::array<Vec3, 8> corners_;  // of a box, a segment or a point; the semiaxes of an ellipsoid
};

}  // namespace tenpin::collide
