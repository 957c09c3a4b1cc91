#include "contact/flat_faces.h"

#include <algorithm>

#include "collide/core.h"
#include "shapes/bounds.h"

namespace tenpin::contact {

namespace {

bool has_flat_faces(const shapes::Shape& shape) {
  return std::holds_alternative<shapes::Box>(shape) ||
         std::holds_alternative<shapes::Polyhedron>(shape);
}

// The normal, in the world frame, of the face whose normal is closest to a direction.
Vec3 find_face_towards(const shapes::Shape& shape, const Mat3& R_WS, const Vec3& direction) {
  const collide::Core core(shape);
  const collide::Polytope& polytope = core.polytope();
  const Vec3 along = R_WS.transpose() * direction;
  return R_WS * *std::max_element(polytope.normals.begin(), polytope.normals.end(),
                                  [&](const Vec3& a, const Vec3& b) {
                                    return a.dot(along) < b.dot(along);
                                  });
}

}  // namespace

bool lie_flat(const dynamics::Model& model, const std::vector<Pose>& X_WB, double flat,
              const Contact& c) {
  const shapes::PlacedShape& a = model.parts[c.key.part_a].placed;
  const shapes::PlacedShape& b = model.parts[c.key.part_b].placed;
  if (!has_flat_faces(a.shape) || !has_flat_faces(b.shape)) return false;
  const Vec3 n_a = find_face_towards(a.shape, X_WB[c.body_a].R * a.X_BS.R, c.normal);
  const Vec3 n_b = find_face_towards(b.shape, X_WB[c.body_b].R * b.X_BS.R, -c.normal);
  const double size = 2.0 * std::min(shapes::calc_bounding_radius(a.shape, Vec3::Zero()),
                                     shapes::calc_bounding_radius(b.shape, Vec3::Zero()));
  return n_a.dot(n_b) < 0.0 && n_a.cross(n_b).norm() * size <= flat;
}

}  // namespace tenpin::contact
