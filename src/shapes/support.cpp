#include "shapes/support.h"

#include <cmath>

#include "base/check.h"
#include "shapes/convex_mesh.h"
#include "shapes/ellipsoid.h"

namespace tenpin::shapes {
namespace {

// `v` scaled to the given length; zero stays zero.
Vec3 with_length(const Vec3& v, double length) {
  const double largest = v.cwiseAbs().maxCoeff();
  if (largest == 0.0) {
    return Vec3::Zero();
  }
  const Vec3 scaled = v / largest;  // the square of a tiny component could underflow
  return scaled * (length / scaled.norm());
}

struct FindSupport {
  const Vec3& direction;
  int hint;

  Support operator()(const Sphere& sphere) const {
    return {.point = with_length(direction, sphere.radius)};
  }
  Support operator()(const Box& box) const {
    Support found;
    const Vec3 half = box.core_half();
    for (int i = 0; i < 3; ++i) {
      const bool positive = direction[i] >= 0.0;
      found.point[i] = positive ? half[i] : -half[i];
      found.feature |= positive ? 1 << i : 0;
    }
    if (box.radius > 0.0) found.point += with_length(direction, box.radius);
    return found;
  }
  Support operator()(const Ellipsoid& ellipsoid) const {
    return {.point = calc_ellipsoid_point(ellipsoid.semiaxes, with_length(direction, 1.0))};
  }
  Support operator()(const Capsule& capsule) const {
    const bool positive = direction.z() >= 0.0;
    const Vec3 end(0, 0, positive ? capsule.half_length : -capsule.half_length);
    return {.point = end + with_length(direction, capsule.radius), .feature = positive ? 1 : 0};
  }
  Support operator()(const Cylinder& cylinder) const {
    const bool positive = direction.z() >= 0.0;
    Vec3 point = with_length(Vec3(direction.x(), direction.y(), 0.0), cylinder.radius);
    point.z() = positive ? cylinder.half_length : -cylinder.half_length;
    return {.point = point, .feature = positive ? 1 : 0};
  }
  Support operator()(const Cone& cone) const {
    const Vec3 apex(0.0, 0.0, cone.half_length);
    Vec3 rim = with_length(Vec3(direction.x(), direction.y(), 0.0), cone.radius);
    rim.z() = -cone.half_length;
    const bool is_apex = direction.dot(apex - rim) >= 0.0;
    return {.point = is_apex ? apex : rim, .feature = is_apex ? 1 : 0};
  }
  Support operator()(const Plane& /*plane*/) const {
    throw InputError("a plane is infinite: it has no farthest point");
  }
  Support operator()(const Bowl& /*bowl*/) const {
    throw InputError("a bowl is infinite: it has no farthest point");
  }
  Support operator()(const TriangleSurface& /*surface*/) const {
    throw InputError(
        "a surface of triangles is the border of an infinite solid: it has no "
        "farthest point");
  }
  Support operator()(const Polyhedron& polyhedron) const {
    const int vertex = find_extreme_vertex(*polyhedron.mesh, direction, hint);
    return {.point = polyhedron.mesh->vertices[vertex], .feature = vertex};
  }
};

}  // namespace

Support support(const Shape& shape, const Vec3& direction, int hint) {
  return std::visit(FindSupport{direction, hint}, shape);
}

int find_extreme_vertex(const ConvexMesh& mesh, const Vec3& direction, int hint) {
  int best = hint;
  double height = mesh.vertices[best].dot(direction);
  for (int from = -1; from != best;) {
    from = best;
    for (int k = mesh.neighbour_begin[from]; k < mesh.neighbour_begin[from + 1]; ++k) {
      const int neighbour = mesh.neighbours[k];
      const double neighbour_height = mesh.vertices[neighbour].dot(direction);
      if (neighbour_height > height) {
        height = neighbour_height;
        best = neighbour;
      }
    }
  }
  return best;
}

}  // namespace tenpin::shapes
