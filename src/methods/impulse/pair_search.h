// How far apart the parts of a pair are, where they touch, and how long they certainly do not.
#pragma once

#include <cstdint>
#include <vector>

#include "collide/closest_features.h"
#include "collide/manifold.h"
#include "collide/narrow_phase.h"
#include "collide/time_of_impact.h"
#include "methods/impulse/pair_table.h"

namespace tenpin::methods::impulse {

// Keeps its buffers.
class PairSearch {
 public:
  // Writes distance and contact points of the pair at time `now`, to which its bodies have moved.
  void look(const FlyingBodies& bodies, const PartShapes& shapes, const Thresholds& thresholds,
            double now, Pair* pair);

  std::int64_t num_queries() const { return tracker_.num_queries(); }
  std::int64_t num_steps() const { return tracker_.num_steps(); }

 private:
  void find_contacts(const FlyingBodies& bodies, const PartShapes& shapes, double envelope,
                     const collide::Distance& distance, Pair* pair);

  collide::FeatureTracker tracker_;
  collide::NarrowPhase narrow_phase_;
  std::vector<collide::ContactPoint> points_;
};

// m   Separation along the direction of the last look.
[[nodiscard]] double calc_separation(const FlyingBodies& bodies, const PartShapes& shapes,
                                     const Pair& pair);

// m   The gap down to which a pair need not be examined. Outside the envelope, this is a place just
// inside it; within the envelope, half the gap; at its floor, a little less.
[[nodiscard]] double calc_goal(const Thresholds& thresholds, double gap);

// s   The time to look again, from `now`, after `bound` seconds that are certainly uneventful, but
// at most `horizon`; CollisionHeap::kNever at the end of the interval.
[[nodiscard]] double calc_heap_time(const Interval& interval, double now, double bound,
                                    double horizon);

// s   The same for a pair that a plane separates now.
[[nodiscard]] double calc_next_look(const FlyingBodies& bodies, const PartShapes& shapes,
                                    const Pair& pair, const collide::SeparatingPlane& plane,
                                    const Interval& interval, double now);

}  // namespace tenpin::methods::impulse
