// The contact region of a flat face and any core that faces it.   [B89, §4.2]
#pragma once

#include <cstdint>
#include <vector>

#include "collide/region.h"
#include "math/pose.h"

namespace tenpin::collide {

// One contact point between a reference core R and an incident core I, in R's frame.
struct PatchPoint {
  Vec3 p = Vec3::Zero();  // m   on I; the point of R is p - gap * normal
  double gap = 0.0;       // m   along R's normal
  std::uint32_t feature_R = 0;
  std::uint32_t feature_I = 0;
};

// Vertices and faces of a polytope near a plane. Reuses its buffers between calls.
class NearFeatures {
 public:
  // Finds all vertices with n.v + shift <= margin by walking from `start`, an extreme vertex along
  // -n.
  void find(const Polytope& polytope, const Vec3& n, double shift, double margin, int start);
  const std::vector<int>& vertices() const { return vertices_; }
  const std::vector<double>& gaps() const { return gaps_; }
  bool has_vertex(int v) const { return vertex_stamps_[v] == stamp_; }
  // Returns true if this is the first visit of the face since the last find().
  bool visit_face(int f);

 private:
  unsigned stamp_ = 0;
  std::vector<unsigned> vertex_stamps_;
  std::vector<unsigned> face_stamps_;
  std::vector<int> vertices_;
  std::vector<double> gaps_;
};

struct FaceScratch {
  Region region;
  int start = 0;  // vertex of the incident core where the walk to its lowest vertex begins
  NearFeatures near;
  std::vector<Vec2> outline;  // of an incident face, in the plane of the region
  std::vector<PatchPoint> patch;
};

// Fills scratch->patch with the points of I within `margin` of scratch->region: the vertices of I
// above the region, the points where its edges cross the outline, and the corners of the region
// below its faces. Points closer to each other than a rounding tolerance are merged.
void update_face_patch(const Core& incident, const Pose& X_RI, double margin, FaceScratch* scratch);

// The two kinds of incident cores.
void append_polytope_patch(const Core& incident, const Pose& X_RI, double margin,
                           FaceScratch* scratch);
void append_round_patch(const Core& incident, const Pose& X_RI, double margin,
                        FaceScratch* scratch);

// Appends the point unless one is already there.
void append_distinct(const PatchPoint& point, double tolerance, std::vector<PatchPoint>* patch);

// Tolerances of positions in a face, relative to the size of the shapes.
inline constexpr double kOutlineTolerance = 1e-11;
inline constexpr double kMergeTolerance = 1e-5;

}  // namespace tenpin::collide
