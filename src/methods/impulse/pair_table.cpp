#include "methods/impulse/pair_table.h"

#include <algorithm>

#include "shapes/bounds.h"

namespace tenpin::methods::impulse {

using collide::BallisticMotion;
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

// Bounds the places of a part from now to the end of the interval.
Aabb calc_swept_box(const FlyingBodies& bodies, int part, double radius, double now,
                    const Interval& interval) {
  const dynamics::Part& p = bodies.model->parts[part];
  Aabb box = shapes::calc_bounds(p.placed.shape, part_pose(bodies, part));
  if (bodies.stands(p.body)) return box;
  const BallisticMotion m = calc_motion(bodies, p.body);
  const double h = interval.t_end - now;
  const double more = bodies.is_articulated(p.body) ? interval.looks.reach : 1.0;
  const double turn = std::min(more * h * m.spin_bound, 2.0) * radius;
  const Vec3 grow =
      Vec3::Constant(turn + 0.5 * more * h * h * m.unsteadiness + interval.thresholds.envelope);
  box.lower -= grow;
  box.upper += grow;
  stretch_by_flight(m, h, &box);
  return box;
}

}  // namespace

PartShapes make_part_shapes(const FlyingBodies& bodies) {
  PartShapes all;
  for (const dynamics::Part& part : bodies.model->parts) {
    PartShape& one = all.emplace_back(part.placed.shape);
    if (one.shape.core() == nullptr) continue;
    const Vec3 center = part.placed.X_BS.inverse() * bodies.flights[part.body].center;
    one.radius = std::max(0.0, shapes::calc_bounding_radius(part.placed.shape, center) -
                                   one.shape.core()->rounding());
  }
  return all;
}

Pose part_pose(const FlyingBodies& bodies, int part) {
  const dynamics::Part& p = bodies.model->parts[part];
  return bodies.pose(p.body) * p.placed.X_BS;
}

PairTable::PairTable(const dynamics::Model& model, const PartShapes& shapes)
    : model_(&model), shapes_(&shapes), finder_(model), of_parts_(model.parts.size()) {}

int PairTable::mechanism_of(int part) const {
  return model_->bodies[model_->parts[part].body].mechanism;
}

bool PairTable::has(int part_a, int part_b) const {
  const std::vector<int>& of_a = of_parts_[part_a];
  const std::vector<int>& of_b = of_parts_[part_b];
  const std::vector<int>& list = of_a.size() < of_b.size() ? of_a : of_b;
  return std::any_of(list.begin(), list.end(), [&](int i) {
    return pairs_[i].part_a == part_a && pairs_[i].part_b == part_b;
  });
}

void PairTable::add(int part_a, int part_b) {
  const int index = size_++;
  if (index == static_cast<int>(pairs_.size())) pairs_.emplace_back();
  Pair& pair = pairs_[index];
  pair.part_a = part_a;
  pair.part_b = part_b;
  pair.features = {};
  pair.t = -1.0;
  pair.contacts.clear();
  of_parts_[part_a].push_back(index);
  of_parts_[part_b].push_back(index);
}

void PairTable::find(const FlyingBodies& bodies, const Interval& interval) {
  size_ = 0;
  conflicts_.clear();
  refiled_.clear();
  first_boxes_.clear();
  const int count = static_cast<int>(of_parts_.size());
  hash_.reset(count);
  for (int i = 0; i < count; ++i) {
    of_parts_[i].clear();
    hash_.place(i, calc_swept_box(bodies, i, (*shapes_)[i].radius, interval.t_start, interval));
  }
  for (int i = 0; i < count; ++i) {
    if (!model_->bodies[model_->parts[i].body].is_mobile()) continue;
    found_.clear();
    hash_.find(hash_.bounds(i), &found_);
    for (const int j : found_) {
      const bool other_is_mobile = model_->bodies[model_->parts[j].body].is_mobile();
      if (j == i || (other_is_mobile && j < i) || !finder_.may_touch(i, j)) continue;
      add(std::min(i, j), std::max(i, j));
    }
  }
}

void PairTable::join(UnionFind* mechanisms) const {
  for (int i = 0; i < size_; ++i) {
    const int a = mechanism_of(pairs_[i].part_a);
    const int b = mechanism_of(pairs_[i].part_b);
    if (a >= 0 && b >= 0) mechanisms->join(a, b);
  }
}

void PairTable::list(std::span<const int> group_of, std::vector<Group>* groups) const {
  for (int i = 0; i < size_; ++i) {
    const int a = mechanism_of(pairs_[i].part_a);
    const int m = a >= 0 ? a : mechanism_of(pairs_[i].part_b);
    if (m >= 0) (*groups)[group_of[m]].pairs.push_back(i);
  }
}

void PairTable::refile(int body, double now, const FlyingBodies& bodies, const Interval& interval,
                       std::span<const int> group_of) {
  const dynamics::Body& b = model_->bodies[body];
  for (int i = b.parts_begin; i < b.parts_end; ++i) {
    const Aabb box = calc_swept_box(bodies, i, (*shapes_)[i].radius, now, interval);
    if (contains(hash_.bounds(i), box)) continue;
    first_boxes_.emplace_back(i, hash_.bounds(i));
    refiled_.emplace_back(i, box);
    hash_.place(i, box);
    found_.clear();
    hash_.find(box, &found_);
    for (const int j : found_) {
      const int first = std::min(i, j);
      const int second = std::max(i, j);
      if (j == i || !finder_.may_touch(first, second) || has(first, second)) continue;
      const int other = mechanism_of(j);
      if (other >= 0 && group_of[other] != group_of[b.mechanism]) {
        conflicts_.emplace_back(b.mechanism, other);
      } else {
        add(first, second);
      }
    }
  }
}

bool PairTable::is_inside(int part, const FlyingBodies& bodies) const {
  const shapes::Shape& shape = model_->parts[part].placed.shape;
  return contains(hash_.bounds(part), shapes::calc_bounds(shape, part_pose(bodies, part)));
}

void PairTable::end_group() {
  for (auto it = first_boxes_.rbegin(); it != first_boxes_.rend(); ++it) {
    hash_.place(it->first, it->second);
  }
  first_boxes_.clear();
}

}  // namespace tenpin::methods::impulse
