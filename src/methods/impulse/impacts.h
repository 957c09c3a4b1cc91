// Resolves impacts: impulses at one contact point, or at all points of a face, and their residuals.
#pragma once

#include <vector>

#include "methods/impulse/collision_matrix.h"
#include "methods/impulse/impact_rule.h"
#include "methods/impulse/journal.h"
#include "methods/impulse/pair_table.h"
#include "methods/impulse/patch_rule.h"
#include "scene/options.h"

namespace tenpin::methods::impulse {

// The impact of a face: one entry per point, which act in the plane of its middle.
struct FaceImpact {
  ImpactKind kind = ImpactKind::kMicro;
  std::vector<contact::Contact> contacts;
  std::vector<PointImpact> points;
};

struct ContactImpact {
  PointImpact point;
  bool is_guarded = false;    // the energetic law replaces Newton's, which would gain energy
  bool is_unbounded = false;  // no finite impulse ends the impact; none was applied
};

// Keeps its buffers. Bodies must have moved to the time of the impact.
class Impacts {
 public:
  // The bodies must outlive this.
  Impacts(const scene::ImpulseOptions& options, FlyingBodies* bodies);
  void begin(const Thresholds& thresholds);

  const ImpactRule& rule() const { return rule_; }

  // The colliding contact of a pair that approaches fastest; null if none collides.
  [[nodiscard]] const contact::Contact* find_next(const Pair& pair) const;
  // Applies the impulse of one contact. A corner is a point of a face whose other points will meet,
  // too.
  [[nodiscard]] ContactImpact resolve(const contact::Contact& contact, bool is_corner);
  // Applies one impulse per point of a slow face, all at once. False if the contacts form no such
  // face, or if it has no rule.
  [[nodiscard]] bool resolve_face(const std::vector<contact::Contact>& contacts, FaceImpact* face);

 private:
  ImpactProblem make_problem(const contact::Contact& contact, bool is_corner) const;
  struct PatchGoal;
  bool make_patch(const std::vector<contact::Contact>& contacts, PatchGoal* goal);

  scene::ImpulseOptions options_;
  FlyingBodies* bodies_;
  Thresholds thresholds_;
  CollisionMatrix matrix_;
  ImpactRule rule_;
  PatchRule patch_rule_;
  PatchProblem patch_;
};

}  // namespace tenpin::methods::impulse
