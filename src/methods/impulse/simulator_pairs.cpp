// Finds pairs that can meet, lower bounds of the time until they meet, and their contact points.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounded.h"
#include "methods/impulse/simulator.h"
#include "shapes/bounds.h"

namespace tenpin::methods::impulse {

using collide::BallisticMotion;
using collide::MovingShape;
using contact::Contact;
using shapes::Aabb;

namespace {

bool contains(const Aabb& outer, const Aabb& inner) {
  return (outer.lower.array() <= inner.lower.array()).all() &&
         (inner.upper.array() <= outer.upper.array()).all();
}

// Enlarges the box by the range of a parabola over [0, h], along each axis.
void stretch_by_flight(const BallisticMotion& m, double h, Aabb* box) {
  for (int k = 0; k < 3; ++k) {
    const double v = m.velocity[k];
    const double a = m.acceleration[k];
    const double end = h * (v + 0.5 * h * a);
    const double turn = a != 0.0 ? -v / a : -1.0;
    const double apex = turn > 0.0 && turn < h ? 0.5 * turn * v : 0.0;
    box->lower[k] += std::min({0.0, end, apex});
    box->upper[k] += std::max({0.0, end, apex});
  }
}

}  // namespace

Pose Simulator::part_pose(int part) const {
  const dynamics::Part& p = model_->parts[part];
  return bodies_.pose(p.body) * p.placed.X_BS;
}

// Bounds the places of a part from now to the end of the interval.
Aabb Simulator::calc_swept_box(int part) const {
  const dynamics::Part& p = model_->parts[part];
  const Pose X_WS = part_pose(part);
  Aabb box = shapes::calc_bounds(p.placed.shape, X_WS);
  if (bodies_.stands(p.body)) return box;
  const BallisticMotion m = calc_motion(bodies_, p.body);
  const double h = t_end_ - now_;
  const double more = bodies_.is_articulated(p.body) ? looks_.reach : 1.0;
  const double turn = std::min(more * h * m.spin_bound, 2.0) * parts_[part].radius;
  const Vec3 grow =
      Vec3::Constant(turn + 0.5 * more * h * h * m.unsteadiness + thresholds_.envelope);
  box.lower -= grow;
  box.upper += grow;
  stretch_by_flight(m, h, &box);
  return box;
}

bool Simulator::has_pair(int part_a, int part_b) const {
  const std::vector<int>& list = parts_[part_a].pairs.size() < parts_[part_b].pairs.size()
                                     ? parts_[part_a].pairs
                                     : parts_[part_b].pairs;
  return std::any_of(list.begin(), list.end(), [&](int i) {
    return pairs_[i].part_a == part_a && pairs_[i].part_b == part_b;
  });
}

void Simulator::add_pair(int part_a, int part_b) {
  const int index = num_pairs_++;
  if (index == static_cast<int>(pairs_.size())) pairs_.emplace_back();
  Pair& pair = pairs_[index];
  pair.part_a = part_a;
  pair.part_b = part_b;
  pair.features = {};
  pair.t = -1.0;
  pair.contacts.clear();
  parts_[part_a].pairs.push_back(index);
  parts_[part_b].pairs.push_back(index);
}

// Uses only the present places of all bodies.   [MC95, §Further reducing collision checks]
void Simulator::find_pairs() {
  num_pairs_ = 0;
  heap_.clear();
  const int count = static_cast<int>(parts_.size());
  hash_.reset(count);
  for (int i = 0; i < count; ++i) {
    parts_[i].pairs.clear();
    hash_.place(i, calc_swept_box(i));
  }
  for (int i = 0; i < count; ++i) {
    if (!model_->bodies[model_->parts[i].body].is_mobile()) continue;
    found_.clear();
    hash_.find(hash_.bounds(i), &found_);
    for (const int j : found_) {
      const bool other_is_mobile = model_->bodies[model_->parts[j].body].is_mobile();
      if (j == i || (other_is_mobile && j < i) || !finder_.may_touch(i, j)) continue;
      add_pair(std::min(i, j), std::max(i, j));
    }
  }
}

// A body whose flight has changed may meet other bodies. Bodies of other groups are only noted.
void Simulator::refile(int body) {
  const dynamics::Body& b = model_->bodies[body];
  for (int i = b.parts_begin; i < b.parts_end; ++i) {
    const Aabb box = calc_swept_box(i);
    if (contains(hash_.bounds(i), box)) continue;
    first_boxes_.emplace_back(i, hash_.bounds(i));
    refiled_.emplace_back(i, box);
    hash_.place(i, box);
    found_.clear();
    hash_.find(box, &found_);
    for (const int j : found_) {
      const int first = std::min(i, j);
      const int second = std::max(i, j);
      if (j == i || !finder_.may_touch(first, second) || has_pair(first, second)) continue;
      const int other = model_->bodies[model_->parts[j].body].mechanism;
      if (other >= 0 && group_numbers_[other] != group_) {
        conflicts_.emplace_back(b.mechanism, other);
      } else {
        add_pair(first, second);
      }
    }
  }
}

// Overlaps at the end of the interval are reported with it, not with the next one.
void Simulator::look_at_near_pairs(const Group& group) {
  const auto look_again = [this](int index) {
    Pair& pair = pairs_[index];
    const bool stands = bodies_.stands(model_->parts[pair.part_a].body) &&
                        bodies_.stands(model_->parts[pair.part_b].body);
    if (stands || pair.contacts.empty() || pair.t == now_) return;
    heap_item_ = heap_index(index);
    move_pair(pair);
    look(&pair);
  };
  for (const int index : group.pairs) look_again(index);
  for (int index = first_added_pair_; index < num_pairs_; ++index) look_again(index);
}

// The end of the interval shows whether an estimate of motion was wrong: mechanisms must be inside
// the boxes under which they were filed, and apart.
void Simulator::look_at_mechanisms(const Group& group) {
  for (const int stop : group.stops) {
    heap_item_ = stop;
    (void)calc_next_stop_time(stop);
  }
  for (const int m : group.mechanisms) {
    const dynamics::Mechanism& mechanism = model_->mechanisms[m];
    if (mechanism.is_loose) continue;
    for (const int body : mechanism.bodies) look_at_parts(model_->bodies[body]);
  }
}

// Examines the parts of an articulated body at the end of an interval.
void Simulator::look_at_parts(const dynamics::Body& body) {
  for (int i = body.parts_begin; i < body.parts_end && !has_failed(); ++i) {
    for (const int index : parts_[i].pairs) {
      heap_item_ = heap_index(index);
      move_pair(pairs_[index]);
      if (pairs_[index].t != now_) look(&pairs_[index]);
    }
    const Aabb box = shapes::calc_bounds(model_->parts[i].placed.shape, part_pose(i));
    if (contains(hash_.bounds(i), box) || has_failed()) continue;
    certificate_.passed = false;
    is_lost_ = true;
    heap_item_ = std::numeric_limits<int>::max();
    fail(AdvanceStatus::kCertificateFailed,
         body.name + " moved farther than was estimated before t = " + to_rounded_time(t_end_) +
             " s");
  }
}

void Simulator::move_pair(const Pair& pair) {
  mover_.move(model_->parts[pair.part_a].body, now_, &bodies_);
  mover_.move(model_->parts[pair.part_b].body, now_, &bodies_);
}

double Simulator::calc_bound(const Pair& pair, const collide::SeparatingPlane& plane) const {
  const int body_a = model_->parts[pair.part_a].body;
  const int body_b = model_->parts[pair.part_b].body;
  const BallisticMotion motion_a = calc_motion(bodies_, body_a);
  const BallisticMotion motion_b = calc_motion(bodies_, body_b);
  const Pose X_WA = part_pose(pair.part_a);
  const Pose X_WB = part_pose(pair.part_b);
  const MovingShape A{.core = shapes_[pair.part_a].core(),
                      .X_WS = X_WA,
                      .motion = motion_a,
                      .radius = parts_[pair.part_a].radius,
                      .start = pair.features.vertices_A[0]};
  const MovingShape B{.core = shapes_[pair.part_b].core(),
                      .X_WS = X_WB,
                      .motion = motion_b,
                      .radius = parts_[pair.part_b].radius,
                      .start = pair.features.vertices_B[0]};
  double horizon = t_end_ - now_;
  if (bodies_.is_articulated(body_a) || bodies_.is_articulated(body_b)) {
    horizon = std::min(horizon, looks_.slice);
  }
  return calc_heap_time(calc_time_of_impact_bound(A, B, plane, calc_goal(plane.gap), horizon),
                        horizon);
}

// m   The gap down to which a pair need not be examined. Outside the envelope, this is a place just
// inside it; within the envelope, half the gap; at its floor, a little less.
double Simulator::calc_goal(double gap) const {
  if (gap > thresholds_.envelope) return thresholds_.arrival();
  return gap > thresholds_.floor() ? 0.5 * gap : gap - 0.5 * thresholds_.floor();
}

double Simulator::calc_heap_time(double bound, double horizon) const {
  const double next = now_ + std::min(bound, horizon);
  return next >= t_end_ ? CollisionHeap::kNever
                        : std::max(next, std::nextafter(now_, CollisionHeap::kNever));
}

// m   Separation along the direction of the last query.
double Simulator::calc_separation(const Pair& pair) const {
  const BallisticMotion still;
  const Pose X_WA = part_pose(pair.part_a);
  const Pose X_WB = part_pose(pair.part_b);
  const MovingShape A{.core = shapes_[pair.part_a].core(),
                      .X_WS = X_WA,
                      .motion = still,
                      .start = pair.features.vertices_A[0]};
  const MovingShape B{.core = shapes_[pair.part_b].core(),
                      .X_WS = X_WB,
                      .motion = still,
                      .start = pair.features.vertices_B[0]};
  return calc_separation_along(A, B, pair.normal);
}

double Simulator::calc_next_time(int index) {
  Pair& pair = pairs_[index];
  if (bodies_.stands(model_->parts[pair.part_a].body) &&
      bodies_.stands(model_->parts[pair.part_b].body)) {
    return CollisionHeap::kNever;
  }
  move_pair(pair);
  // The plane that separated the parts last may still separate them far enough.
  if (pair.t >= 0.0 && pair.t < now_ && pair.gap > thresholds_.envelope) {
    const double gap = calc_separation(pair);
    ++counts_.plane_checks;
    if (gap > thresholds_.envelope) {
      const double next = calc_bound(pair, {.normal = pair.normal, .gap = gap});
      if (next == CollisionHeap::kNever) return next;
    }
  }
  if (pair.t != now_) look(&pair);
  if (find_next_contact(pair) != nullptr) return now_;
  return calc_bound(pair, {.normal = pair.normal, .gap = pair.gap});
}

void Simulator::look(Pair* pair) {
  const Pose X_WA = part_pose(pair->part_a);
  const Pose X_WB = part_pose(pair->part_b);
  const collide::Distance distance = tracker_.calc_distance(
      {.A = shapes_[pair->part_a], .X_WA = X_WA, .B = shapes_[pair->part_b], .X_WB = X_WB},
      &pair->features);
  pair->t = now_;
  pair->normal = distance.normal;
  pair->gap = distance.gap;
  pair->contacts.clear();
  note_overlap(distance.gap, [&] {
    return model_->bodies[model_->parts[pair->part_a].body].name + " and " +
           model_->bodies[model_->parts[pair->part_b].body].name;
  });
  if (distance.gap <= thresholds_.envelope) find_contacts(distance, pair);
}

// Finds the points of the pair that are within the envelope.
void Simulator::find_contacts(const collide::Distance& distance, Pair* pair) {
  const Pose X_WA = part_pose(pair->part_a);
  const Pose X_WB = part_pose(pair->part_b);
  points_.clear();
  collide::PairHint hint{.direction = X_WA.R.transpose() * distance.normal,
                         .vertex_A = pair->features.vertices_A[0],
                         .vertex_B = pair->features.vertices_B[0]};
  narrow_phase_.append_manifold({.A = shapes_[pair->part_a].shape(),
                                 .X_WA = X_WA,
                                 .B = shapes_[pair->part_b].shape(),
                                 .X_WB = X_WB,
                                 .hint = &hint,
                                 .distance = &distance},
                                thresholds_.envelope, &points_);
  if (points_.empty()) {  // exactly at the edge of the envelope
    points_.push_back(
        {.p_A = distance.p_A, .p_B = distance.p_B, .normal = distance.normal, .gap = distance.gap});
  }
  for (const collide::ContactPoint& point : points_) {
    pair->contacts.push_back(
        contact::make_contact(*model_, pair->part_a, pair->part_b, bodies_.X_WB, point));
  }
  pair->is_face = is_face(pair->contacts);
}

// m/s^2   Acceleration in free fall of the bodies of a contact towards each other.
double Simulator::calc_fall(const Contact& c) const {
  return std::max(0.0, -calc_relative_fall(c).z());
}

// m/s^2   Acceleration of b relative to a in free fall, in the frame of the contact.
Vec3 Simulator::calc_relative_fall(const Contact& c) const {
  const auto of = [this](int body) {
    return bodies_.flights[body].is_resting ? Vec3(Vec3::Zero())
                                            : bodies_.flights[body].acceleration;
  };
  return CollisionMatrix::frame(c).transpose() * (of(c.body_b) - of(c.body_a));
}

const Contact* Simulator::find_next_contact(const Pair& pair) const {
  const Contact* next = nullptr;
  double fastest = 0.0;  // m/s
  for (const Contact& c : pair.contacts) {
    const double v_n = matrix_.velocity(c).z();
    if (!rule_.collides(c.gap, v_n, calc_fall(c))) continue;
    if (next != nullptr && !(v_n < fastest)) continue;
    next = &c;
    fastest = v_n;
  }
  return next;
}

}  // namespace tenpin::methods::impulse
