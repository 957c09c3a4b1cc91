// A polytope (a point, a segment, a box, a polyhedron) against a flat face.
#include <algorithm>
#include <cmath>

#include "collide/face_manifold.h"
#include "collide/features.h"
#include "collide/tolerances.h"

namespace tenpin::collide {
namespace {

class PolytopePatch {
 public:
  PolytopePatch(const Core& core, const Pose& X_RI, double margin, FaceScratch* scratch)
      : core_(core),
        polytope_(core.polytope()),
        X_RI_(X_RI),
        margin_(margin),
        scratch_(scratch),
        region_(scratch->region),
        n_I_(X_RI.R.transpose() * region_.normal()),
        shift_(region_.normal().dot(X_RI.p) - region_.offset()) {
    merge_ = kMergeTolerance * std::min(core.size(), region_.calc_size());
  }

  void append() {
    const Support lowest = core_.support(-n_I_, scratch_->start);
    scratch_->near.find(polytope_, n_I_, shift_, margin_, lowest.vertex);
    append_vertices();
    if (region_.kind() == Region::Kind::kPlane) return;
    append_edges();
    append_corners();
  }

 private:
  void append_vertices() {
    const NearFeatures& near = scratch_->near;
    for (std::size_t i = 0; i < near.vertices().size(); ++i) {
      const int v = near.vertices()[i];
      const Vec3 x = X_RI_ * polytope_.vertices[v];
      if (is_behind(v) || !region_.contains(region_.project(x))) continue;
      scratch_->patch.push_back({.p = x,
                                 .gap = near.gaps()[i],
                                 .feature_R = region_.feature(),
                                 .feature_I = make_feature(FeatureKind::kVertex, v)});
    }
  }

  // True if the vertex is on the far side of a shape that is thinner than the margin: one of its
  // faces points away, and none faces the region except edge-on.
  bool is_behind(int v) const {
    constexpr double kAway = 0.5;
    double least = 0.0;
    double largest = 0.0;
    for (const int e : polytope_.edges_of(v)) {
      const auto& edge = polytope_.edges[e];
      if (edge.left < 0) return false;
      const double slope = polytope_.normals[edge.from == v ? edge.left : edge.right].dot(n_I_);
      least = std::min(least, slope);
      largest = std::max(largest, slope);
    }
    return largest > kAway && least > kSeenEdgeOn;
  }

  // True if the edge is on the side of the polytope that faces the region, and not perpendicular to
  // it. The foot of a perpendicular edge is already a vertex.
  bool faces_region(const shapes::ConvexMesh::Edge& edge) const {
    constexpr double kUpright = 0.99;
    if (edge.left < 0) return true;
    const Vec3 along = polytope_.vertices[edge.to] - polytope_.vertices[edge.from];
    if (std::fabs(along.dot(n_I_)) > kUpright * along.norm()) return false;
    return polytope_.normals[edge.left].dot(n_I_) < 0.0 ||
           polytope_.normals[edge.right].dot(n_I_) < 0.0;
  }

  void append_edges() {
    for (const int v : scratch_->near.vertices()) {
      for (const int e : polytope_.edges_of(v)) {
        const auto& edge = polytope_.edges[e];
        if (v == edge.to && scratch_->near.has_vertex(edge.from)) continue;
        if (faces_region(edge)) append_crossings(e);
      }
    }
  }

  void append_crossings(int e) {
    const Vec3 p = X_RI_ * polytope_.vertices[polytope_.edges[e].from];
    const Vec3 q = X_RI_ * polytope_.vertices[polytope_.edges[e].to];
    const Clip clip = region_.clip(region_.project(p), region_.project(q));
    if (!clip.inside) return;
    const std::uint32_t feature = make_feature(FeatureKind::kEdge, e);
    if (clip.enter > 0.0 && !goes_along(e, clip.enter_edge)) {
      append_point(p + clip.enter * (q - p), clip.enter_feature, feature);
    }
    if (clip.leave < 1.0 && !goes_along(e, clip.leave_edge)) {
      append_point(p + clip.leave * (q - p), clip.leave_feature, feature);
    }
  }

  // True if two faces lie on each other with these edges aligned, as in a stack of equal boxes.
  // Rounding would decide where such edges cross, and the outline of the contact region is straight
  // there, so the crossing would add nothing to its neighbours.
  bool goes_along(int e, int region_edge) const {
    const auto& edge = polytope_.edges[e];
    if (region_edge < 0 || edge.left < 0) return false;
    const Vec2& outward = region_.edge_normal(region_edge);
    for (const int face : {edge.left, edge.right}) {
      const Vec3 normal = X_RI_.R * polytope_.normals[face];
      if ((normal + region_.normal()).squaredNorm() > kFlatFace * kFlatFace) continue;
      // Seen from above, the outline of a face that points down is clockwise.
      const int from = face == edge.left ? edge.from : edge.to;
      const int to = face == edge.left ? edge.to : edge.from;
      const Vec2 along =
          region_.project(X_RI_.R * (polytope_.vertices[to] - polytope_.vertices[from]));
      const Vec2 left = Vec2(-along.y(), along.x()).normalized();
      if ((left - outward).squaredNorm() <= kStraightEdge * kStraightEdge) return true;
    }
    return false;
  }

  void append_point(const Vec3& x, std::uint32_t feature_R, std::uint32_t feature_I) {
    const double gap = region_.normal().dot(x) - region_.offset();
    if (gap > margin_) return;
    append_distinct({.p = x, .gap = gap, .feature_R = feature_R, .feature_I = feature_I}, merge_,
                    &scratch_->patch);
  }

  void append_corners() {
    if (polytope_.normals.empty()) return;
    for (const int v : scratch_->near.vertices()) {
      for (const int e : polytope_.edges_of(v)) {
        const auto& edge = polytope_.edges[e];
        // The face to the left of the edge as it leaves v; going around v meets every face once.
        const int f = edge.from == v ? edge.left : edge.right;
        if (scratch_->near.visit_face(f)) append_corners_under(f);
      }
    }
  }

  void append_corners_under(int f) {
    const double slope = polytope_.normals[f].dot(n_I_);
    if (slope > kNoCornerBelow) return;
    std::vector<Vec2>& outline = scratch_->outline;
    outline.clear();
    for (const int v : polytope_.face(f)) {
      outline.push_back(region_.project(X_RI_ * polytope_.vertices[v]));
    }
    const Vec3 normal = X_RI_.R * polytope_.normals[f];
    const Vec3 on_face = X_RI_ * polytope_.vertices[polytope_.face(f)[0]];
    for (std::size_t i = 0; i < region_.corners().size(); ++i) {
      if (!is_under(region_.corners()[i])) continue;
      const Vec3 corner = region_.lift(region_.corners()[i]);
      const double gap = normal.dot(on_face - corner) / slope;
      if (gap > margin_) continue;
      append_distinct({.p = corner + gap * region_.normal(),
                       .gap = gap,
                       .feature_R = region_.corner_feature(static_cast<int>(i)),
                       .feature_I = make_feature(FeatureKind::kFace, f)},
                      merge_, &scratch_->patch);
    }
  }

  // True if x is under the face. Seen from above, the outline of a face that points down is
  // clockwise.
  bool is_under(const Vec2& x) const {
    const std::vector<Vec2>& outline = scratch_->outline;
    const double tolerance = kOutlineTolerance * core_.size();
    for (std::size_t i = 0; i < outline.size(); ++i) {
      const Vec2 edge = outline[i + 1 < outline.size() ? i + 1 : 0] - outline[i];
      const Vec2 d = x - outline[i];
      if (d.y() * edge.x() - d.x() * edge.y() > tolerance * edge.norm()) return false;
    }
    return true;
  }

  const Core& core_;
  const Polytope& polytope_;
  const Pose& X_RI_;
  double margin_;
  FaceScratch* scratch_;
  const Region& region_;
  Vec3 n_I_;
  double shift_;
  double merge_ = 0.0;
};

}  // namespace

void append_polytope_patch(const Core& incident, const Pose& X_RI, double margin,
                           FaceScratch* scratch) {
  PolytopePatch(incident, X_RI, margin, scratch).append();
}

}  // namespace tenpin::collide
