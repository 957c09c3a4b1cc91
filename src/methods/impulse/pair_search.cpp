#include "methods/impulse/pair_search.h"

#include <algorithm>
#include <cmath>

#include "methods/impulse/collision_heap.h"
#include "methods/impulse/patch_rule.h"

namespace tenpin::methods::impulse {

using collide::BallisticMotion;
using collide::MovingShape;

void PairSearch::look(const FlyingBodies& bodies, const PartShapes& shapes,
                      const Thresholds& thresholds, double now, Pair* pair) {
  const Pose X_WA = part_pose(bodies, pair->part_a);
  const Pose X_WB = part_pose(bodies, pair->part_b);
  const collide::Distance distance = tracker_.calc_distance({.A = shapes[pair->part_a].shape,
                                                             .X_WA = X_WA,
                                                             .B = shapes[pair->part_b].shape,
                                                             .X_WB = X_WB},
                                                            &pair->features);
  pair->t = now;
  pair->normal = distance.normal;
  pair->gap = distance.gap;
  pair->contacts.clear();
  if (distance.gap <= thresholds.envelope) {
    find_contacts(bodies, shapes, thresholds.envelope, distance, pair);
  }
}

// Finds the points of the pair that are within the envelope.
void PairSearch::find_contacts(const FlyingBodies& bodies, const PartShapes& shapes,
                               double envelope, const collide::Distance& distance, Pair* pair) {
  const Pose X_WA = part_pose(bodies, pair->part_a);
  const Pose X_WB = part_pose(bodies, pair->part_b);
  points_.clear();
  collide::PairHint hint{.direction = X_WA.R.transpose() * distance.normal,
                         .vertex_A = pair->features.vertices_A[0],
                         .vertex_B = pair->features.vertices_B[0]};
  narrow_phase_.append_manifold({.A = shapes[pair->part_a].shape.shape(),
                                 .X_WA = X_WA,
                                 .B = shapes[pair->part_b].shape.shape(),
                                 .X_WB = X_WB,
                                 .hint = &hint,
                                 .distance = &distance},
                                envelope, &points_);
  if (points_.empty()) {  // exactly at the edge of the envelope
    points_.push_back(
        {.p_A = distance.p_A, .p_B = distance.p_B, .normal = distance.normal, .gap = distance.gap});
  }
  for (const collide::ContactPoint& point : points_) {
    pair->contacts.push_back(
        contact::make_contact(*bodies.model, pair->part_a, pair->part_b, bodies.X_WB, point));
  }
  pair->is_face = is_face(pair->contacts);
}

double calc_separation(const FlyingBodies& bodies, const PartShapes& shapes, const Pair& pair) {
  const BallisticMotion still;
  const Pose X_WA = part_pose(bodies, pair.part_a);
  const Pose X_WB = part_pose(bodies, pair.part_b);
  const MovingShape A{.core = shapes[pair.part_a].shape.core(),
                      .X_WS = X_WA,
                      .motion = still,
                      .start = pair.features.vertices_A[0]};
  const MovingShape B{.core = shapes[pair.part_b].shape.core(),
                      .X_WS = X_WB,
                      .motion = still,
                      .start = pair.features.vertices_B[0]};
  return calc_separation_along(A, B, pair.normal);
}

double calc_goal(const Thresholds& thresholds, double gap) {
  if (gap > thresholds.envelope) return thresholds.arrival();
  return gap > thresholds.floor() ? 0.5 * gap : gap - 0.5 * thresholds.floor();
}

double calc_heap_time(const Interval& interval, double now, double bound, double horizon) {
  const double next = now + std::min(bound, horizon);
  return next >= interval.t_end ? CollisionHeap::kNever
                                : std::max(next, std::nextafter(now, CollisionHeap::kNever));
}

double calc_next_look(const FlyingBodies& bodies, const PartShapes& shapes, const Pair& pair,
                      const collide::SeparatingPlane& plane, const Interval& interval, double now) {
  const int body_a = bodies.model->parts[pair.part_a].body;
  const int body_b = bodies.model->parts[pair.part_b].body;
  const BallisticMotion motion_a = calc_motion(bodies, body_a);
  const BallisticMotion motion_b = calc_motion(bodies, body_b);
  const Pose X_WA = part_pose(bodies, pair.part_a);
  const Pose X_WB = part_pose(bodies, pair.part_b);
  const MovingShape A{.core = shapes[pair.part_a].shape.core(),
                      .X_WS = X_WA,
                      .motion = motion_a,
                      .radius = shapes[pair.part_a].radius,
                      .start = pair.features.vertices_A[0]};
  const MovingShape B{.core = shapes[pair.part_b].shape.core(),
                      .X_WS = X_WB,
                      .motion = motion_b,
                      .radius = shapes[pair.part_b].radius,
                      .start = pair.features.vertices_B[0]};
  double horizon = interval.t_end - now;
  if (bodies.is_articulated(body_a) || bodies.is_articulated(body_b)) {
    horizon = std::min(horizon, interval.looks.slice);
  }
  const double goal = calc_goal(interval.thresholds, plane.gap);
  return calc_heap_time(interval, now, calc_time_of_impact_bound(A, B, plane, goal, horizon),
                        horizon);
}

}  // namespace tenpin::methods::impulse
