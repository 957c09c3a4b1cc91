#include "collide/face_manifold.h"

#include <algorithm>

namespace tenpin::collide {

bool NearFeatures::visit_face(int f) {
  if (face_stamps_[f] == stamp_) return false;
  face_stamps_[f] = stamp_;
  return true;
}

void NearFeatures::find(const Polytope& polytope, const Vec3& n, double shift, double margin,
                        int start) {
  ++stamp_;
  if (vertex_stamps_.size() < polytope.vertices.size()) {
    vertex_stamps_.resize(polytope.vertices.size());
  }
  if (face_stamps_.size() < polytope.normals.size()) face_stamps_.resize(polytope.normals.size());
  vertices_.clear();
  gaps_.clear();
  // The vertices below a plane are connected, so a walk from the lowest one finds them all.
  const auto visit = [&](int v) {
    if (has_vertex(v)) return;
    const double gap = n.dot(polytope.vertices[v]) + shift;
    if (!(gap <= margin)) return;
    vertex_stamps_[v] = stamp_;
    vertices_.push_back(v);
    gaps_.push_back(gap);
  };
  visit(start);
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    for (const int u : polytope.neighbours_of(vertices_[i])) visit(u);
  }
}

void append_distinct(const PatchPoint& point, double tolerance, std::vector<PatchPoint>* patch) {
  const double tolerance2 = tolerance * tolerance;
  const bool known = std::any_of(patch->begin(), patch->end(), [&](const PatchPoint& other) {
    return (other.p - point.p).squaredNorm() <= tolerance2;
  });
  if (!known) patch->push_back(point);
}

void update_face_patch(const Core& incident, const Pose& X_RI, double margin,
                       FaceScratch* scratch) {
  scratch->patch.clear();
  if (incident.has_caps()) {
    append_round_patch(incident, X_RI, margin, scratch);
  } else {
    append_polytope_patch(incident, X_RI, margin, scratch);
  }
}

}  // namespace tenpin::collide
