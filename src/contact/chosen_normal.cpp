#include "contact/chosen_normal.h"

#include <cmath>

#include "collide/core.h"
#include "contact/tolerances.h"

namespace tenpin::contact {

namespace {

// One polytope of a pair, and the place where it touches the other.
struct TouchedPolytope {
  const shapes::Shape& shape;
  Pose X_WS;
  Vec3 p = Vec3::Zero();  // m   middle of the touching features; world frame
};

// The faces that meet at the place of contact: one inside a face, two on an edge, more at a vertex.
struct MeetingFaces {
  int count = 0;
  Vec3 mean = Vec3::Zero();  // -   mean of their normals
  Vec3 edge = Vec3::Zero();  // -   direction of the edge between the last two
};

// True for polytopes without rounding. Rounded boxes have a normal everywhere.
bool is_polytope(const shapes::Shape& shape) {
  const auto* box = std::get_if<shapes::Box>(&shape);
  return (box != nullptr && box->radius == 0.0) ||
         std::holds_alternative<shapes::Polyhedron>(shape);
}

MeetingFaces find_meeting_faces(const TouchedPolytope& touched, double near) {
  const collide::Core core(touched.shape);
  const collide::Polytope& polytope = core.polytope();
  const Vec3 p = touched.X_WS.inverse() * touched.p;
  MeetingFaces faces;
  Vec3 last = Vec3::Zero();
  for (int f = 0; f < static_cast<int>(polytope.normals.size()); ++f) {
    const Vec3& normal = polytope.normals[f];
    if (normal.dot(p - polytope.vertices[polytope.face(f).front()]) < -near) continue;
    ++faces.count;
    faces.mean += touched.X_WS.R * normal;
    faces.edge = touched.X_WS.R * last.cross(normal);
    last = normal;
  }
  if (faces.count > 0) faces.mean /= faces.count;
  return faces;
}

// True if the surfaces determine no normal: two vertices, or a vertex and an edge, have no common
// normal, and two edges have one only if they cross.
bool leave_normal_open(const MeetingFaces& a, const MeetingFaces& b) {
  if (a.count < 2 || b.count < 2) return false;
  const bool are_edges = a.count == 2 && b.count == 2;
  return !are_edges ||
         a.edge.cross(b.edge).norm() <= kParallelEdges * a.edge.norm() * b.edge.norm();
}

// m   How far the shape extends beyond its own point along a direction.
double calc_rise(const TouchedPolytope& touched, const Vec3& direction) {
  const collide::Core core(touched.shape);
  const Vec3 top = touched.X_WS * core.support(touched.X_WS.R.transpose() * direction, 0).point;
  return direction.dot(top - touched.p);
}

void turn_frame_to(const Vec3& normal, Contact* c) {
  c->normal = normal;
  c->gap = normal.dot(c->p_b - c->p_a);
  if (c->is_planar) {
    c->t1 = c->t2.cross(normal);
    return;
  }
  const Tangents tangents = calc_tangents(normal, c->t1);
  c->t1 = tangents.t1;
  c->t2 = tangents.t2;
}

}  // namespace

bool choose_normal(const dynamics::Model& model, const std::vector<Pose>& X_WB, double near,
                   std::span<Contact> contacts) {
  const dynamics::Part& part_a = model.parts[contacts.front().key.part_a];
  const dynamics::Part& part_b = model.parts[contacts.front().key.part_b];
  if (!is_polytope(part_a.placed.shape) || !is_polytope(part_b.placed.shape)) return false;
  TouchedPolytope a{.shape = part_a.placed.shape, .X_WS = X_WB[part_a.body] * part_a.placed.X_BS};
  TouchedPolytope b{.shape = part_b.placed.shape, .X_WS = X_WB[part_b.body] * part_b.placed.X_BS};
  int count = 0;
  for (const Contact& c : contacts) {
    if (c.gap > near) continue;
    a.p += c.p_a;
    b.p += c.p_b;
    ++count;
  }
  if (count == 0) return false;
  a.p /= count;
  b.p /= count;
  const MeetingFaces faces_a = find_meeting_faces(a, near);
  const MeetingFaces faces_b = find_meeting_faces(b, near);
  if (!leave_normal_open(faces_a, faces_b)) return false;
  Vec3 normal = faces_a.mean - faces_b.mean;
  if (contacts.front().is_planar) {
    normal -= contacts.front().t2 * contacts.front().t2.dot(normal);
  }
  const double length = normal.norm();
  // there are faces on all sides, so that their mean has no meaning
  if (length < 0.5) return false;
  normal /= length;
  if (calc_rise(a, normal) > near || calc_rise(b, -normal) > near) return false;
  for (Contact& c : contacts) turn_frame_to(normal, &c);
  return true;
}

}  // namespace tenpin::contact
