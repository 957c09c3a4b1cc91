// The pairs of parts that may meet within an interval.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "base/union_find.h"
#include "collide/closest_features.h"
#include "collide/spatial_hash.h"
#include "contact/finder.h"
#include "methods/impulse/flying_bodies.h"
#include "methods/impulse/interval.h"

namespace tenpin::methods::impulse {

// Two parts that may meet before the interval ends.
struct Pair {
  int part_a = 0;
  int part_b = 0;
  collide::FeaturePair features;
  Vec3 normal = Vec3::Zero();              // -   between them at the last look; zero: not yet
  double t = -1.0;                         // s   time of the last look
  double gap = 0.0;                        // m   at that time
  std::vector<contact::Contact> contacts;  // at that time, if within the envelope
  bool is_face = false;                    // do the contacts span a face?
};

struct PartShape {
  explicit PartShape(const shapes::Shape& of) : shape(of) {}
  collide::TrackedShape shape;
  double radius = 0.0;  // m   farthest point of the core from the body's centre
};
// By part of the model, at fixed addresses.
using PartShapes = std::deque<PartShape>;
[[nodiscard]] PartShapes make_part_shapes(const FlyingBodies& bodies);

[[nodiscard]] Pose part_pose(const FlyingBodies& bodies, int part);

// Files parts under boxes that they cannot leave within the interval, unless they collide.
// [MC95, §Further reducing collision checks]
class PairTable {
 public:
  // Both must outlive this.
  PairTable(const dynamics::Model& model, const PartShapes& shapes);

  // Finds all pairs from the places of the bodies at the start of an interval.
  void find(const FlyingBodies& bodies, const Interval& interval);
  // Joins the mechanisms of each pair.
  void join(UnionFind* mechanisms) const;
  // Lists each pair in a group of one of its mechanisms; `group_of` is by mechanism.
  void list(std::span<const int> group_of, std::vector<Group>* groups) const;

  int size() const { return size_; }
  Pair& operator[](int pair) { return pairs_[pair]; }
  const std::vector<int>& pairs_of(int part) const { return of_parts_[part]; }
  bool may_touch(int part_a, int part_b) const { return finder_.may_touch(part_a, part_b); }
  std::int64_t num_looks() const { return hash_.num_looks(); }

  // Adds the pairs of a body whose flight has changed at time `now`. It may meet other bodies;
  // those of other groups are only noted as conflicts.
  void refile(int body, double now, const FlyingBodies& bodies, const Interval& interval,
              std::span<const int> group_of);
  // Is the part inside the box under which it is filed?
  [[nodiscard]] bool is_inside(int part, const FlyingBodies& bodies) const;
  // Files parts as before the group ran, since other groups see them where they were expected at
  // the start of the interval.
  void end_group();

  // Mechanisms of different groups that came within reach of each other: no result is valid.
  const std::vector<std::pair<int, int>>& conflicts() const { return conflicts_; }
  // Parts that may have left their first box, with the box of all their ways.
  const std::vector<std::pair<int, shapes::Aabb>>& refiled() const { return refiled_; }

 private:
  void add(int part_a, int part_b);
  [[nodiscard]] bool has(int part_a, int part_b) const;
  [[nodiscard]] int mechanism_of(int part) const;

  const dynamics::Model* model_;
  const PartShapes* shapes_;
  contact::ContactFinder finder_;  // decides which parts may touch
  collide::SpatialHash hash_;
  std::deque<Pair> pairs_;  // the first size_; the others keep their buffers
  int size_ = 0;
  std::vector<std::vector<int>> of_parts_;  // pairs, by part
  std::vector<std::pair<int, int>> conflicts_;
  std::vector<std::pair<int, shapes::Aabb>> refiled_;
  std::vector<std::pair<int, shapes::Aabb>> first_boxes_;  // of parts that the group refiled
  std::vector<int> found_;
};

}  // namespace tenpin::methods::impulse
