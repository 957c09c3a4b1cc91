// Computes distance and contact points of a pair of shapes, with reusable buffers.
#pragma once

#include <vector>

#include "collide/distance.h"
#include "collide/edge_manifold.h"
#include "collide/ellipsoid_pairs.h"
#include "collide/epa.h"
#include "collide/face_manifold.h"
#include "collide/manifold.h"

namespace tenpin::collide {

// The result of the last query of a pair. A caller that keeps one per pair makes coherent queries
// on large meshes fast. A hint changes results only by rounding; for bitwise repeatable runs, keep
// it with the state or do not use it.
struct PairHint {
  Vec3 direction = Vec3::Zero();  // -   from A to B, A's frame; zero when unknown
  int vertex_A = 0;
  int vertex_B = 0;
};

// Two shapes at their poses. Holds references to its arguments.
struct PairQuery {
  const shapes::Shape& A;
  const Pose& X_WA;
  const shapes::Shape& B;
  const Pose& X_WB;
  PairHint* hint = nullptr;  // optional
  // Optional: the certified distance at these poses, which is then not computed again.
  const Distance* distance = nullptr;

  PairQuery swapped() const { return {.A = B, .X_WA = X_WB, .B = A, .X_WB = X_WA}; }
};

// Use one per thread. Allocates nothing once its buffers have grown.
class NarrowPhase {
 public:
  // See the free functions of these names in manifold.h and distance.h.
  void append_manifold(const PairQuery& query, double margin, std::vector<ContactPoint>* points);
  [[nodiscard]] Distance calc_distance(const PairQuery& query);

 private:
  // A pair of cores and its best separating direction.
  struct Touch;
  // The faces whose normals may replace the separating direction: only those that separate as well,
  // or also those for which this moves no contact point, or all that are nearly orthogonal to it.
  enum class Faces { kExact, kHarmless, kNearlyFlat };
  // The flat face from which the points of a manifold are measured.
  struct Reference {
    bool of_A = true;
    int face = -1;
    // rad   angle between the face's normal and the separating direction, if it is small
    double angle = 2.0;
    double gap = 0.0;    // m   separation along the face's normal
    bool exact = false;  // true if `gap` is the signed distance, to rounding
  };

  void append_plane_manifold(const PairQuery& query, double margin,
                             std::vector<ContactPoint>* points);
  void append_boundless_manifold(const PairQuery& query, double margin,
                                 std::vector<ContactPoint>* points);
  void append_core_manifold(const PairQuery& query, double margin,
                            std::vector<ContactPoint>* points);
  bool append_box_manifold(const PairQuery& query, double margin, CorePair* pair,
                           std::vector<ContactPoint>* points);
  [[nodiscard]] Distance calc_core_distance(const PairQuery& query);
  [[nodiscard]] Separation separate(const PairQuery& query, double margin, CorePair* pair);
  [[nodiscard]] static Separation recall(const PairQuery& query, CorePair* pair);
  [[nodiscard]] static Reference find_reference(const Touch& touch, bool of_A);
  void append_patch(const PairQuery& query, const Vec3& normal_W, bool of_A,
                    std::vector<ContactPoint>* points) const;
  bool append_face(const Touch& touch, const Reference& reference, double margin,
                   std::vector<ContactPoint>* points);
  bool append_flat(const Touch& touch, double margin, Faces faces,
                   std::vector<ContactPoint>* points);
  void append_edges(const Touch& touch, double margin, std::vector<ContactPoint>* points);
  // The single contact point of a pair with an ellipsoid, without the rounding of the other shape.
  [[nodiscard]] static ContactPoint make_smooth_point(const Touch& touch,
                                                      const SmoothTouch& features);

  Epa epa_;
  FaceScratch face_;
  std::vector<EdgePoint> edge_points_;
  std::vector<ContactPoint> contacts_;
};

}  // namespace tenpin::collide
