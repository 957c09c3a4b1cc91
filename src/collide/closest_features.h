// The closest features of two convex shapes, tracked from query to query.
// [MC95, §Prioritizing collisions] walks from the previous closest pair of features to the present
// one (Lin and Canny; V-Clip removes its loops). Here the pair is represented by the vertices that
// span it: at most three of each polytope, so a vertex, an edge or a face of each. A query moves
// them to the new poses, computes the closest point that they span, and searches both polytopes for
// a vertex pair beyond it, by walking uphill along their edges from these vertices. If no feature
// changed, there is no such pair, and the query only visits the neighbours of a few vertices,
// however large the mesh is. Otherwise the new pair replaces the pairs that the closest point does
// not need. The distance strictly decreases from step to step, so the walk cannot loop. It ends
// only with a proof: a direction along which the polytopes are as far apart as the points found.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "collide/core.h"
#include "collide/narrow_phase.h"

namespace tenpin::collide {

enum class FeatureSpan : std::uint8_t { kVertex = 1, kEdge = 2, kFace = 3 };

// The state of a pair after its last query; fresh before the first one.
struct FeaturePair {
  int size = 0;  // vertex pairs, 0 when fresh
  std::array<int, 3> vertices_A = {};
  std::array<int, 3> vertices_B = {};

  // The features that the distinct vertices span: a vertex, an edge or a face.
  FeatureSpan span_A() const { return count(vertices_A); }
  FeatureSpan span_B() const { return count(vertices_B); }

 private:
  FeatureSpan count(const std::array<int, 3>& v) const {
    int different = 1;
    if (size > 1 && v[1] != v[0]) ++different;
    if (size > 2 && v[2] != v[0] && v[2] != v[1]) ++different;
    return static_cast<FeatureSpan>(different);
  }
};

// A shape with precomputed data for queries.
class TrackedShape {
 public:
  explicit TrackedShape(const shapes::Shape& shape) : shape_(&shape) {
    if (!shapes::is_boundless(shape)) core_.emplace(shape);
  }

  const shapes::Shape& shape() const { return *shape_; }
  const Core* core() const { return core_ ? &*core_ : nullptr; }  // null for planes and bowls

 private:
  const shapes::Shape* shape_;
  std::optional<Core> core_;
};

// Two shapes at their poses. Holds references to its arguments.
struct FeatureQuery {
  const TrackedShape& A;
  const Pose& X_WA;
  const TrackedShape& B;
  const Pose& X_WB;
};

// Computes distances with tracked features. Use one per thread. Allocates nothing once its buffers
// have grown.
class FeatureTracker {
 public:
  // Computes what collide::calc_distance does, for all shapes. *pair is the starting point and
  // receives the final features. Pairs that overlap, touch within rounding or are curved
  // (cylinders, ellipsoids) are passed to the narrow phase.
  [[nodiscard]] Distance calc_distance(const FeatureQuery& query, FeaturePair* pair);

  std::int64_t num_queries() const { return num_queries_; }
  std::int64_t num_steps() const { return num_steps_; }  // feature changes over all queries

 private:
  bool descend(const FeatureQuery& query, FeaturePair* pair, Distance* distance);

  NarrowPhase narrow_phase_;
  std::int64_t num_queries_ = 0;
  std::int64_t num_steps_ = 0;
};

}  // namespace tenpin::collide
